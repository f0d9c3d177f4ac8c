//! The calls that the core carries out. Here are only their names: what they say is fetched with the core.

import type { ExternalWallet } from '../adapters/adapter.ts'
import type { Calls } from '../shell/calls.ts'
import type { Engine } from './engine.ts'
import type { CreateAppKit, Features } from './options.ts'

/** They fetch the core, and resolve with its answer. */
const answered = [
  'fetchBalance',
  'updateNativeBalance',
  'switchNetwork',
  'resetNetwork',
  'addNetwork',
  'removeNetwork',
  'getUniversalProvider'
] as const

/** They wait for the core without fetching it, and nobody waits for them. */
const told = ['redirect', 'replace', 'resetWcConnection', 'addAddressLabel', 'removeAddressLabel'] as const

/** Before the core is there they have nothing to say. */
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

/** They fetch the core, for the visitor is to hear of it now, and nobody waits for them. */
const said = ['showErrorMessage', 'showSuccessMessage'] as const

/** `setConnectors` and its like change the option of that name. */
const options = ['Connectors', 'ThemeVariables', 'TermsConditionsUrl', 'PrivacyPolicyUrl', 'ClientId'] as const

/** `setCollapseWallets` and its like change the feature of that name. */
const features = ['ConnectMethodsOrder', 'WalletFeaturesOrder', 'CollapseWallets'] as const

type Setters<Name extends string, Of> = {
  [name in Name as `set${name}`]: (value: NonNullable<Of[Uncapitalize<name> & keyof Of]>) => void
}

interface Changes
  extends Omit<Setters<(typeof options)[number], CreateAppKit>, 'setClientId'>,
    Setters<(typeof features)[number], Features> {
  /**
   * Brings wallets along besides those of the adapters; of two with one id the last is listed. One that was listed stays listed, also where
   * it is not given any more.
   */
  setConnectors(connectors: readonly ExternalWallet[]): void
  /** Requests to your server (`endpoints`) tell it from now on; `null` takes it back. */
  setClientId(clientId: string | null): void
}

type Open = Pick<Calls, (typeof answered | typeof told | typeof read | typeof said)[number]>

class Caller {
  /** What the hooks and elements stand on. Not for hosts. */
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

export const Door = Caller as unknown as new (engine: Engine) => Open & Changes & Pick<Caller, 'engine'>
