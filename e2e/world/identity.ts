//! Services at which visitors log in: `oidc-provider`, once as any OpenID provider, and once with the paths of each service that the server
//! knows by name. Its pages are those of the package: a form that takes any name and password, then a page that asks for consent. What a service
//! does in its own way is added here: profiles of those without ID tokens, and Apple's signed secrets.

import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Services of the tests, in the words of the server's settings. */
export type ServiceWord = 'google' | 'apple' | 'github' | 'facebook' | 'x' | 'discord' | 'openid'

export interface Identities {
  /** Settings of a server that logs visitors in at the services. */
  readonly settings: string
  /** Origin of a service. */
  origin(word: ServiceWord): string
  stop(): Promise<void>
}

/** Client of the server at each service. */
export const CLIENT = 'portico-test'
export const SECRET = 'a-secret-of-at-least-32-characters'
/** Name of the OpenID provider, as visitors read it. */
export const COMPANY = 'Example Company'

/** Paths of a service, by the names of the package's settings. */
const paths: Readonly<Record<ServiceWord, object>> = {
  google: { authorization: '/o/oauth2/v2/auth', token: '/token', jwks: '/oauth2/v3/certs' },
  apple: { authorization: '/auth/authorize', token: '/auth/token', jwks: '/auth/keys' },
  github: { authorization: '/login/oauth/authorize', token: '/login/oauth/access_token' },
  facebook: { authorization: '/v21.0/dialog/oauth', token: '/v21.0/oauth/access_token' },
  x: { authorization: '/i/oauth2/authorize', token: '/2/oauth2/token' },
  discord: { authorization: '/oauth2/authorize', token: '/api/oauth2/token' },
  openid: {}
}

/** Profiles of the services without ID tokens, by their paths. */
const profiles: Readonly<Partial<Record<ServiceWord, Readonly<Record<string, (name: string) => object>>>>> = {
  github: {
    '/user': (name) => ({ id: numberOf(name), login: name, name }),
    '/user/emails': (name) => [{ email: `${name}@users.example.org`, primary: true, verified: true }]
  },
  facebook: { '/v21.0/me': (name) => ({ id: String(numberOf(name)), name }) },
  x: { '/2/users/me': (name) => ({ data: { id: String(numberOf(name)), username: name } }) },
  discord: {
    '/api/users/@me': (name) => ({
      id: String(numberOf(name)),
      username: name,
      email: `${name}@example.org`,
      verified: true
    })
  }
}

const numberOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000_000

/** Team and key of a developer at Apple. */
const APPLE = { team: 'TEAM000001', key: 'KEY0000001' }

/** Starts the services for a wallet of this origin. */
export async function startIdentities(wallet: string): Promise<Identities> {
  const words = Object.keys(paths) as ServiceWord[]
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const services = await Promise.all(words.map((word) => startService(word, wallet, publicKey)))
  const origins = new Map(words.map((word, place) => [word, services[place]?.origin ?? '']))
  return {
    settings: settingsOf(origins, privateKey),
    origin: (word) => origins.get(word) ?? '',
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
    }
  }
}

/** Settings of a server that logs visitors in at services of these origins, with the developer's key at Apple. */
export function settingsOf(origins: ReadonlyMap<ServiceWord, string>, developer: KeyObject): string {
  const pem = String(developer.export({ type: 'pkcs8', format: 'pem' }))
    .trim()
    .replaceAll('\n', '\\n')
  const settings = [...origins].map(([word, origin]) => {
    const own = word === 'openid' ? `issuer = "${origin}"\nname = "${COMPANY}"` : `host = "${origin}"`
    const secret =
      word === 'apple'
        ? `team_id = "${APPLE.team}"\nkey_id = "${APPLE.key}"\nkey = '${pem}'`
        : `client_secret = "${SECRET}"`
    return `[wallet.social.${word}]\nclient_id = "${CLIENT}"\n${secret}\n${own}`
  })
  return settings.join('\n')
}

async function startService(
  word: ServiceWord,
  wallet: string,
  apple: KeyObject
): Promise<{ origin: string; stop(): Promise<void> }> {
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
            token_endpoint_auth_method: word === 'x' ? 'client_secret_basic' : 'client_secret_post'
          }
        ],
        routes: paths[word],
        scopes: ['openid', 'name', 'read:user', 'user:email', 'public_profile', 'users.read', 'tweet.read', 'identify'],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        // As Google and Apple do: the ID token has the address, and Google's the name.
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
    const path = new URL(request.url ?? '/', origin).pathname
    const profile = profiles[word]?.[path]
    if (profile) void tellUser(provider, profile, request, response)
    else if (word === 'apple' && path === '/auth/token') void exchange(request, response)
    else answer(request, response)
  })
  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await textOf(request))
    const good = isSecretOf(form.get('client_secret') ?? '', apple, origin)
    form.set('client_secret', good ? SECRET : 'wrong')
    answer(Object.assign(request, { body: Object.fromEntries(form) }), response)
  }
  return {
    origin,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

/** Profile of the person who owns the access token. */
async function tellUser(
  provider: Provider,
  profile: (name: string) => object,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const token = await provider.AccessToken.find(request.headers.authorization?.replace('Bearer ', '') ?? '')
  response.setHeader('content-type', 'application/json')
  response.statusCode = token ? 200 : 401
  response.end(JSON.stringify(token ? profile(token.accountId) : { message: 'Bad credentials' }))
}

/**
 * Whether a secret is one that Apple takes: a token signed by the developer's key for this service
 * (<https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret>).
 */
function isSecretOf(secret: string, key: KeyObject, audience: string): boolean {
  const [head = '', body = '', signature = ''] = secret.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url')
  )
  if (!signed) return false
  const { iss, aud, sub, exp } = read(body)
  const { alg, kid } = read(head)
  const names = alg === 'ES256' && kid === APPLE.key && iss === APPLE.team && aud === audience && sub === CLIENT
  return names && Number(exp) * 1000 > Date.now()
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
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
