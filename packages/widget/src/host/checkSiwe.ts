//! Check of a `siweConfig`, for the page's developer.

import { type Kind, misnamed, misvalued, objectOf, withoutMethods } from './faults.ts'
import type { SIWEMethods, SIWEOptions } from './siwx.ts'

const siweMethods: Readonly<Record<keyof SIWEMethods, boolean>> = {
  getNonce: true,
  createMessage: true,
  verifyMessage: true,
  getSession: true,
  signOut: true,
  getMessageParams: false,
  onSignIn: false,
  onSignOut: false
}

const siweOptions: Readonly<Record<keyof SIWEOptions, Kind>> = {
  required: 'boolean',
  enabled: 'boolean',
  signOutOnDisconnect: 'boolean',
  signOutOnAccountChange: 'boolean',
  signOutOnNetworkChange: 'boolean',
  nonceRefetchIntervalMs: 'interval',
  sessionRefetchIntervalMs: 'interval'
}

interface Apart {
  readonly methods: unknown
  readonly options?: unknown
}

/** A `siweConfig` has its methods and options in one object, or apart. */
export function faultsOfSiwe(config: object): string[] {
  const apart = 'methods' in config
  const { methods, options } = apart ? (config as Apart) : { methods: config, options: config }
  const needed = Object.keys(siweMethods).filter((name) => siweMethods[name as keyof SIWEMethods])
  const prefix = apart ? 'siweConfig.options.' : 'siweConfig.'
  return [
    ...withoutMethods(apart ? 'siweConfig.methods' : 'siweConfig', methods, needed),
    ...misnamed(objectOf(options), apart ? siweOptions : { ...siweMethods, ...siweOptions }, prefix),
    ...misvalued(objectOf(options), siweOptions, prefix)
  ]
}
