//! Server of a host with accounts of its own: it signs tokens that say who the visitor is.

import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Shop {
  /** Settings of a server that takes its tokens. */
  readonly settings: string
  /** Token for a customer; `more` are further claims. */
  token(customer: string, more?: object): string
  stop(): void
}

const AUDIENCE = 'portico-test'

export async function startShop(): Promise<Shop> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    settings: `[[wallet.jwt]]\nissuer = "${origin}"\naudience = "${AUDIENCE}"\njwks_url = "${origin}/jwks.json"`,
    token(customer, more) {
      const now = Math.floor(Date.now() / 1000)
      const claims = { iss: origin, aud: AUDIENCE, sub: customer, iat: now, exp: now + 60, name: customer, ...more }
      const text = `${encode({ alg: 'ES256', kid: 'one' })}.${encode(claims)}`
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${text}.${signature.toString('base64url')}`
    },
    stop() {
      server.closeAllConnections()
      server.close()
    }
  }
}
