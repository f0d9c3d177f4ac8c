import type { Address } from 'viem'

/** Request that the wallet shows to the visitor for approval. */
export type Approval = { readonly origin: string; readonly method: string } & Question

export type Tokens = Readonly<Record<Address, { readonly symbol: string; readonly decimals: number }>>

export type Question =
  | { readonly kind: 'unlock' }
  | { readonly kind: 'connect'; readonly accounts: readonly string[]; readonly selected: string }
  | { readonly kind: 'sign'; readonly account: string; readonly network: string; readonly message: string }
  | {
      /** Transaction of another chain than Ethereum's. */
      readonly kind: 'transaction'
      readonly account: string
      readonly network: string
      /** What it transfers, if it can be told. */
      readonly rows: readonly (readonly [label: string, value: string])[]
      /** The transaction as it is. */
      readonly message: string
    }
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
      /** Tokens of the call by their contracts, as these describe themselves. */
      readonly tokens?: Tokens | undefined
      readonly network: string
      /** Maximum network fee, in wei, on top of the value; absent when the node could not estimate it. */
      readonly fee?: bigint | undefined
      readonly warning?: string | undefined
    }
  | { readonly kind: 'switchChain'; readonly from: string; readonly to: string }
  | { readonly kind: 'addChain'; readonly network: string; readonly chainId: number; readonly rpcUrl: string }

export type Decision =
  | { readonly approved: true; readonly account?: Address | undefined }
  | { readonly approved: false }

/** Shows one approval to the visitor. `signal` aborts when the decision was made elsewhere. */
export type Asker = (approval: Approval, signal: AbortSignal) => Decision | boolean | Promise<Decision | boolean>

export type ApprovalChoice = 'dialog' | 'auto' | Asker
