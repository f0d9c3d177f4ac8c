//! Networks of Polkadot by CAIP-2 id, with the SS58 prefixes of their addresses.

export interface PolkadotChain {
  /** CAIP-2 id: `polkadot:` and the first 32 digits of the hash of the genesis block. */
  readonly id: string
  readonly prefix: number
}

/** Prefix of networks that name no other. */
const GENERIC = 42

/** SS58 prefixes of the networks that the widget exports. */
const PREFIXES: Readonly<Record<string, number>> = {
  'polkadot:91b171bb158e2d3848fa23a9f1c25182': 0,
  'polkadot:b0a8d493285c2df73290dfb7e61f870f': 2,
  'polkadot:e143f23803ac50e8f6f8e62695d1ce9e': GENERIC
}

/** Network with this CAIP-2 id, with the host's prefix or the one that is known. */
export function chainOf(id: unknown, prefixes: Readonly<Record<string, number>>): PolkadotChain | undefined {
  return isChain(id) ? { id, prefix: prefixes[id] ?? PREFIXES[id] ?? GENERIC } : undefined
}

/** Whether an address with this prefix may be on a network: those whose prefix is not known here take any. */
export function mayHave(id: string, prefix: number): boolean {
  return isChain(id) && (PREFIXES[id] ?? prefix) === prefix
}

function isChain(id: unknown): id is string {
  return typeof id === 'string' && /^polkadot:[0-9a-f]{32}$/.test(id)
}
