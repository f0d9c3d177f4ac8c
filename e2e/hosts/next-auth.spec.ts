//! next-auth and a route handler in Next.js trust a sign-in at the server, with the code that `docs/guides/sign-in` shows.

import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { curls } from '../peers/world/guide.ts'
import { BLOG, SHOP, type SignInServer, startSignInServer, visitor } from '../peers/world/sign-in.ts'
import { repository } from '../world/program.ts'
import { app, type Said, type Served, start, tool } from './apps.ts'

const ACCOUNT = `eip155:1:${visitor.address}`
const SECOND = 1000
const MINUTE = 60 * SECOND

const folder = app('next-auth')
const CLOCK = join(folder, 'clock.txt')

let portico: SignInServer
let built: Said
let shop: Served

beforeAll(async () => {
  portico = await startSignInServer()
  const examples = join(repository(), 'examples/back-ends/src')
  for (const file of ['portico.ts', 'app/orders/route.ts']) await cp(join(examples, file), join(folder, file))
  const env = {
    HOSTS: app('.'),
    NEXT_TELEMETRY_DISABLED: '1',
    PORTICO_URL: portico.url,
    PORTICO_PROJECT: 'shop',
    PORTICO_SECRET: portico.secret,
    SHOP_ORIGIN: SHOP,
    NEXTAUTH_URL: SHOP,
    AUTH_SECRET: 'a secret of the tests, of more than 32 letters'
  }
  built = await tool('next', ['build', '--turbopack'], folder, env)
  if (built.code !== 0) throw new Error(built.out)
  await later(0)
  const clock = { CLOCK, NODE_OPTIONS: `--import=${join(folder, 'clock.mjs')}` }
  shop = await start('next', ['start', '--port', '0'], folder, { ...env, ...clock })
})

beforeEach(() => later(0))

afterAll(async () => {
  await shop?.stop()
  await portico?.stop()
})

/** Sets the time of the shop's back end, in milliseconds from now. */
const later = (milliseconds: number) => writeFile(CLOCK, String(milliseconds))

/** A browser at the shop, as far as its cookies go. */
function browser() {
  const cookies = new Map<string, string>()
  return {
    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(`${shop.origin}${path}`, { ...init, headers: { cookie }, redirect: 'manual' })
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        cookies.set(name, value)
      }
      return answer
    },
    async csrfToken(): Promise<string> {
      return (await (await this.fetch('/api/auth/csrf')).json()).csrfToken
    },
    /** Sends the requests of `signIn('credentials', { token, redirect: false })`. */
    async signIn(token: string | undefined): Promise<Response> {
      const csrfToken = await this.csrfToken()
      const body = new URLSearchParams({ csrfToken, json: 'true', ...(token !== undefined && { token }) })
      return this.fetch('/api/auth/callback/credentials', { method: 'POST', body })
    },
    /** Account whose orders the shop lists; `undefined` if it refuses. */
    async listed(): Promise<string | undefined> {
      const answer = await this.fetch('/account/orders')
      if (answer.status === 401) return undefined
      expect(answer.status).toBe(200)
      return (await answer.json()).account
    }
  }
}

const parts = (token: string) => token.split('.') as [string, string, string]

describe('the code of the guide in Next.js', () => {
  it('has the types of a strict project', async () => {
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--allowImportingTsExtensions', '--noEmit']
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck']
    const files = ['app/api/auth/[...nextauth]/route.ts', 'app/account/orders/route.ts', 'app/orders/route.ts']
    const target = ['--target', 'es2022', '--lib', 'es2023,dom', '--ignoreConfig']
    const { code, out } = await tool('tsc', [...files, ...modules, ...strict, ...target], folder)
    expect([code, out]).toEqual([0, ''])
  })

  it('builds without a warning', () => {
    expect(built.out).not.toMatch(/warn/i)
  })

  it.each(['next-auth', 'next-js'])('answers the curl commands of %s.md', async (page) => {
    const { answers, expected } = await curls(page, shop.origin, await portico.signIn(), ACCOUNT)
    expect(answers).toEqual(expected)
  })
})

describe('a route handler in Next.js', () => {
  const listed = async (token: string) => {
    const answer = await fetch(`${shop.origin}/orders`, { headers: { authorization: `Bearer ${token}` } })
    return answer.status === 200 ? (await answer.json()).account : answer.status
  }

  it('refuses a visitor who signed out after eleven seconds and no other', async () => {
    const [token, other] = [await portico.signIn(), await portico.signIn()]
    expect(await listed(token)).toBe(ACCOUNT)
    expect(await portico.session('POST', 'sign-out', token)).toBe(204)
    await expect.poll(() => listed(token), { interval: SECOND / 4 }).toBe(401)
    expect(await listed(other)).toBe(ACCOUNT)
  })

  it('refuses a token of another project, of another page, with a changed signature, and one that ended', async () => {
    const good = await portico.signIn()
    const changed = parts(good).with(2, parts(good)[2].split('').reverse().join('')).join('.')
    expect(await listed(await portico.signIn({ project: 'other' }))).toBe(401)
    expect(await listed(await portico.signIn({ page: BLOG }))).toBe(401)
    expect(await listed(changed)).toBe(401)
    await later(61 * MINUTE)
    expect(await listed(good)).toBe(401)
  })
})

describe('next-auth in Next.js', () => {
  it('spec_3_17_lists_the_orders_of_the_account_that_signed_in', async () => {
    const visit = browser()
    expect(await visit.listed()).toBeUndefined()
    expect((await visit.signIn(await portico.signIn())).status).toBe(200)
    expect(await visit.listed()).toBe(ACCOUNT)
    expect(await (await visit.fetch('/api/auth/session')).json()).toMatchObject({ account: ACCOUNT })
  })

  it.each<[string, (good: string) => string | undefined | Promise<string>]>([
    ['no token', () => undefined],
    ['an empty token', () => ''],
    ['a token of another project', () => portico.signIn({ project: 'other' })],
    ['a token of another page of the project', () => portico.signIn({ page: BLOG })],
    ['a changed signature', (good) => parts(good).with(2, parts(good)[2].split('').reverse().join('')).join('.')],
    ['no signature', (good) => parts(good).with(2, '').join('.')]
  ])('refuses %s', async (_, forge) => {
    const visit = browser()
    const answer = await visit.signIn(await forge(await portico.signIn()))
    expect(answer.status).toBe(401)
    expect(await visit.listed()).toBeUndefined()
  })

  it('refuses a sign-in that another site sends', async () => {
    const visit = browser()
    await visit.csrfToken()
    const body = new URLSearchParams({ csrfToken: 'a guess', json: 'true', token: await portico.signIn() })
    await visit.fetch('/api/auth/callback/credentials', { method: 'POST', body })
    expect(await visit.listed()).toBeUndefined()
  })

  it('has a session that ends with the token although it is used', async () => {
    const visit = browser()
    await visit.signIn(await portico.signIn())
    await later(59 * MINUTE)
    expect(await visit.listed()).toBe(ACCOUNT)
    expect(await (await visit.fetch('/api/auth/session')).json()).toMatchObject({ account: ACCOUNT })
    // next-auth accepts a session for 15 seconds more.
    await later(60 * MINUTE + 16 * SECOND)
    expect(await visit.listed()).toBeUndefined()
    expect(await (await visit.fetch('/api/auth/session')).json()).toEqual({})
  })

  it('does not let the page change the account or the end of its session', async () => {
    const visit = browser()
    await visit.signIn(await portico.signIn())
    const data = { account: 'eip155:1:0x0', sub: 'eip155:1:0x0', until: Date.now() + 120 * MINUTE }
    const csrfToken = await visit.csrfToken()
    const body = new Blob([JSON.stringify({ csrfToken, data })], { type: 'application/json' })
    expect((await visit.fetch('/api/auth/session', { method: 'POST', body })).status).toBe(200)
    expect(await visit.listed()).toBe(ACCOUNT)
    await later(61 * MINUTE)
    expect(await visit.listed()).toBeUndefined()
  })
})
