//! Addresses of Polkadot: SS58, base58 of a network's prefix, an account id and a checksum
//! (https://docs.polkadot.com/reference/parachains/accounts/).

import { blake2b } from '@noble/hashes/blake2'
import { base58 } from '@scure/base'

/** Length of an account id in bytes: the public key of sr25519 and ed25519. */
const ID_LENGTH = 32

const CHECKSUM_LENGTH = 2

/** Lengths of an address of 32 bytes in base58, with a prefix of one or two bytes. */
const [SHORTEST, LONGEST] = [46, 50]

/** First prefix that takes two bytes. */
const TWO_BYTES = 64

/** Largest prefix: 14 bits. */
const MOST = 16_383

/** Account id of 32 bytes in an address of any network, verified by its checksum; `undefined` for any other text. */
export function accountIdOf(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length < SHORTEST || text.length > LONGEST) return undefined
  let bytes: Uint8Array
  try {
    bytes = base58.decode(text)
  } catch {
    return undefined
  }
  const [first = 0] = bytes
  const start = first < TWO_BYTES ? 1 : 2
  if (first >= 2 * TWO_BYTES || bytes.length !== start + ID_LENGTH + CHECKSUM_LENGTH) return undefined
  const body = bytes.subarray(0, start + ID_LENGTH)
  const [one, two] = checksumOf(body)
  return bytes.at(-2) === one && bytes.at(-1) === two ? body.slice(start) : undefined
}

/** Address of an account id on the network with this prefix. */
export function addressOf(id: Uint8Array, prefix: number): string {
  const start =
    prefix < TWO_BYTES ? [prefix] : [TWO_BYTES | ((prefix & 0b1111_1100) >> 2), (prefix >> 8) | ((prefix & 0b11) << 6)]
  const body = Uint8Array.of(...start, ...id)
  return base58.encode(Uint8Array.of(...body, ...checksumOf(body).subarray(0, CHECKSUM_LENGTH)))
}

export function isPrefix(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST
}

function checksumOf(body: Uint8Array): Uint8Array {
  return blake2b(Uint8Array.of(...new TextEncoder().encode('SS58PRE'), ...body))
}
