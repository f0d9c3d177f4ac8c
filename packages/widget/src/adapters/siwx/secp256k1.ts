//! Signature of a key on secp256k1, loaded when a session is verified.

import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils'

/** Hash that a wallet signs for a text (EIP-191), in hex. */
export function hashOf(message: string): string {
  const text = utf8ToBytes(message)
  return bytesToHex(keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${text.length}`), text)))
}

/** Address whose key made a signature of 65 bytes, in lower-case hex; `undefined` if it is none. */
export function signerOf(hash: string, signature: string): string | undefined {
  const last = Number(`0x${signature.slice(128)}`)
  const recovery = last < 27 ? last : last - 27
  if (signature.length !== 130 || recovery > 1) return undefined
  try {
    const parts = secp256k1.Signature.fromCompact(signature.slice(0, 128))
    // Both forms of a signature recover to the same key; only the lower one is valid (EIP-2).
    if (parts.hasHighS()) return undefined
    const key = parts.addRecoveryBit(recovery).recoverPublicKey(hash).toRawBytes(false)
    return bytesToHex(keccak_256(key.subarray(1))).slice(24)
  } catch {
    return undefined
  }
}
