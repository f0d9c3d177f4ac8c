import { Auth, type AuthConfig } from '@auth/core'
import Credentials from '@auth/core/providers/credentials'
import { signedIn } from './portico.ts'

export const config: AuthConfig = {
  providers: [
    Credentials({
      credentials: { token: {} },
      async authorize({ token }) {
        const visitor = await signedIn(token)
        return visitor ? { id: visitor.account, until: visitor.until.getTime() } : null
      }
    })
  ],
  callbacks: {
    // Auth.js prolongs a session at each use: without `until` it would never end.
    jwt: ({ token, user }) => {
      const { until } = { ...token, ...user } as { until?: number }
      return Number(until) > Date.now() ? { ...token, until } : null
    },
    session: ({ session, token }) => ({ ...session, user: { id: token.sub } })
  }
}

export const handler = (request: Request): Promise<Response> =>
  Auth(request, {
    ...config,
    basePath: '/api/auth',
    secret: process.env.AUTH_SECRET ?? '',
    trustHost: true,
    // A request that came through a proxy looks like http.
    useSecureCookies: (process.env.SHOP_ORIGIN ?? '').startsWith('https:')
  })

/** Account of the visitor who sends these headers. */
export async function account(headers: Headers): Promise<string | undefined> {
  const session = await handler(new Request(new URL('/api/auth/session', process.env.SHOP_ORIGIN), { headers }))
  return (await session.json())?.user?.id
}
