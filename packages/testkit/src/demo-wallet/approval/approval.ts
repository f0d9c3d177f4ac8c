import type { Address } from 'viem'

/** What the wallet asks its visitor. */
export type Approval = { readonly origin: string; readonly method: string } & Question

export type Question =
  | { readonly kind: 'unlock' }
  | { readonly kind: 'connect'; readonly accounts: readonly Address[]; readonly selected: Address }
  | { readonly kind: 'sign'; readonly account: Address; readonly network: string; readonly message: string }
  | {
      readonly kind: 'signTypedData'
      readonly account: Address
      readonly network: string
      readonly domain: string
      readonly primaryType: string
      readonly message: string
    }
  | {
      readonly kind: 'send'
      readonly account: Address
      /** Absent when the transaction creates a contract. */
      readonly to?: Address | undefined
      readonly value: bigint
      readonly data?: string | undefined
      readonly network: string
      /** The most the transaction may cost beside its value; absent when the node could not estimate it. */
      readonly fee?: bigint | undefined
      readonly warning?: string | undefined
    }
  | { readonly kind: 'switchChain'; readonly from: string; readonly to: string }
  | { readonly kind: 'addChain'; readonly network: string; readonly chainId: number; readonly rpcUrl: string }

export type Decision =
  | { readonly approved: true; readonly account?: Address | undefined }
  | { readonly approved: false }

/** Puts one question to the visitor. When `signal` aborts, the question has been answered elsewhere. */
export type Asker = (approval: Approval, signal: AbortSignal) => Decision | boolean | Promise<Decision | boolean>

export type ApprovalChoice = 'dialog' | 'auto' | Asker
