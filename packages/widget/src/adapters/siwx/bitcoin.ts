//! Signatures of texts by Bitcoin keys, loaded when a session is verified.

import { schnorr, secp256k1 } from '@noble/curves/secp256k1'
import { ripemd160 } from '@noble/hashes/legacy'
import { sha256 } from '@noble/hashes/sha2'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils'
import { addressOf, type BitcoinAddress, isOn } from '../bitcoin/address.ts'
import { same, signatureOf, witnessOf } from '../bitcoin/bytes.ts'
import { chainOf } from '../bitcoin/chains.ts'

/** Whether the key of an address on a network, by its CAIP-2 id, signed a text. The signature is hex or base64. */
export function isSignedBy(message: string, account: string, chainId: string, signature: string): boolean {
  const [address, chain, signed] = [addressOf(account), chainOf(chainId), signatureOf(signature)]
  if (!address || !chain || !signed || !isOn(address, chain)) return false
  try {
    return signed.protocol === 'ecdsa'
      ? isRecovered(message, address, signed.bytes)
      : isWitness(message, address, witnessOf(signed.bytes) ?? [])
  } catch {
    // No point of the curve, or no encoding of a signature.
    return false
  }
}

const hash256 = (bytes: Uint8Array) => sha256(sha256(bytes))
const hash160 = (bytes: Uint8Array) => ripemd160(sha256(bytes))

/** Whether the key that is recovered from a signature has this address. Wallets do not agree on the header's kind of address (BIP-137). */
function isRecovered(message: string, address: BitcoinAddress, bytes: Uint8Array): boolean {
  const [header = 0] = bytes
  const text = utf8ToBytes(message)
  const hash = hash256(concatBytes(utf8ToBytes('\x18Bitcoin Signed Message:\n'), length(text.length), text))
  const parts = secp256k1.Signature.fromCompact(bytes.subarray(1))
  // Both forms of a signature recover to the same key; only the lower one is standard.
  if (parts.hasHighS()) return false
  const point = parts.addRecoveryBit((header - 27) & 3).recoverPublicKey(hash)
  return isOfKey(address, point.toRawBytes(header >= 31))
}

/** Whether an address is of a key. One in the long form has no address of SegWit. */
function isOfKey({ kind, hash }: BitcoinAddress, key: Uint8Array): boolean {
  const own = hash160(key)
  if (kind === 'p2pkh') return same(own, hash)
  if (key.length !== 33) return false
  if (kind === 'p2wpkh') return same(own, hash)
  return kind === 'p2sh' && same(hash160(concatBytes(Uint8Array.of(0, 20), own)), hash)
}

/** Whether a witness spends the virtual output of a text (BIP-322). */
function isWitness(message: string, address: BitcoinAddress, witness: readonly Uint8Array[]): boolean {
  const [signature, key] = witness
  if (signature === undefined) return false
  const output = concatBytes(new Uint8Array(8), vector(scriptOf(address)))
  const proof = tagged('BIP0322-signed-message', utf8ToBytes(message))
  const toSpend = concatBytes(
    number(0),
    Uint8Array.of(1),
    new Uint8Array(32),
    number(0xffffffff),
    vector(concatBytes(Uint8Array.of(0, 32), proof)),
    number(0),
    Uint8Array.of(1),
    output,
    number(0)
  )
  const outpoint = concatBytes(hash256(toSpend), number(0))
  if (address.kind === 'p2tr')
    return witness.length === 1 && isTaprootSignature(signature, address.hash, outpoint, scriptOf(address))
  return (
    witness.length === 2 && key !== undefined && isOfKey(address, key) && isSegwitSignature(signature, key, outpoint)
  )
}

/** Output of `to_sign`: no amount, and `OP_RETURN`. */
const RETURN = concatBytes(new Uint8Array(8), Uint8Array.of(1, 0x6a))

/** ECDSA over the one input of `to_sign` (BIP-143), for everything that is signed. */
function isSegwitSignature(signature: Uint8Array, key: Uint8Array, outpoint: Uint8Array): boolean {
  if (signature.at(-1) !== 1) return false
  const script = concatBytes(Uint8Array.of(0x76, 0xa9, 20), hash160(key), Uint8Array.of(0x88, 0xac))
  const hash = hash256(
    concatBytes(
      number(0),
      hash256(outpoint),
      hash256(number(0)),
      outpoint,
      vector(script),
      new Uint8Array(8),
      number(0),
      hash256(RETURN),
      number(0),
      number(1)
    )
  )
  return secp256k1.verify(signature.subarray(0, -1), hash, key, { lowS: true, format: 'der' })
}

/** Schnorr over the one input of `to_sign` (BIP-341), for everything that is signed, said or unsaid. */
function isTaprootSignature(signature: Uint8Array, key: Uint8Array, outpoint: Uint8Array, script: Uint8Array): boolean {
  const type = signature.length === 65 ? signature[64] : 0
  if (signature.length < 64 || signature.length > 65 || (signature.length === 65 && type !== 1)) return false
  const hash = tagged(
    'TapSighash',
    concatBytes(
      Uint8Array.of(0, type ?? 0),
      number(0),
      number(0),
      sha256(outpoint),
      sha256(new Uint8Array(8)),
      sha256(vector(script)),
      sha256(number(0)),
      sha256(RETURN),
      Uint8Array.of(0),
      number(0)
    )
  )
  return schnorr.verify(signature.subarray(0, 64), hash, key)
}

function scriptOf({ kind, hash }: BitcoinAddress): Uint8Array {
  switch (kind) {
    case 'p2pkh':
      return concatBytes(Uint8Array.of(0x76, 0xa9, 20), hash, Uint8Array.of(0x88, 0xac))
    case 'p2sh':
      return concatBytes(Uint8Array.of(0xa9, 20), hash, Uint8Array.of(0x87))
    default:
      return concatBytes(Uint8Array.of(kind === 'p2tr' ? 0x51 : 0, hash.length), hash)
  }
}

function tagged(name: string, bytes: Uint8Array): Uint8Array {
  const tag = sha256(utf8ToBytes(name))
  return sha256(concatBytes(tag, tag, bytes))
}

/** Bytes after their length. */
function vector(bytes: Uint8Array): Uint8Array {
  return concatBytes(length(bytes.length), bytes)
}

/** Length in Bitcoin's form. */
function length(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value)
  const wide = value > 0xffff
  return concatBytes(Uint8Array.of(wide ? 0xfe : 0xfd), number(value).subarray(0, wide ? 4 : 2))
}

/** Number of four bytes, the lowest first. */
function number(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}
