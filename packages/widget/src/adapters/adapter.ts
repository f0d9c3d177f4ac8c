import type { Namespace } from '../generated/core.ts'
import type { Eip1193Provider } from './eip155/provider.ts'
import type { StandardWallet } from './standard.ts'

/** Connects the wallets of one namespace. */
export interface ChainAdapter {
  readonly namespace: Namespace
  /** Library of the host that the adapter is for: `ethers`. */
  readonly adapterType?: string
  /** Settings for a connection of the namespace's library, which the widget passes on: on Solana for `useAppKitConnection`. */
  readonly connectionSettings?: unknown
  /** Wallets that the host adds itself. */
  readonly connectors?: readonly ExternalWallet[]
  /** Subscribes to changes of `connectors`. */
  on?(event: 'connectors', tell: () => void): unknown
  /** Hands over functions that tell the CAIP-2 id of the active network of the adapter's namespace, and the address of its account in use. */
  follow?(network: () => string | undefined, address?: () => string | undefined): void
  /** Makes the provider of a wallet of the Wallet Standard; on Solana also that of the embedded wallet. */
  provide?(wallet: StandardWallet): Eip1193Provider
}

/** Wallet that the host adds itself: one of its own, or one with a transport that the widget does not know. */
export interface ExternalWallet {
  /** Id for `connect({ connectorId })`, unless there is an `rdns`. */
  readonly id: string
  readonly name: string
  readonly imageUrl?: string
  /** Reverse domain name; used as the id where present. */
  readonly rdns?: string
  /**
   * Answers `request({ method, params })`. The methods are those of the adapter's namespace: `eth_…` and `wallet_…` for `eip155`;
   * for `solana` the features of the Wallet Standard, `standard:connect` and `standard:disconnect`; for `bip122` `getAccountAddresses` (with `{ silent: true }`
   * without a question to the visitor), `signMessage`, `switchNetwork`, `getBalance` and `wallet_disconnect`; for `polkadot`
   * `getAccounts` (with `silent` too), `switchNetwork` and `wallet_disconnect`.
   */
  readonly provider: Eip1193Provider
  /** Whether it is a wallet of the browser that registered itself, and not one that the host brings. */
  readonly installed?: boolean
}
