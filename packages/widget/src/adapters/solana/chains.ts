//! Names of Solana's networks in the Wallet Standard.

const CHAINS: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana:mainnet',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana:devnet',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'solana:testnet'
}

/** Name of each network that the standard has no name for, such as one of the host's own. */
export const LOCALNET = 'solana:localnet'

/** Name of the network of a CAIP-2 id. */
export function standardChain(network: string): string {
  return CHAINS[network] ?? LOCALNET
}
