//! Proofs by the device's key (RFC 9449, with a hash of the body): each is for one request.

import type { Proof, ProofHeader } from '../generated/frame.ts'
import { encode, encodeText, random, sha256 } from './bytes.ts'
import type { Device } from './device.ts'

export interface Proved {
  /** Path of the request: "/wallet/v1/me". */
  readonly path: string
  readonly body: string
  /** Access token of the session, if the request is one of it. */
  readonly access: string | undefined
  /** Time in epoch milliseconds, by the server's clock. */
  readonly now: number
}

export async function proofOf(device: Pick<Device, 'signing' | 'jwk'>, request: Proved): Promise<string> {
  const header: ProofHeader = { typ: 'dpop+jwt', alg: 'ES256', jwk: device.jwk }
  const claims: Omit<Proof, 'ath'> & { ath?: string } = {
    jti: random(16),
    htm: 'POST',
    htu: request.path,
    iat: Math.floor(request.now / 1000),
    bh: await sha256(request.body)
  }
  if (request.access !== undefined) claims.ath = await sha256(request.access)
  const signed = `${encodeText(JSON.stringify(header))}.${encodeText(JSON.stringify(claims))}`
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    device.signing,
    new TextEncoder().encode(signed)
  )
  return `${signed}.${encode(signature)}`
}
