//! Request in a form to show to the user, with the action that approval performs.

import type { Account } from './accounts.ts'
import type { Network } from './networks.ts'
import type { Branch } from './typed-data.ts'

export interface Ask {
  /** Heading: "Sign a message". */
  readonly title: string
  readonly network: Network
  readonly account: Account
  readonly body: Body
  /** Warnings that the user should read before approval. */
  readonly warnings: readonly string[]
  /** Label of the approve button. */
  readonly verb: string
  /** Performs the action; the result is the response. Before an irreversible step it calls `begins` with the expected result. */
  perform(begins?: (result: unknown) => void): Promise<unknown>
}

export type Body =
  | { readonly type: 'message'; readonly text: string; readonly bytes: boolean }
  | { readonly type: 'typedData'; readonly domain: Branch; readonly message: Branch }
  | {
      readonly type: 'transaction'
      /** Receiver; null if a contract is created. */
      readonly to: string | null
      readonly value: string
      readonly call: Branch | null
      readonly data: string
      /** Queries the network for the cost. */
      cost(): Promise<Cost>
    }
  | { readonly type: 'network'; readonly to: Network }

export interface Cost {
  /** "At most 0.000042 ETH"; null if the network does not report it. */
  readonly fee: string | null
  readonly warning: string | null
}

/** Refusal of a request without a prompt: the protocol's error code, and a message for the application and the user. */
export class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'Refusal'
    this.code = code
  }
}

/** Error codes of EIP-1193, JSON-RPC and CAIP-25. */
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
