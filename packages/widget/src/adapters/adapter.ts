import type { Namespace } from '../generated/core.ts'
import type { Eip1193Provider } from './eip155/provider.ts'

/** Says that the wallets of a namespace are to be connected. */
export interface ChainAdapter {
  readonly namespace: Namespace
  /** The library for which a host chose it: `ethers`. */
  readonly adapterType?: string
  /** Wallets that the host brings along. */
  readonly connectors?: readonly ExternalWallet[]
  /** Tells that `connectors` changed. */
  on?(event: 'connectors', tell: () => void): unknown
}

/** A wallet that the host brings along: one of its own, or one that is reached in a way the widget does not know. */
export interface ExternalWallet {
  /** What `connect({ connectorId })` takes, where there is no `rdns`. */
  readonly id: string
  readonly name: string
  readonly imageUrl?: string
  /** Its reverse domain name, which is then its id. */
  readonly rdns?: string
  readonly provider: Eip1193Provider
}
