//! Ways to a wallet: each kind of Bitcoin wallet has other names for the same requests. All that a way brings is untrusted.

import { field } from '../field.ts'
import type { BitcoinAddress } from './address.ts'
import type { Protocol } from './bytes.ts'
import type { BitcoinChain } from './chains.ts'

/** Account as a wallet describes it. */
export interface Described {
  readonly address?: unknown
  readonly publicKey?: unknown
  /** `payment`, `ordinals`, or of another chain. */
  readonly purpose?: unknown
  /** Object by which the wallet knows the account. */
  readonly handle?: unknown
}

/** Account that the visitor approved, parsed. */
export interface BitcoinAccount {
  readonly address: BitcoinAddress
  readonly publicKey?: string
  readonly purpose: 'payment' | 'ordinal'
  readonly handle: unknown
}

export interface InputToSign {
  readonly account: BitcoinAccount
  readonly index: number
  /** Types of signatures that are allowed; the transaction names one of them where only one is. */
  readonly sighashTypes?: readonly number[]
}

export interface Psbt {
  readonly bytes: Uint8Array
  readonly inputs: readonly InputToSign[]
  readonly broadcast: boolean
  readonly chain: BitcoinChain
}

/** Change that a wallet tells: its accounts, where it names them, and its network, `null` for one that is not known here. */
export interface Change {
  readonly accounts?: readonly Described[]
  readonly chain?: BitcoinChain | null
}

export interface Way {
  /** Accounts that the visitor approves, or with `silent` those that the page may see already. */
  accounts(silent: boolean, chain: BitcoinChain): Promise<readonly Described[]>
  /** Signature as bytes, or as text in base64 or hex. Without a protocol the wallet chooses one. */
  signMessage(
    account: BitcoinAccount,
    message: string,
    protocol: Protocol | undefined,
    chain: BitcoinChain
  ): Promise<unknown>
  signPsbt(psbt: Psbt): Promise<{ readonly psbt: unknown; readonly txid?: unknown }>
  /** Sends satoshis. Resolves with the id of the transaction. */
  send(to: string, satoshis: number, chain: BitcoinChain): Promise<unknown>
  switchChain(chain: BitcoinChain): Promise<unknown>
  disconnect(): Promise<unknown>
  /** Called once, after the first connection. */
  listen(tell: (change: Change) => void): void
}

export const REFUSED = 4001
export const NOT_CONNECTED = 4100
export const UNSUPPORTED = 4200
export const OTHER_CHAIN = 4901
export const UNKNOWN_CHAIN = 4902
export const INVALID = -32602

export function fault(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Function of a wallet's object, bound to it. */
export function call(object: unknown, name: string): ((...given: readonly unknown[]) => Promise<unknown>) | undefined {
  const run = field(object, name)
  return typeof run === 'function' ? async (...given) => run.apply(object, given) : undefined
}

/** The same, refused if the wallet has none. */
export function must(object: unknown, name: string, ...given: readonly unknown[]): Promise<unknown> {
  const run = call(object, name)
  if (run === undefined) return Promise.reject(fault(UNSUPPORTED, `The wallet has no ${name}`))
  return run(...given)
}
