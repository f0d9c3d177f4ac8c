import type { LocalAccount } from 'viem/accounts'
import type { Decision, Question } from './approval/approval.ts'
import type { Chain } from './chain.ts'
import type { OneClick } from './connect-methods.ts'
import type { WalletState } from './state.ts'

/** Functions and state that a method's implementation may use. */
export interface Hands {
  readonly origin: string
  readonly state: WalletState
  /** Whether the wallet supports atomic batches (EIP-5792). */
  readonly batches: boolean
  /** Whether, and how, the wallet signs in while it connects (ERC-7846). */
  readonly oneClick: OneClick | undefined
  signer(address: string): LocalAccount
  /** Requests the visitor's approval; rejects with 4001 when refused. */
  ask(method: string, question: Question): Promise<Extract<Decision, { approved: true }>>
  /** Sends a request to the node of a chain, by default the active one; rejects with 4900 when it cannot be reached. */
  forward(method: string, params: unknown, chain?: Chain): Promise<unknown>
  /** Runs one request of its kind at a time; a concurrent one rejects with -32002. */
  alone<T>(kind: string, run: () => Promise<T>): Promise<T>
  /** Queues `run` behind earlier calls, so that two transactions never take the same nonce. */
  inTurn<T>(run: () => Promise<T>): Promise<T>
}

/** Implementation of one RPC method. */
export type Method = (hands: Hands, params: unknown) => Promise<unknown>
