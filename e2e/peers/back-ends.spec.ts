//! Back ends of hosts trust a sign-in at the server, and nothing else: those of `examples/back-ends`, which `docs/guides/sign-in` shows.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type Account,
  type BackEnds,
  cookiesOf,
  signInAtBetterAuth,
  startAxum,
  startBackEnds
} from './world/back-ends.ts'
import { BLOG, SHOP, type SignInServer, startSignInServer, visitor } from './world/sign-in.ts'

const ACCOUNT = `eip155:1:${visitor.address}`
const STATELESS = ['express', 'hono', 'next', 'axum'] as const
const SESSIONS = ['auth-js', 'better-auth', 'iron-session'] as const

/** Back ends in this process, whose clocks and requests these tests change. */
const LOCAL = ['express', 'hono', 'next', ...SESSIONS] as const

const SECOND = 1000
const MINUTE = 60 * SECOND

/** The back end in Rust has a clock of its own: it reads its copies again after ten seconds, and the server's own copy is up to a second old. */
const PATIENCE_OF_AXUM = { timeout: 15 * SECOND, interval: SECOND / 4 }

let server: SignInServer
let backEnds: BackEnds
let ahead = 0

beforeAll(async () => {
  server = await startSignInServer()
  backEnds = await startBackEnds(server)
  // Auth.js logs each refusal.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const clock = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + ahead)
})

afterEach(() => {
  vi.useRealTimers()
  vi.mocked(fetch).mockRestore?.()
})

afterAll(async () => {
  await backEnds?.stop()
  await server?.stop()
})

type Name = (typeof STATELESS)[number] | (typeof SESSIONS)[number]

/** Account whose orders the back end lists to a page with this token; `undefined` if it refuses. */
async function listed(name: Name, token: string | undefined): Promise<Account> {
  if (name === 'express' || name === 'hono' || name === 'next' || name === 'axum')
    return backEnds.stateless[name](token)
  return (await backEnds.sessions[name](token))?.()
}

async function answers(token: string | undefined, names: readonly Name[]): Promise<Record<string, Account>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await listed(name, token)] as const)))
}

const all = (names: readonly Name[], account: Account) => Object.fromEntries(names.map((name) => [name, account]))

const parts = (token: string) => token.split('.') as [string, string, string]
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Sets the time of this process, and so of all back ends but axum. */
function later(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
}

/** Lets this much time pass on the clock by which back ends measure the age of their list. It never goes back. */
function pass(milliseconds: number): void {
  ahead += milliseconds
}

/** Answers the back ends that read the list with this. */
function list(answer: () => Response): void {
  const send = fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (asked, init) =>
    String(asked).includes('/auth/v1/revoked/') ? answer() : send(asked, init)
  )
}

describe.each([...STATELESS, ...SESSIONS])('%s', (name) => {
  it('spec_3_17_lists_the_orders_of_the_account_that_signed_in', async () => {
    expect(await listed(name, await server.signIn())).toBe(ACCOUNT)
  })

  it.each<[string, (good: string) => string | undefined | Promise<string>]>([
    ['no token', () => undefined],
    ['an empty token', () => ''],
    ['a text that is no token', () => 'a.b.c'],
    ['a token of another project', () => server.signIn({ project: 'other' })],
    ['a token of another page of the project', () => server.signIn({ page: BLOG })],
    ['a changed signature', (good) => parts(good).with(2, parts(good)[2].split('').reverse().join('')).join('.')],
    [
      'the signature of other claims',
      (good) =>
        parts(good)
          .with(1, encoded({ ...decoded(parts(good)[1]), sub: 'eip155:1:0x0' }))
          .join('.')
    ],
    ['no signature', (good) => parts(good).with(2, '').join('.')],
    ['the algorithm none', (good) => `${encoded({ alg: 'none', typ: 'JWT' })}.${parts(good)[1]}.`],
    [
      'the public key as a secret of HS256',
      async (good) => {
        const { keys } = await (await fetch(`${server.url}/.well-known/jwks.json`)).json()
        const secret = new TextEncoder().encode(JSON.stringify(keys[0]))
        const { kid } = decoded(parts(good)[0])
        return new SignJWT(decoded(parts(good)[1])).setProtectedHeader({ alg: 'HS256', kid }).sign(secret)
      }
    ],
    [
      'a key of its own in the head',
      async (good) => {
        const { privateKey, publicKey } = await generateKeyPair('ES256')
        const head = { ...decoded(parts(good)[0]), jwk: await exportJWK(publicKey) }
        return new SignJWT(decoded(parts(good)[1])).setProtectedHeader(head).sign(privateKey)
      }
    ]
  ])('refuses %s', async (_, forge) => {
    expect(await listed(name, await forge(await server.signIn()))).toBeUndefined()
  })
})

it('a_token_is_refused_from_its_end_on', async () => {
  const token = await server.signIn({ expirationTime: new Date(Date.now() + 2 * SECOND) })
  const patience = { timeout: 10 * SECOND }
  await expect.poll(() => server.session('GET', 'me', token), patience).toBe(401)
  const names = [...STATELESS, ...SESSIONS]
  await expect.poll(() => answers(token, names), patience).toEqual(all(names, undefined))
})

it('a_token_that_names_another_server_is_refused_though_its_key_is_ours', async () => {
  const token = await server.signIn({ portico: await server.another() })
  const names = [...STATELESS, ...SESSIONS]
  expect(await answers(token, names)).toEqual(all(names, undefined))
})

it('the_back_end_in_rust_refuses_a_visitor_who_signed_out_after_eleven_seconds_and_no_other', async () => {
  const [token, other] = [await server.signIn(), await server.signIn()]
  expect(await listed('axum', token)).toBe(ACCOUNT)
  expect(await server.session('POST', 'sign-out', token)).toBe(204)
  await expect.poll(() => listed('axum', token), PATIENCE_OF_AXUM).toBeUndefined()
  expect(await listed('axum', other)).toBe(ACCOUNT)
})

it('the_back_end_in_rust_asks_the_server_with_its_secret_about_sessions_that_began_before_the_list_is_complete', async () => {
  let completeFrom = 0
  const secrets: unknown[] = []
  // Stands before the server, and has a list of its own.
  const front = createServer(async ({ url = '', headers }, response) => {
    if (url.startsWith('/auth/v1/revoked/')) return response.end(JSON.stringify({ revoked: [], completeFrom }))
    if (url === '/auth/v1/me') secrets.push(headers['x-project-secret'])
    const sent = ['authorization', 'x-project-id', 'x-project-secret'].map((name) => [
      name,
      String(headers[name] ?? '')
    ])
    const answer = await fetch(`${portico}${url}`, { headers: Object.fromEntries(sent.filter(([, value]) => value)) })
    return response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const portico = await server.another(url)
  const settings = { PORTICO_PROJECT: 'shop', PORTICO_SECRET: server.secret, SHOP_ORIGIN: SHOP }
  const axum = await startAxum({ ...settings, PORTICO_URL: url })
  const [open, ended] = [await server.signIn({ portico }), await server.signIn({ portico })]
  expect(await server.session('POST', 'sign-out', ended)).toBe(204)
  completeFrom = decoded(parts(ended)[1]).iat + 1
  expect(await axum.ask(open)).toBe(ACCOUNT)
  expect(await axum.ask(ended)).toBeUndefined()
  expect(secrets).toEqual([server.secret, server.secret])
  // Its list is read again after ten seconds, and has no ended sessions.
  completeFrom = 0
  await expect.poll(() => axum.ask(ended), PATIENCE_OF_AXUM).toBe(ACCOUNT)
  await axum.stop()
  front.close()
  front.closeAllConnections()
})

it('back_ends_that_read_the_list_refuse_a_visitor_who_signed_out_after_ten_seconds_and_no_other', async () => {
  const [token, other] = [await server.signIn(), await server.signIn()]
  expect(await answers(token, LOCAL)).toEqual(all(LOCAL, ACCOUNT))
  expect(await server.session('POST', 'sign-out', token)).toBe(204)
  // The server's own copy is up to a second old.
  const patience = { timeout: 5 * SECOND, interval: SECOND / 4 }
  await expect
    .poll(() => {
      pass(11 * SECOND)
      return answers(token, LOCAL)
    }, patience)
    .toEqual(all(LOCAL, undefined))
  expect(await answers(other, LOCAL)).toEqual(all(LOCAL, ACCOUNT))
})

it('back_ends_use_their_copy_of_the_list_for_a_minute_while_the_server_does_not_answer_and_refuse_then', async () => {
  const token = await server.signIn()
  expect(await answers(token, LOCAL)).toEqual(all(LOCAL, ACCOUNT))
  list(() => Response.json({ status: 'FAILED' }, { status: 503 }))
  pass(45 * SECOND)
  expect(await answers(token, LOCAL)).toEqual(all(LOCAL, ACCOUNT))
  pass(16 * SECOND)
  expect(await answers(token, LOCAL)).toEqual(all(LOCAL, undefined))
  vi.mocked(fetch).mockRestore()
  expect(await answers(token, LOCAL)).toEqual(all(LOCAL, ACCOUNT))
})

it('back_ends_ask_the_server_about_sessions_that_began_before_the_list_is_complete', async () => {
  const [open, ended] = [await server.signIn(), await server.signIn()]
  expect(await server.session('POST', 'sign-out', ended)).toBe(204)
  list(() => Response.json({ revoked: [], completeFrom: decoded(parts(ended)[1]).iat + 1 }))
  pass(11 * SECOND)
  expect(await answers(open, LOCAL)).toEqual(all(LOCAL, ACCOUNT))
  expect(await answers(ended, LOCAL)).toEqual(all(LOCAL, undefined))
  const asked = vi.mocked(fetch).mock.calls.filter(([url]) => String(url).endsWith('/auth/v1/me'))
  const secrets = asked.map(([, init]) => new Headers(init?.headers).get('x-project-secret'))
  // Without the secret they would share the limit of one visitor.
  expect(secrets).toEqual(Array(2 * LOCAL.length).fill(server.secret))
})

describe.each(SESSIONS)('session of %s', (name) => {
  it('ends_with_the_token_although_it_is_used', async () => {
    const session = await backEnds.sessions[name](await server.signIn())
    expect(await session?.()).toBe(ACCOUNT)
    later(59 * MINUTE)
    expect(await session?.()).toBe(ACCOUNT)
    // Sessions of iron-session count for a minute more.
    later(2 * MINUTE + SECOND)
    expect(await session?.()).toBeUndefined()
  })
})

it('a_visitor_of_better_auth_who_takes_another_name_keeps_the_account', async () => {
  const shop = backEnds.origins['better-auth']
  const cookie = cookiesOf(await signInAtBetterAuth(shop, await server.signIn()))
  const renamed = await fetch(`${shop}/api/auth/update-user`, {
    method: 'POST',
    headers: { cookie, origin: SHOP, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'eip155:1:0x0' })
  })
  expect(renamed.status).toBe(200)
  expect(await (await fetch(`${shop}/orders`, { headers: { cookie } })).json()).toMatchObject({
    account: ACCOUNT
  })
})

it('a_change_of_keys_leaves_sessions_open_and_one_after_a_leak_ends_them', async () => {
  const old = await server.signIn()
  const names = [...STATELESS, ...SESSIONS]
  server.rotate()
  later(11 * MINUTE)
  expect(await answers(old, names)).toEqual(all(names, ACCOUNT))
  server.rotate('--at-once')
  vi.useRealTimers()
  const fresh = await server.signIn()
  // jose asks for unknown keys half a minute after the last time at the earliest.
  later(12 * MINUTE)
  await expect.poll(() => answers(fresh, names), PATIENCE_OF_AXUM).toEqual(all(names, ACCOUNT))
  await expect.poll(() => answers(old, names), PATIENCE_OF_AXUM).toEqual(all(names, undefined))
})
