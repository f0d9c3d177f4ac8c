//! A server of OPAQUE by RFC 9807 (ristretto255-SHA512, 3DH, HKDF, HMAC, Argon2id) over `@noble`, for tests: it shares no code with `crates/password`.

import { expand_message_xmd } from '@noble/curves/abstract/hash-to-curve'
import { hash_to_ristretto255, RistrettoPoint } from '@noble/curves/ed25519'
import { argon2id } from '@noble/hashes/argon2'
import { expand as hkdfExpand, extract as hkdfExtract } from '@noble/hashes/hkdf'
import { hmac } from '@noble/hashes/hmac'
import { sha512 } from '@noble/hashes/sha512'

type Bytes = Uint8Array

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const OPRF = 'OPRFV1-\0-ristretto255-SHA512'

const text = (words: string): Bytes => new TextEncoder().encode(words)
const concat = (...parts: readonly Bytes[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]))
const sized = (part: Bytes, width = 2): Bytes =>
  concat(
    Uint8Array.from({ length: width }, (_, at) => (part.length >> (8 * (width - 1 - at))) & 255),
    part
  )
const expand = (key: Bytes, info: Bytes, length = 64): Bytes => hkdfExpand(sha512, key, info, length)
const extract = (key: Bytes): Bytes => hkdfExtract(sha512, key, new Uint8Array())
const point = (bytes: Bytes) => RistrettoPoint.fromHex(bytes)
const times = (bytes: Bytes, scalar: bigint): Bytes => point(bytes).multiply(scalar).toRawBytes()

function number(littleEndian: Bytes): bigint {
  return littleEndian.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

/** Key pair of a seed (RFC 9497, 3.2.1). */
function deriveKeyPair(seed: Bytes, info: string): { secret: bigint; key: Bytes } {
  const input = concat(seed, sized(text(info)), Uint8Array.of(0))
  const secret = number(expand_message_xmd(input, text(`DeriveKeyPair${OPRF}`), 64, sha512)) % ORDER
  return { secret, key: RistrettoPoint.BASE.multiply(secret).toRawBytes() }
}

/** Secrets of a server, from a seed. */
export interface OpaqueServer {
  readonly oprf: bigint
  readonly secret: bigint
  readonly key: Bytes
}

export function opaqueServer(seed: Bytes): OpaqueServer {
  const { secret: oprf } = deriveKeyPair(seed, 'oprf of the test')
  return { oprf, ...deriveKeyPair(seed, 'key of the test') }
}

/** Answer to the first message of a client that sets a password. */
export function registration({ oprf, key }: OpaqueServer, request: Bytes): Bytes {
  return concat(times(request, oprf), key)
}

interface Slow {
  /** KiB */
  readonly memory: number
  readonly rounds: number
}

/** What a client has to make of a password with this server: its record but for the nonce, which it draws, and its export key. */
export function expectedOf(server: OpaqueServer, password: string, slow: Slow, nonce: Bytes) {
  const input = text(password)
  const hashed = hash_to_ristretto255(input, { DST: `HashToGroup-${OPRF}` } as never).toRawBytes()
  const output = sha512(concat(sized(input), sized(times(hashed, server.oprf)), text('Finalize')))
  const stretched = argon2id(output, new Uint8Array(16), { m: slow.memory, t: slow.rounds, p: 1, dkLen: 64 })
  const randomized = extract(concat(output, stretched))
  const of = (label: string, length?: number) => expand(randomized, concat(nonce, text(label)), length)
  const { key } = deriveKeyPair(of('PrivateKey', 32), 'OPAQUE-DeriveDiffieHellmanKeyPair')
  const tag = hmac(sha512, of('AuthKey'), concat(nonce, server.key, sized(server.key), sized(key)))
  return { record: concat(key, expand(randomized, text('MaskingKey')), nonce, tag), exportKey: of('ExportKey') }
}

/** Derive-Secret of RFC 9807, 6.4.2. */
function derived(secret: Bytes, label: string, context: Bytes): Bytes {
  return expand(secret, concat(Uint8Array.of(0, 64), sized(text(`OPAQUE-${label}`), 1), sized(context, 1)))
}

/** Answer to the first message of a client that tries a password (RFC 9807, 6.3.2 and 6.4). */
export function login(server: OpaqueServer, record: Bytes, context: string, request: Bytes, seed: Bytes): Bytes {
  const [clientKey, maskingKey, envelope] = [record.slice(0, 32), record.slice(32, 96), record.slice(96)]
  const [blinded, share] = [request.slice(0, 32), request.slice(64)]
  const [maskingNonce, nonce] = [expand(seed, text('masking'), 32), expand(seed, text('nonce'), 32)]
  const pad = expand(maskingKey, concat(maskingNonce, text('CredentialResponsePad')), 128)
  const masked = concat(server.key, envelope).map((byte, at) => byte ^ (pad[at] ?? 0))
  const credentials = concat(times(blinded, server.oprf), maskingNonce, masked)
  const own = deriveKeyPair(seed, 'OPAQUE-DeriveDiffieHellmanKeyPair')
  const before = concat(text('OPAQUEv1-'), sized(text(context)), sized(clientKey), request, sized(server.key))
  const preamble = concat(before, credentials, nonce, own.key)
  const agreed = concat(times(share, own.secret), times(share, server.secret), times(clientKey, own.secret))
  const handshake = derived(extract(agreed), 'HandshakeSecret', sha512(preamble))
  const mac = hmac(sha512, derived(handshake, 'ServerMAC', new Uint8Array()), sha512(preamble))
  return concat(credentials, nonce, own.key, mac)
}
