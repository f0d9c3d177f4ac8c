import type { Namespace } from '../generated/core.ts'

/** Says that the wallets of a namespace are to be connected. */
export interface ChainAdapter {
  readonly namespace: Namespace
  /** The library for which a host chose it: `ethers`. */
  readonly adapterType?: string
}
