//! Addresses of Polkadot: SS58, base58 of a network's prefix, an account id and a checksum
//! (https://docs.polkadot.com/reference/parachains/accounts/).

import { blake2b } from '@noble/hashes/blake2'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Length of an account id in bytes: the public key of sr25519 and ed25519. */
const ID_LENGTH = 32

const CHECKSUM_LENGTH = 2

/** Lengths of an address of 32 bytes in base58, with a prefix of one or two bytes. */
const [SHORTEST, LONGEST] = [46, 50]

/** First prefix that takes two bytes. */
const TWO_BYTES = 64

/** Account id of 32 bytes in an address of any network, verified by its checksum; `undefined` for any other text. */
export function accountIdOf(text: unknown): Uint8Array | undefined {
  return readAddress(text)?.id
}

/** Account id and SS58 prefix in an address, verified by its checksum. Each account has one address for a prefix. */
export function readAddress(text: unknown): { readonly id: Uint8Array; readonly prefix: number } | undefined {
  if (typeof text !== 'string' || text.length < SHORTEST || text.length > LONGEST) return undefined
  const bytes = decode(text)
  if (bytes === undefined) return undefined
  const [first = 0, second = 0] = bytes
  const start = first < TWO_BYTES ? 1 : 2
  const prefix = start === 1 ? first : ((first & 0b11_1111) << 2) | (second >> 6) | ((second & 0b11_1111) << 8)
  if (first >= 2 * TWO_BYTES || bytes.length !== start + ID_LENGTH + CHECKSUM_LENGTH) return undefined
  // A smaller prefix has the shorter spelling alone.
  if (start === 2 && prefix < TWO_BYTES) return undefined
  const body = bytes.subarray(0, start + ID_LENGTH)
  const [one, two] = checksumOf(body)
  return bytes.at(-2) === one && bytes.at(-1) === two ? { id: body.slice(start), prefix } : undefined
}

/** Address of an account id on the network with this prefix. */
export function addressOf(id: Uint8Array, prefix: number): string {
  const start =
    prefix < TWO_BYTES ? [prefix] : [TWO_BYTES | ((prefix & 0b1111_1100) >> 2), (prefix >> 8) | ((prefix & 0b11) << 6)]
  const body = Uint8Array.of(...start, ...id)
  return encode(Uint8Array.of(...body, ...checksumOf(body).subarray(0, CHECKSUM_LENGTH)))
}

/** Bytes of a text in base58: each 1 at its start is a zero byte. */
function decode(text: string): Uint8Array | undefined {
  let number = 0n
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  const bytes: number[] = []
  for (; number > 0n; number >>= 8n) bytes.unshift(Number(number & 0xffn))
  const zeros = text.length - text.replace(/^1+/, '').length
  return Uint8Array.of(...new Uint8Array(zeros), ...bytes)
}

function encode(bytes: Uint8Array): string {
  let number = bytes.reduce((whole, byte) => (whole << 8n) | BigInt(byte), 0n)
  let text = ''
  for (; number > 0n; number /= 58n) text = ALPHABET.charAt(Number(number % 58n)) + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

function checksumOf(body: Uint8Array): Uint8Array {
  return blake2b(Uint8Array.of(...new TextEncoder().encode('SS58PRE'), ...body))
}
