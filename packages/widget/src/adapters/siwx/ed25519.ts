//! Signature of a Solana key, loaded when a session or an answer of a wallet is verified.

import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'

/** Whether a key signed a text; key and signature in base58. */
export function isSignedBy(message: string, account: string, signature: string): boolean {
  const [key, signed] = [read(account, 32), read(signature, 64)]
  return key !== undefined && signed !== undefined && isSigned(new TextEncoder().encode(message), key, signed)
}

/** Whether a key of 32 bytes made a signature of 64. */
export function isSigned(message: Uint8Array, key: Uint8Array, signature: Uint8Array): boolean {
  // Strict: keys of small order, which nobody owns, would accept signatures of anybody.
  return ed25519.verify(signature, message, key, { zip215: false })
}

function read(text: string, length: number): Uint8Array | undefined {
  try {
    const bytes = text.length > 2 * length ? undefined : base58.decode(text)
    return bytes?.length === length ? bytes : undefined
  } catch {
    return undefined
  }
}
