import type { ChainAdapter, ExternalWallet } from '../adapter.ts'

/** Connects EVM wallets for hosts that use ethers v6. The provider it returns is the wallet's own EIP-1193 object. */
export class EthersAdapter implements ChainAdapter {
  readonly namespace = 'eip155'
  readonly adapterType = 'ethers'
  connectors: readonly ExternalWallet[]
  readonly #listeners = new Set<() => void>()

  constructor({ connectors = [] }: { readonly connectors?: readonly ExternalWallet[] } = {}) {
    this.connectors = connectors
  }

  /** Replaces the wallets that the host adds itself. */
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
