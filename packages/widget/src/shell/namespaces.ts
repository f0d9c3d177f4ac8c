import type { Namespace } from '../generated/core.ts'

/** Name and main network of each namespace. */
export const namespaces: Readonly<Record<Namespace, { readonly name: string; readonly network: string }>> = {
  eip155: { name: 'Ethereum', network: 'eip155:1' },
  solana: { name: 'Solana', network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
  bip122: { name: 'Bitcoin', network: 'bip122:000000000019d6689c085ae165831e93' },
  polkadot: { name: 'Polkadot', network: 'polkadot:91b171bb158e2d3848fa23a9f1c25182' }
}
