//! The calls that the core carries out. Here are only their names: what they say is fetched with the core.

import type { Calls } from '../shell/calls.ts'
import type { Engine } from './engine.ts'

/** They fetch the core, and resolve with its answer. */
const asked = [
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

type Open = Pick<Calls, (typeof asked | typeof told | typeof read | typeof said)[number]>

class Caller {
  /** What the hooks and elements stand on. Not for hosts. */
  readonly engine: Engine

  constructor(engine: Engine) {
    this.engine = engine
  }
}

const methods = Caller.prototype as Caller & Record<keyof Open, (this: Caller, ...given: never[]) => unknown>

for (const name of [...asked, ...told]) {
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

export const Door = Caller as unknown as new (engine: Engine) => Open & Pick<Caller, 'engine'>
