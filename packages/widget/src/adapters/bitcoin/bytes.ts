//! Bytes that wallets answer with: signatures of texts, and partially signed transactions (BIP-174).

import { base64, hex } from '@scure/base'

export type Protocol = 'ecdsa' | 'bip322'

/** Limits in bytes: a witness of many signatures, and a transaction of the largest size with all that signers need. */
const LONGEST_SIGNATURE = 8_192
const LONGEST_PSBT = 8_000_000

/** First bytes of a partially signed transaction. */
export const MAGIC = [0x70, 0x73, 0x62, 0x74, 0xff]

/** Bytes of a text in hex or base64, or bytes as they are; `undefined` for anything else. */
function bytesOf(value: unknown, limit: number): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value.length > limit ? undefined : value
  if (typeof value !== 'string' || value.length > 2 * limit) return undefined
  try {
    return /^([0-9a-f]{2})+$/i.test(value) ? hex.decode(value.toLowerCase()) : base64.decode(value)
  } catch {
    return undefined
  }
}

/** Signature of a text in hex, base64 or bytes, and by which protocol it is; `undefined` if it has the shape of none. */
export function signatureOf(value: unknown): { bytes: Uint8Array; protocol: Protocol } | undefined {
  const bytes = bytesOf(value, LONGEST_SIGNATURE)
  if (bytes === undefined) return undefined
  const [header = 0] = bytes
  if (bytes.length === 65 && header >= 27 && header <= 42) return { bytes, protocol: 'ecdsa' }
  return witnessOf(bytes) && { bytes, protocol: 'bip322' }
}

/** Elements of a serialized witness (BIP-144), which is the whole signature of the simple form of BIP-322. */
export function witnessOf(bytes: Uint8Array): Uint8Array[] | undefined {
  const reader = new Reader(bytes)
  const count = reader.number()
  if (count === undefined || count === 0 || count > bytes.length) return undefined
  const elements: Uint8Array[] = []
  for (let index = 0; index < count; index += 1) {
    const element = reader.take(reader.number())
    if (element === undefined) return undefined
    elements.push(element)
  }
  return reader.ended ? elements : undefined
}

/** Partially signed transaction in base64, hex or bytes, with the transaction in it; `undefined` if it is none of version 0. */
export function psbtOf(value: unknown): { bytes: Uint8Array; transaction: Uint8Array } | undefined {
  const bytes = bytesOf(value, LONGEST_PSBT)
  if (bytes === undefined || MAGIC.some((byte, index) => bytes[index] !== byte)) return undefined
  const reader = new Reader(bytes.subarray(MAGIC.length))
  for (;;) {
    const key = reader.take(reader.number())
    if (key === undefined || key.length === 0) return undefined
    const transaction = reader.take(reader.number())
    if (transaction === undefined) return undefined
    if (key.length === 1 && key[0] === 0) return { bytes, transaction }
  }
}

export function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/** Reads numbers and pieces one after another. */
export class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get at(): number {
    return this.#at
  }

  get ended(): boolean {
    return this.#at === this.#bytes.length
  }

  /** Number of Bitcoin's variable length; those of nine bytes exceed any length here. */
  number(): number | undefined {
    const first = this.take(1)?.[0]
    if (first === undefined || first < 0xfd) return first
    const width = first === 0xfd ? 2 : first === 0xfe ? 4 : 0
    const bytes = width === 0 ? undefined : this.take(width)
    return bytes?.reduceRight((value, byte) => value * 256 + byte, 0)
  }

  take(length: number | undefined): Uint8Array | undefined {
    if (length === undefined || this.#at + length > this.#bytes.length) return undefined
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}
