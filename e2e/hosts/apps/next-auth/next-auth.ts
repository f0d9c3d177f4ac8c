import { getServerSession, type NextAuthOptions } from 'next-auth'
import { encode } from 'next-auth/jwt'
import Credentials from 'next-auth/providers/credentials'
import { signedIn } from './portico.ts'

declare module 'next-auth' {
  interface User {
    until?: number
  }
  interface Session {
    account?: string | undefined
  }
}
declare module 'next-auth/jwt' {
  interface JWT {
    until?: number | undefined
  }
}

export const options: NextAuthOptions = {
  providers: [
    Credentials({
      credentials: { token: {} },
      async authorize(credentials) {
        const visitor = await signedIn(credentials?.token)
        return visitor ? { id: visitor.account, until: visitor.until.getTime() } : null
      }
    })
  ],
  jwt: {
    // next-auth prolongs a session at each use: without `until` it would never end.
    encode(session) {
      const until = session.token?.until
      return encode(until ? { ...session, maxAge: Math.floor((until - Date.now()) / 1000) } : session)
    }
  },
  callbacks: {
    jwt: ({ token, user }) => (user ? { ...token, until: user.until } : token),
    session: ({ session, token }) => ({ ...session, account: token.sub })
  }
}

/** Account of the visitor who sent the request, in route handlers, server components and server actions. */
export async function account(): Promise<string | undefined> {
  return (await getServerSession(options))?.account
}
