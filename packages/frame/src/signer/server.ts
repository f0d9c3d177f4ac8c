//! The server's side of a release, for tests: HPKE (RFC 9180) by Node's own cryptography, which shares no code with the signer.

import { createCipheriv, createHmac, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'

const KEM = Buffer.from('KEM\x00\x20', 'latin1')
const SUITE = Buffer.from('HPKE\x00\x20\x00\x01\x00\x03', 'latin1')

/** Shares of a release in bytes. */
export interface Shares {
  recovery: Uint8Array | null
  device: Uint8Array
}

export const text64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** Seals shares to a key of the signer, as the vault does. */
export function release(key: string, user: string, thumbprint: string, shares: Shares) {
  const receiver = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x: key } })
  const own = generateKeyPairSync('x25519')
  const enc = Buffer.from(own.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: receiver })
  const context = Buffer.concat([enc, Buffer.from(key, 'base64url')])
  const secret = expand(KEM, extract(KEM, '', 'eae_prk', shared), 'shared_secret', context, 32)
  const info = extract(SUITE, '', 'info_hash', Buffer.from('portico release 1'))
  const schedule = Buffer.concat([Buffer.of(0), extract(SUITE, '', 'psk_id_hash', Buffer.of()), info])
  const root = extract(SUITE, secret, 'secret', Buffer.of())
  const cipher = createCipheriv(
    'chacha20-poly1305',
    expand(SUITE, root, 'key', schedule, 32),
    expand(SUITE, root, 'base_nonce', schedule, 12),
    { authTagLength: 16 }
  )
  const plain = JSON.stringify({
    recovery: shares.recovery && text64(shares.recovery),
    device: text64(shares.device)
  })
  cipher.setAAD(Buffer.from(`${user} ${thumbprint}`), { plaintextLength: plain.length })
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return { enc: text64(enc), ciphertext: text64(Buffer.concat([sealed, cipher.getAuthTag()])) }
}

function extract(suite: Uint8Array, salt: string | Uint8Array, label: string, ikm: Uint8Array): Buffer {
  return createHmac('sha256', salt).update('HPKE-v1').update(suite).update(label).update(ikm).digest()
}

/** One block of HKDF-Expand is enough for all that HPKE derives here. */
function expand(suite: Uint8Array, root: Uint8Array, label: string, info: Uint8Array, length: number): Buffer {
  const head = Buffer.of(0, length)
  const hmac = createHmac('sha256', root).update(head).update('HPKE-v1').update(suite).update(label).update(info)
  return hmac.update(Buffer.of(1)).digest().subarray(0, length)
}
