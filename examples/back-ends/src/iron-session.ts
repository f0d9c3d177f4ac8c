import { getIronSession } from 'iron-session'
import { signedIn } from './portico.ts'

const options = { cookieName: 'shop', password: process.env.AUTH_SECRET ?? '' }

/** Route `POST /sign-in`: takes the token once, and sets a cookie that ends with it. */
export async function signIn(request: Request): Promise<Response> {
  const visitor = await signedIn(request.headers.get('authorization'))
  if (!visitor) return Response.json({ error: 'Sign in first.' }, { status: 401 })
  const response = Response.json({ account: visitor.account })
  // A seal with a lifetime of 0 would never end.
  const ttl = Math.max(1, Math.floor((visitor.until.getTime() - Date.now()) / 1000))
  const session = await getIronSession<{ account?: string }>(request, response, { ...options, ttl })
  session.account = visitor.account
  await session.save()
  return response
}

/** Route `POST /sign-out`: deletes the cookie. */
export async function signOut(request: Request): Promise<Response> {
  const response = new Response(null, { status: 204 })
  const session = await getIronSession(request, response, options)
  session.destroy()
  return response
}

/** Route `GET /orders`: reads the cookie. */
export async function orders(request: Request): Promise<Response> {
  const { account } = await getIronSession<{ account?: string }>(request, new Response(), options)
  if (!account) return Response.json({ error: 'Sign in first.' }, { status: 401 })
  return Response.json({ account, orders: [] })
}
