import type { ChainAdapter, ExternalWallet } from '../adapter.ts'

/** Connects EVM wallets for hosts that use ethers v6. What it hands out is the wallet's own EIP-1193 provider. */
export class EthersAdapter implements ChainAdapter {
  readonly namespace = 'eip155'
  readonly adapterType = 'ethers'
  readonly connectors: readonly ExternalWallet[]

  constructor({ connectors = [] }: { readonly connectors?: readonly ExternalWallet[] } = {}) {
    this.connectors = connectors
  }
}
