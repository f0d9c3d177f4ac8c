import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { MemoryRecords } from '../testing/records.ts'
import { readDevice } from './device.ts'
import { proofOf } from './proof.ts'

const decoded = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

it('a proof is a JWS that its own public key verifies, over path, time, body and token', async () => {
  const device = await readDevice(new MemoryRecords())
  const request = { path: '/wallet/v1/me', body: '{"a":1}', access: 'token', now: 1_700_000_000_999 }
  const [header = '', claims = '', signature = ''] = (await proofOf(device, request)).split('.')
  const { typ, alg, jwk } = decoded(header)
  expect([typ, alg]).toEqual(['dpop+jwt', 'ES256'])
  expect(decoded(claims)).toEqual({
    jti: expect.stringMatching(/^[\w-]{22}$/),
    htm: 'POST',
    htu: '/wallet/v1/me',
    iat: 1_700_000_000,
    bh: hash('{"a":1}'),
    ath: hash('token')
  })
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])
  const bytes = Buffer.from(signature, 'base64url')
  const verify = (text: string) =>
    crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes, new TextEncoder().encode(text))
  expect(bytes).toHaveLength(64)
  expect(await verify(`${header}.${claims}`)).toBe(true)
  expect(await verify(`${header}.${claims}x`)).toBe(false)
})

it('two proofs of one request have two ids, and without a session there is no hash of a token', async () => {
  const device = await readDevice(new MemoryRecords())
  const request = { path: '/wallet/v1/login/email', body: '{}', access: undefined, now: 0 }
  const claims = async () => decoded((await proofOf(device, request)).split('.')[1] ?? '')
  const [first, second] = [await claims(), await claims()]
  expect(first.jti).not.toBe(second.jti)
  expect('ath' in first).toBe(false)
})

it('no key of the device can be exported, and its secret stands encrypted in the database', async () => {
  const records = new MemoryRecords()
  const device = await readDevice(records)
  const stored = records.all.get('device') as { signing: CryptoKeyPair; sealing: CryptoKey; sealed: ArrayBuffer }
  await expect(crypto.subtle.exportKey('jwk', stored.signing.privateKey)).rejects.toThrow()
  await expect(crypto.subtle.exportKey('raw', stored.sealing)).rejects.toThrow()
  const secret = Buffer.from(await device.secret(), 'base64url')
  expect(secret).toHaveLength(32)
  expect(Buffer.from(stored.sealed).includes(secret)).toBe(false)
})

it('a device is made once: its thumbprint is the hash of its key (RFC 7638), and two tabs agree on it', async () => {
  const records = new MemoryRecords()
  const [first, second] = await Promise.all([readDevice(records), readDevice(records)])
  expect(first.thumbprint).toBe(second.thumbprint)
  const { x, y } = first.jwk
  expect(first.thumbprint).toBe(hash(`{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`))
  expect(await (await readDevice(records)).secret()).toBe(await first.secret())
})
