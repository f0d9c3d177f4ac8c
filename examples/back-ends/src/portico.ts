import { createRemoteJWKSet, jwtVerify } from 'jose'

const { PORTICO_URL = '', PORTICO_PROJECT = '', PORTICO_SECRET, SHOP_ORIGIN = '' } = process.env
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', PORTICO_URL))

/** Ended sessions, as read at a time of this process. */
let list = { readAt: Number.NEGATIVE_INFINITY, ids: new Set<unknown>(), completeFrom: 0 }
let reading: Promise<typeof list> | undefined

/** Visitor who signed in on our page with this token, or `Bearer` and the token; `undefined` if the token proves no such sign-in. */
export async function signedIn(sent: unknown): Promise<{ account: string; address: string; until: Date } | undefined> {
  const rules = { issuer: PORTICO_URL, audience: PORTICO_PROJECT || [], algorithms: ['ES256'] }
  const token = String(sent).replace(/^Bearer /, '')
  const claims = (await jwtVerify(token, keys, rules).catch(() => undefined))?.payload ?? {}
  const { sub = '', exp = 0, iat = 0, jti, uri } = claims
  if (typeof uri !== 'string' || new URL(uri).origin !== SHOP_ORIGIN) return undefined
  if (!(await isOpen(token, jti, iat))) return undefined
  return { account: sub, address: sub.split(':')[2] ?? '', until: new Date(exp * 1000) }
}

/** Whether nobody ended the session, by a list that is at most ten seconds old, or a minute while the server does not answer. */
async function isOpen(token: string, jti: unknown, iat: number): Promise<boolean> {
  if (performance.now() - list.readAt > 10_000) {
    reading ??= readList().finally(() => {
      reading = undefined
    })
    list = await reading.catch(() => list)
  }
  if (performance.now() - list.readAt > 60_000) return false
  if (iat >= list.completeFrom) return !list.ids.has(jti)
  const project = { 'x-project-id': PORTICO_PROJECT, ...(PORTICO_SECRET && { 'x-project-secret': PORTICO_SECRET }) }
  const headers = { authorization: `Bearer ${token}`, origin: SHOP_ORIGIN, ...project }
  const answer = fetch(new URL('/auth/v1/me', PORTICO_URL), { headers, signal: AbortSignal.timeout(3000) })
  return (await answer.catch(() => undefined))?.ok ?? false
}

async function readList(): Promise<typeof list> {
  const readAt = performance.now()
  const from = new URL(`/auth/v1/revoked/${PORTICO_PROJECT}`, PORTICO_URL)
  const answer = await fetch(from, { cache: 'no-store', signal: AbortSignal.timeout(3000) })
  const { revoked, completeFrom } = await answer.json()
  return { readAt, ids: new Set(revoked.map(({ jti }: { jti: string }) => jti)), completeFrom }
}
