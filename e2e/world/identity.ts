//! Services at which visitors log in: `oidc-provider`, once as any OpenID provider, once with the paths of Google, and once with those of GitHub,
//! which issues no ID tokens. Its pages are those of the package: a form that takes any name and password, then a page that asks for consent.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Services of the tests, in the words of the server's settings. */
export type ServiceWord = 'google' | 'github' | 'openid'

export interface Identities {
  /** Settings of a server that logs visitors in at the services. */
  readonly settings: string
  /** Origin of a service. */
  origin(word: ServiceWord): string
  stop(): Promise<void>
}

const CLIENT = 'portico-test'
const SECRET = 'a-secret-of-at-least-32-characters'
/** Name of the OpenID provider, as visitors read it. */
export const COMPANY = 'Example Company'

const paths: Readonly<Record<ServiceWord, object>> = {
  google: { authorization: '/o/oauth2/v2/auth', token: '/token', jwks: '/oauth2/v3/certs' },
  github: { authorization: '/login/oauth/authorize', token: '/login/oauth/access_token' },
  openid: {}
}

/** Starts the services for a wallet of this origin. */
export async function startIdentities(wallet: string): Promise<Identities> {
  const words = Object.keys(paths) as ServiceWord[]
  const services = await Promise.all(words.map((word) => startService(word, wallet)))
  const origins = new Map(words.map((word, place) => [word, services[place]?.origin ?? '']))
  return {
    settings: words
      .map((word) => {
        const own =
          word === 'openid' ? `issuer = "${origins.get(word)}"\nname = "${COMPANY}"` : `host = "${origins.get(word)}"`
        return `[wallet.social.${word}]\nclient_id = "${CLIENT}"\nclient_secret = "${SECRET}"\n${own}`
      })
      .join('\n'),
    origin: (word) => origins.get(word) ?? '',
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
    }
  }
}

async function startService(word: ServiceWord, wallet: string): Promise<{ origin: string; stop(): Promise<void> }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = quietly(
    () =>
      new Provider(origin, {
        clients: [
          {
            client_id: CLIENT,
            client_secret: SECRET,
            redirect_uris: [`${wallet}/wallet/callback/${word}`],
            token_endpoint_auth_method: 'client_secret_post'
          }
        ],
        routes: paths[word],
        scopes: ['openid', 'read:user', 'user:email'],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        // As Google does: the ID token has the name and the address.
        conformIdTokenClaims: false,
        // Services of one host name share their cookies, whatever their ports.
        cookies: {
          names: { session: `${word}_session`, interaction: `${word}_interaction`, resume: `${word}_resume` },
          keys: ['a key of the tests']
        },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
        findAccount: (_: unknown, id: string) => ({
          accountId: id,
          claims: async () => ({ sub: id, name: id, email: `${id}@example.org`, email_verified: true })
        })
      })
  )
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (word === 'github' && request.url?.startsWith('/user')) void tellUser(provider, request, response)
    else answer(request, response)
  })
  return {
    origin,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

/** Profile of GitHub: `GET /user` and `GET /user/emails`. */
async function tellUser(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = await provider.AccessToken.find(request.headers.authorization?.replace('Bearer ', '') ?? '')
  response.setHeader('content-type', 'application/json')
  if (!token) {
    response.statusCode = 401
    response.end('{"message":"Bad credentials"}')
    return
  }
  const name = token.accountId
  const id = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000_000
  const addresses = [{ email: `${name}@users.example.org`, primary: true, verified: true }]
  response.end(JSON.stringify(request.url?.startsWith('/user/emails') ? addresses : { id, login: name, name }))
}

/** The package warns that its settings are those of a test. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console
  Object.assign(console, { warn() {}, info() {} })
  try {
    return work()
  } finally {
    Object.assign(console, { warn, info })
  }
}
