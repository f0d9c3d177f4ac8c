import { createRemoteJWKSet, jwtVerify } from 'jose'

const { PORTICO_URL = '', PORTICO_PROJECT, SHOP_ORIGIN } = process.env
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', PORTICO_URL))

/** Visitor who signed in on our page with this token, or `Bearer` and the token; `undefined` if the token proves no such sign-in. */
export async function signedIn(sent: unknown): Promise<{ account: string; address: string; until: Date } | undefined> {
  const rules = { issuer: PORTICO_URL, audience: PORTICO_PROJECT ?? [], algorithms: ['ES256'] }
  const token = String(sent).replace(/^Bearer /, '')
  const { sub = '', exp = 0, uri } = (await jwtVerify(token, keys, rules).catch(() => undefined))?.payload ?? {}
  if (typeof uri !== 'string' || new URL(uri).origin !== SHOP_ORIGIN) return undefined
  return { account: sub, address: sub.split(':')[2] ?? '', until: new Date(exp * 1000) }
}
