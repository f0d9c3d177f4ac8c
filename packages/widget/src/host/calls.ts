//! Methods that the core performs. Only their names are here: the implementation is fetched with the core.

import type { ExternalWallet } from '../adapters/adapter.ts'
import type { Calls } from '../shell/calls.ts'
import type { Engine } from './engine.ts'
import type { CreateAppKit, Features } from './options.ts'

/** Methods that fetch the core and resolve with its result. */
const answered = [
  'fetchBalance',
  'updateNativeBalance',
  'switchNetwork',
  'resetNetwork',
  'addNetwork',
  'removeNetwork',
  'removeAdapter',
  'setPreferredAccountType',
  'getUniversalProvider',
  'subscribeConnectors'
] as const

/** Methods that are queued until the core has loaded, without fetching it; they resolve at once. */
const told = ['redirect', 'replace', 'resetWcConnection', 'addAddressLabel', 'removeAddressLabel'] as const

/** Getters that return `undefined` until the core has loaded. */
const read = [
  'getWalletInfo',
  'getPreferredAccountType',
  'getApprovedCaipNetworkIds',
  'getProvider',
  'getWalletProvider',
  'getProviderType',
  'getWalletProviderType',
  'getConnectorImage'
] as const

/** Methods that fetch the core, because the visitor must see the message now; they return nothing. */
const said = ['showErrorMessage', 'showSuccessMessage', 'showLoadingMessage'] as const

/** Options with a setter, as in `setConnectors`. */
const options = ['Connectors', 'ThemeVariables', 'TermsConditionsUrl', 'PrivacyPolicyUrl', 'ClientId'] as const

/** Features with a setter, as in `setCollapseWallets`. */
const features = ['ConnectMethodsOrder', 'WalletFeaturesOrder', 'CollapseWallets'] as const

type Setters<Name extends string, Of> = {
  [name in Name as `set${name}`]: (value: NonNullable<Of[Uncapitalize<name> & keyof Of]>) => void
}

interface Changes
  extends Omit<Setters<(typeof options)[number], CreateAppKit>, 'setClientId'>,
    Setters<(typeof features)[number], Features> {
  /**
   * Adds wallets besides those of the adapters; for a duplicate id the last one is listed. A wallet stays listed after its first call, even
   * when a later call leaves it out.
   */
  setConnectors(connectors: readonly ExternalWallet[]): void
  /** Sets the client id of later requests to your server (`endpoints`); `null` removes it. */
  setClientId(clientId: string | null): void
}

type Open = Pick<Calls, (typeof answered | typeof told | typeof read | typeof said)[number]>

class Caller {
  /** Internal state for hooks and elements. Not for hosts. */
  readonly engine: Engine

  constructor(engine: Engine) {
    this.engine = engine
  }
}

const methods = Caller.prototype as Caller &
  Record<keyof (Open & Changes), (this: Caller, ...given: never[]) => unknown>

for (const name of [...answered, ...told]) {
  const how = (told as readonly string[]).includes(name) ? 'quiet' : ''
  methods[name] = function (...given) {
    return this.engine.call(name, given, how)
  }
}
for (const name of read) {
  methods[name] = function (...given) {
    return this.engine.calls && this.engine.call(name, given)
  }
}
for (const name of said) {
  methods[name] = function (...given) {
    void this.engine.load()
    void this.engine.call(name, given, 'quiet')
  }
}

for (const name of [...options, ...features]) {
  const key = name[0]?.toLowerCase() + name.slice(1)
  const whole = (options as readonly string[]).includes(name)
  methods[`set${name}`] = function (value: unknown) {
    this.engine.change(whole ? { [key]: value } : { features: { [key]: value } })
  }
}

export const HostCalls = Caller as unknown as new (engine: Engine) => Open & Changes & Pick<Caller, 'engine'>
