//! A request that somebody has to answer, in words, and what is done once it is approved.

import type { Account } from './accounts.ts'
import type { Network } from './networks.ts'
import type { Branch } from './typed-data.ts'

export interface Ask {
  /** What is asked, as a heading: "Sign a message". */
  readonly title: string
  readonly network: Network
  readonly account: Account
  readonly body: Body
  /** What should make one stop. */
  readonly warnings: readonly string[]
  /** The words on the button that does it. */
  readonly verb: string
  /** Does it; what comes back goes to the application. What cannot be taken back is told to `begins` first, with what will come of it. */
  perform(begins?: (result: unknown) => void): Promise<unknown>
}

export type Body =
  | { readonly type: 'message'; readonly text: string; readonly bytes: boolean }
  | { readonly type: 'typedData'; readonly domain: Branch; readonly message: Branch }
  | {
      readonly type: 'transaction'
      /** Absent where a contract is created. */
      readonly to: string | null
      readonly value: string
      readonly call: Branch | null
      readonly data: string
      /** Asked of the network when it is shown. */
      cost(): Promise<Cost>
    }
  | { readonly type: 'network'; readonly to: Network }

export interface Cost {
  /** "at most 0.000042 ETH"; absent where the network cannot tell. */
  readonly fee: string | null
  readonly warning: string | null
}

/** Why a request is refused before anybody is asked: the protocol's code, and words for the application and the visitor. */
export class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'Refusal'
    this.code = code
  }
}

/** EIP-1193, JSON-RPC and CAIP-25 codes. */
export const CODES = {
  invalidParams: -32602,
  internal: -32603,
  userRejected: 5000,
  unsupportedMethod: 5101,
  unsupportedChain: 5100,
  unauthorizedAccount: 3001,
  unknownChain: 4902
} as const

export const invalid = (what: string): Refusal => new Refusal(CODES.invalidParams, `Expected ${what}.`)

export function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid('a list of parameters')
  return value
}

export function recordIn(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${what} to be an object`)
  return value as Record<string, unknown>
}
