import type { ChainAdapter, ExternalWallet } from '../adapter.ts'

/** Connects EVM wallets for hosts that use ethers v6. What it hands out is the wallet's own EIP-1193 provider. */
export class EthersAdapter implements ChainAdapter {
  readonly namespace = 'eip155'
  readonly adapterType = 'ethers'
  connectors: readonly ExternalWallet[]
  readonly #listeners = new Set<() => void>()

  constructor({ connectors = [] }: { readonly connectors?: readonly ExternalWallet[] } = {}) {
    this.connectors = connectors
  }

  /** Brings other wallets along than at the start. */
  setConnectors(connectors: readonly ExternalWallet[]): void {
    this.connectors = connectors
    for (const tell of this.#listeners) tell()
  }

  on(_event: 'connectors', tell: () => void): void {
    this.#listeners.add(tell)
  }

  off(_event: 'connectors', tell: () => void): void {
    this.#listeners.delete(tell)
  }
}
