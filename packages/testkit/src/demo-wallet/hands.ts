import type { LocalAccount } from 'viem/accounts'
import type { Decision, Question } from './approval/approval.ts'
import type { Chain } from './chain.ts'
import type { WalletState } from './state.ts'

/** What the answer to a method may use. */
export interface Hands {
  readonly origin: string
  readonly state: WalletState
  /** Whether it does several calls together (EIP-5792). */
  readonly batches: boolean
  signer(address: string): LocalAccount
  /** Asks the visitor; rejects with 4001 when refused. */
  ask(method: string, question: Question): Promise<Extract<Decision, { approved: true }>>
  /** Asks a chain, the active one unless told; rejects with 4900 when it cannot be reached. */
  forward(method: string, params: unknown, chain?: Chain): Promise<unknown>
  /** Runs one request of its kind at a time; a second one rejects with -32002. */
  alone<T>(kind: string, run: () => Promise<T>): Promise<T>
  /** Runs after what was given before it has ended, so that two transactions never take one nonce. */
  inTurn<T>(run: () => Promise<T>): Promise<T>
}

/** Answers one method. */
export type Method = (hands: Hands, params: unknown) => Promise<unknown>
