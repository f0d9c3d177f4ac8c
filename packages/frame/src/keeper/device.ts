//! Keys of this device: one signs the proofs, the other encrypts the device's secret. Neither can be exported.

import type { DeviceKey } from '../generated/frame.ts'
import { encode, sha256 } from './bytes.ts'
import type { Records } from './database.ts'

/** The device's record in the database. */
interface Stored {
  readonly signing: CryptoKeyPair
  readonly sealing: CryptoKey
  readonly nonce: Uint8Array<ArrayBuffer>
  /** Secret of 32 bytes, encrypted by the sealing key. */
  readonly sealed: ArrayBuffer
}

export interface Device {
  readonly signing: CryptoKey
  /** Public key, in the order of RFC 7638. */
  readonly jwk: DeviceKey
  /** Hash of the public key (RFC 7638). */
  readonly thumbprint: string
  /** Decrypts the secret, for one command of the signer. */
  secret(): Promise<string>
}

const RECORD = 'device'
const PURPOSE = new TextEncoder().encode('portico device secret 1')

/** Reads the device, or makes it. Two tabs that make it at once agree on the one that was stored first. */
export async function readDevice(records: Records): Promise<Device> {
  const known = (await records.get(RECORD)) as Stored | undefined
  return deviceOf(known ?? ((await records.keep(RECORD, await makeDevice())) as Stored))
}

async function makeDevice(): Promise<Stored> {
  const { subtle } = crypto
  const signing = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  const sealing = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const sealed = await subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData: PURPOSE }, sealing, secret)
  secret.fill(0)
  return { signing, sealing, nonce, sealed }
}

async function deviceOf({ signing, sealing, nonce, sealed }: Stored): Promise<Device> {
  const { x, y } = await crypto.subtle.exportKey('jwk', signing.publicKey)
  if (!x || !y) throw new Error('The key of this device is not on P-256')
  const jwk = { crv: 'P-256', kty: 'EC', x, y }
  return {
    signing: signing.privateKey,
    jwk,
    thumbprint: await sha256(JSON.stringify(jwk)),
    async secret() {
      const opened = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: nonce, additionalData: PURPOSE },
        sealing,
        sealed
      )
      const text = encode(opened)
      new Uint8Array(opened).fill(0)
      return text
    }
  }
}
