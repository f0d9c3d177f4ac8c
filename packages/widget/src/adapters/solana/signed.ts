//! Reads signatures from a wallet's answers, and verifies them. Loaded with the curve's library while the wallet asks the visitor.

import { base58 } from '@scure/base'
import { isSigned } from '../siwx/ed25519.ts'

/** Signature of a message by the account of an address. */
export function signatureFrom(answer: unknown, message: Uint8Array, address: string): Uint8Array {
  const signature = field(answer, 'signature')
  const signed = field(answer, 'signedMessage')
  if (!isBytes(signature) || signature.length !== 64) throw new Error('The wallet answered without a signature')
  const isSame = isBytes(signed) && signed.length === message.length && message.every((byte, at) => byte === signed[at])
  if (!isSame || !isSigned(message, base58.decode(address), signature))
    throw new Error('The wallet signed another message')
  return signature
}

/** Transaction that a wallet signed. */
export interface SignedTransaction {
  readonly bytes: Uint8Array
  /** That of the account; another one may pay and sign first. */
  readonly signature: Uint8Array
}

/**
 * Transaction with a signature of the account of an address. Its message may be another one than was asked for: wallets add instructions that
 * protect the visitor, such as Phantom's checks by Lighthouse (https://docs.phantom.com/developer-powertools/lighthouse). A host has the
 * transaction that was signed.
 */
export function transactionFrom(answer: unknown, address: string): SignedTransaction {
  const bytes = field(answer, 'signedTransaction')
  if (!isBytes(bytes)) throw new Error('The wallet answered without a transaction')
  const signature = signatureOf(bytes, base58.decode(address))
  if (signature === undefined) throw new Error('The wallet answered without a transaction that this account signed')
  return { bytes, signature }
}

/** Valid signature of the key in the bytes of a transaction. Numbers up to 127 are one byte. */
function signatureOf(bytes: Uint8Array, key: Uint8Array): Uint8Array | undefined {
  const [count = 0] = bytes
  const message = bytes.subarray(1 + 64 * count)
  // A first byte with the highest bit is the version. The number of signers and two others follow, the number of keys, and the keys, those
  // of the signers first.
  const start = (message[0] ?? 0) > 127 ? 1 : 0
  const [keys, total = 0] = [message.subarray(start + 4), message[start + 3]]
  // The hash of a block follows the keys.
  if (count > 127 || message[start] !== count || count > total || keys.length < 32 * total + 32) return undefined
  for (let place = 0; place < count; place += 1) {
    const own = keys.subarray(32 * place)
    const signature = bytes.subarray(1 + 64 * place, 65 + 64 * place)
    if (key.every((byte, at) => byte === own[at])) return isSigned(message, key, signature) ? signature : undefined
  }
  return undefined
}

function field(answer: unknown, name: string): unknown {
  return (answer as Readonly<Record<string, unknown>> | null | undefined)?.[name]
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}
