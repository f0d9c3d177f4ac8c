//! Back ends of `examples/back-ends`, asked for the orders of a visitor as the shop's page asks them.

import { dirname, join } from 'node:path'
import type { BackEnd } from '@portico/back-ends/servers'
import { program, startProgram } from '../../world/program.ts'
import { SHOP, type SignInServer } from './sign-in.ts'

/** Account for which the orders were listed (CAIP-10); `undefined` if the back end refused. */
export type Account = string | undefined

/** Asks for the orders with a token, or with none. */
export type Ask = (token: string | undefined) => Promise<Account>

/** Session of a back end that takes the token once: asks with its cookie. */
export type Session = () => Promise<Account>

/** Trades a token for a session; `undefined` if the back end refused. */
export type Trade = (token: string | undefined) => Promise<Session | undefined>

export interface BackEnds {
  readonly stateless: Readonly<Record<'express' | 'hono' | 'next' | 'axum', Ask>>
  readonly sessions: Readonly<Record<'auth-js' | 'better-auth' | 'iron-session', Trade>>
  readonly origins: Readonly<Record<BackEnd | 'axum', string>>
  stop(): Promise<void>
}

/** Starts all of them. The settings are in the environment, which they read when they are loaded. */
export async function startBackEnds({ url, secret }: SignInServer): Promise<BackEnds> {
  const settings = {
    PORTICO_URL: url,
    PORTICO_PROJECT: 'shop',
    PORTICO_SECRET: secret,
    SHOP_ORIGIN: SHOP,
    AUTH_SECRET: 'a secret of the tests, of more than 32 letters'
  }
  Object.assign(process.env, settings)
  const { start } = await import('@portico/back-ends/servers')
  const stops: (() => unknown)[] = []
  const started = async (name: BackEnd): Promise<string> => {
    const { origin, stop } = await start(name)
    stops.push(stop)
    return origin
  }
  const axum = await startAxum(settings)
  stops.push(axum.stop)
  const origins = {
    express: await started('express'),
    hono: await started('hono'),
    next: await started('next'),
    'auth-js': await started('auth-js'),
    'better-auth': await started('better-auth'),
    'iron-session': await started('iron-session'),
    axum: axum.origin
  }
  const { express, hono, next, 'auth-js': authJs, 'better-auth': betterAuth, 'iron-session': iron } = origins
  return {
    stateless: { express: byToken(express), hono: byToken(hono), next: byToken(next), axum: axum.ask },
    sessions: {
      'auth-js': (token) => tradeAtAuthJs(`${authJs}/api/auth`, token),
      'better-auth': async (token) => trade(betterAuth, await signInAtBetterAuth(betterAuth, token)),
      'iron-session': async (token) =>
        trade(iron, await fetch(`${iron}/sign-in`, { method: 'POST', headers: bearer(token) }))
    },
    origins,
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    }
  }
}

interface Axum {
  readonly origin: string
  readonly ask: Ask
  stop(): Promise<void>
}

/** Starts the back end in Rust with these settings. */
export async function startAxum(settings: Record<string, string>): Promise<Axum> {
  const example = join(dirname(program('portico', 'PORTICO_BIN')), 'examples/back-end')
  const { origin, stop, kill } = await startProgram(example, [], { env: settings })
  process.once('exit', () => void kill())
  return { origin, ask: byToken(origin), stop }
}

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** The `Cookie` header that a browser would send after this answer. */
export const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

/** Account in an answer; `undefined` if it is a 401. Every other status is an error. */
async function account(answer: Response): Promise<Account> {
  if (answer.status === 401) return undefined
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()).account
}

const byToken =
  (origin: string): Ask =>
  async (token) =>
    account(await fetch(`${origin}/orders`, { headers: bearer(token) }))

/** Signs in with the token at the back end with better-auth. */
export const signInAtBetterAuth = (origin: string, token: string | undefined): Promise<Response> =>
  fetch(`${origin}/api/auth/sign-in/portico`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: SHOP },
    body: JSON.stringify({ token })
  })

/** Session with the cookies of this answer; `undefined` if it is a refusal. */
async function trade(origin: string, answer: Response): Promise<Session | undefined> {
  const cookie = cookiesOf(answer)
  if ((await account(answer)) === undefined) return undefined
  return async () => account(await fetch(`${origin}/orders`, { headers: { cookie } }))
}

/** The requests that `signIn('credentials', { token, redirect: false })` of Auth.js sends. */
async function tradeAtAuthJs(base: string, token: string | undefined): Promise<Session | undefined> {
  const asked = await fetch(`${base}/csrf`)
  const { csrfToken } = await asked.json()
  const answer = await fetch(`${base}/callback/credentials`, {
    method: 'POST',
    headers: { cookie: cookiesOf(asked), 'x-auth-return-redirect': '1' },
    body: new URLSearchParams({ csrfToken, ...(token !== undefined && { token }) })
  })
  if (new URL((await answer.json()).url).searchParams.has('error')) return undefined
  let cookie = cookiesOf(answer)
  return async () => {
    const session = await fetch(`${base}/session`, { headers: { cookie } })
    // Each use of a session answers with a new cookie.
    cookie = cookiesOf(session) || cookie
    return (await session.json())?.user?.id
  }
}
