//! Signatures of texts and bytes by Polkadot keys, loaded when a session is verified or an extension signs.

import { secp256k1 } from '@noble/curves/secp256k1'
import { blake2b } from '@noble/hashes/blake2'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils'
import { verify } from '@scure/sr25519'
import { same } from '../bitcoin/bytes.ts'
import { readAddress } from '../polkadot/address.ts'
import { mayHave } from '../polkadot/chains.ts'
import { isSigned } from './ed25519.ts'

/** Kinds of keys by the byte that wallets may write before a signature (`MultiSignature`). */
const [ED25519, SR25519, ECDSA] = [0, 1, 2]

/** Whether the account of an address on a network, by its CAIP-2 id, signed a text. The signature is `0x` and hex, with or without its kind. */
export function isSignedBy(message: string, account: string, chainId: string, signature: string): boolean {
  const address = readAddress(account)
  if (address === undefined || !mayHave(chainId, address.prefix)) return false
  return isOfAccount(address.id, utf8ToBytes(message), signature)
}

/** Whether the account with this id signed bytes. */
export function isOfAccount(account: Uint8Array, bytes: Uint8Array, signature: string): boolean {
  if (!/^0x([0-9a-f]{2}){64,66}$/i.test(signature)) return false
  const parts = hexToBytes(signature.slice(2))
  // Extensions wrap what is not a transaction; other wallets sign the bytes alone.
  const wrapped = concatBytes(utf8ToBytes('<Bytes>'), bytes, utf8ToBytes('</Bytes>'))
  return [bytes, wrapped].some((text) => isOfKey(account, text, parts))
}

function isOfKey(account: Uint8Array, text: Uint8Array, signature: Uint8Array): boolean {
  const [kind, rest] = [signature[0], signature.subarray(1)]
  switch (signature.length) {
    case 64:
      return isSr25519(account, text, signature) || isEd25519(account, text, signature)
    case 65:
      // An ecdsa signature without its kind may begin like the other two.
      return (
        (kind === ED25519 && isEd25519(account, text, rest)) ||
        (kind === SR25519 && isSr25519(account, text, rest)) ||
        isEcdsa(account, text, signature)
      )
    default:
      return kind === ECDSA && isEcdsa(account, text, rest)
  }
}

/** The library refuses the account of zeros, for which anybody can sign. */
const isSr25519 = (account: Uint8Array, text: Uint8Array, signature: Uint8Array) =>
  safely(() => verify(text, signature, account))

const isEd25519 = (account: Uint8Array, text: Uint8Array, signature: Uint8Array) =>
  safely(() => isSigned(text, account, signature))

/** Whether the key that is recovered from a signature is that of the account, which is its hash. */
function isEcdsa(account: Uint8Array, text: Uint8Array, signature: Uint8Array): boolean {
  return safely(() => {
    const parts = secp256k1.Signature.fromCompact(signature.subarray(0, 64))
    // Both forms of a signature recover to the same key; only the lower one is standard.
    if (parts.hasHighS()) return false
    const key = parts.addRecoveryBit(signature[64] ?? 0).recoverPublicKey(hash256(text))
    return same(hash256(key.toRawBytes(true)), account)
  })
}

const hash256 = (bytes: Uint8Array) => blake2b(bytes, { dkLen: 32 })

/** Result of a check; none where the bytes are no point or number of the curve, for which the libraries throw. */
function safely(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
