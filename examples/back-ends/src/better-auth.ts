import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { handleOAuthUserInfo } from 'better-auth/oauth2'
import { signedIn } from './portico.ts'

const signIn = createAuthEndpoint('/sign-in/portico', { method: 'POST' }, async (context) => {
  const visitor = await signedIn(context.body?.token)
  if (!visitor) throw new APIError('UNAUTHORIZED', { message: 'Sign in again.' })
  const { account, address, until } = visitor
  // Better Auth asks for an address, and finds users by it: one that nobody can guess is nobody else's.
  const email = `${crypto.randomUUID()}@wallet.invalid`
  const { data } = await handleOAuthUserInfo(context, {
    account: { providerId: 'portico', accountId: account },
    userInfo: { id: account, name: address, email, emailVerified: false }
  })
  if (!data) throw new APIError('UNAUTHORIZED', { message: 'Sign in again.' })
  const session = await context.context.internalAdapter.updateSession(data.session.token, { expiresAt: until })
  if (!session) throw new APIError('INTERNAL_SERVER_ERROR', { message: 'The session has no end. Try again.' })
  await setSessionCookie(context, { user: data.user, session })
  return context.json({ account })
})

export const auth = betterAuth({
  baseURL: process.env.SHOP_ORIGIN,
  secret: process.env.AUTH_SECRET,
  database: memoryAdapter({ user: [], account: [], session: [], verification: [] }),
  session: { disableSessionRefresh: true },
  plugins: [{ id: 'portico', endpoints: { signIn } }]
})

/** Account of the visitor who sends these headers. The name of the user proves nothing: a visitor can change it. */
export async function account(headers: Headers): Promise<string | undefined> {
  if (!(await auth.api.getSession({ headers }))) return undefined
  const accounts = await auth.api.listUserAccounts({ headers })
  return accounts.find(({ providerId }) => providerId === 'portico')?.accountId
}
