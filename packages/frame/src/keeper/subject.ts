//! What a passkey signs over, and what the visitor gives: shared by the page, which asks for it, and the worker, which checks it.

import type { PasskeyProof, SigningOrder } from '../generated/frame.ts'
import { sha256 } from './bytes.ts'

/** What is signed or set. */
export type Subject = SigningOrder | { readonly strict: boolean }

/** What the visitor gave. */
export type Given =
  | { readonly type: 'passkey'; readonly proof: PasskeyProof; readonly output: string }
  | { readonly type: 'password'; readonly password: string }

/** The proof is missing or wrong. */
export class Unproved extends Error {}

/** Challenge of a passkey for what is signed or set. No challenge of the vault begins like its text. */
export function challengeOf(subject: Subject): Promise<string> {
  return sha256(`portico proof 1\n${JSON.stringify(subject)}`)
}
