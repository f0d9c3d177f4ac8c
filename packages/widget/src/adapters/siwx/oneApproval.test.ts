// @vitest-environment happy-dom
//! Sessions that a wallet signed by one approval, at a server that accepts their nonce once.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SIWXSession } from '../../host/siwx.ts'
import { ServerSIWX, type ServerSIWXOptions } from './ServerSIWX.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Token with this subject, which nobody signed: the page doesn't verify it. */
const tokenOf = (sub: string) => `a.${btoa(JSON.stringify({ sub, exp: 4_000_000_000 })).replace(/=+$/, '')}.c`

const subjectOf = ({ data }: SIWXSession) => `${data.chainId}:${data.accountAddress}`

function signed(chainId: string, { nonce = 'abc12345', accountAddress = ADDRESS } = {}): SIWXSession {
  const data = { chainId, accountAddress, nonce, domain: 'shop.example', uri: 'https://shop.example', version: '1' }
  const message = `${chainId}:${accountAddress} ${nonce}`
  return { data, message, signature: `signature of ${message}` }
}

interface Body {
  readonly message: string
  readonly signature: string
  readonly cookie: boolean
  readonly others?: readonly { readonly message: string; readonly signature: string }[]
}

/** Bodies of sign-ins, and the other requests with their tokens. */
const sent: Body[] = []
const asked: string[] = []
/** Answers of the server to sign-ins, first to last; without one it opens every session. */
let answers: Response[]
/** Whether the server can be told of the end of sessions. */
let ends: boolean

const refusal = (status: number, field: string) =>
  Response.json({ status: 'FAILED', reasons: [{ field, description: 'No' }] }, { status })

const subjectIn = ({ message }: { readonly message: string }) => message.split(' ')[0] ?? ''

function opened({ others, ...first }: Body): Response {
  const token = tokenOf(subjectIn(first))
  return Response.json(others ? { token, others: others.map((one) => tokenOf(subjectIn(one))) } : { token })
}

beforeEach(() => {
  localStorage.clear()
  sent.length = 0
  asked.length = 0
  answers = []
  ends = true
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = new URL(url).pathname.replace('/auth/v1/', '')
    if (path === 'authenticate') {
      const body = JSON.parse(String(init.body)) as Body
      sent.push(body)
      return answers.shift() ?? opened(body)
    }
    const token = (init.headers as Record<string, string>).authorization?.replace('Bearer ', '') ?? ''
    asked.push(`${path} ${token}`)
    if (path === 'sign-out') return ends ? new Response(null, { status: 204 }) : refusal(503, '')
    return Response.json(JSON.parse(atob(token.split('.')[1] ?? '')))
  })
})

afterEach(() => void vi.unstubAllGlobals())

const siwx = (further: Partial<ServerSIWXOptions> = {}) =>
  new ServerSIWX({ url: 'https://portico.example', projectId: 'shop', ...further })

const ONE = signed('eip155:1')
const TWO = signed('eip155:10')
const tokenIn = (own: ServerSIWX, { data }: SIWXSession) => own.token(data.chainId, data.accountAddress)

it('are sent together, and each has a token and a session of its own', async () => {
  const own = siwx()
  const third = signed('eip155:1', { accountAddress: OTHER })
  const heard = vi.fn()
  own.on('sessionChanged', heard)
  expect(await own.addSessions([ONE, TWO, third])).toEqual([ONE, TWO, third])
  const others = [TWO, third].map(({ message, signature }) => ({ message, signature }))
  expect(sent).toEqual([{ message: ONE.message, signature: ONE.signature, cookie: false, others }])
  for (const session of [ONE, TWO, third]) {
    expect(tokenIn(own, session)).toBe(tokenOf(subjectOf(session)))
    expect(await own.getSessions(session.data.chainId, session.data.accountAddress)).toEqual([session])
    expect(asked.at(-1)).toBe(`me ${tokenOf(subjectOf(session))}`)
  }
  // The session of the active network is the latest.
  expect(heard.mock.calls).toEqual([[third], [TWO], [ONE]])
  await own.getSessionAccount().catch(() => {})
  expect(asked.at(-1)).toBe(`me ${tokenOf(subjectOf(ONE))}`)
})

it('leave the first one open alone if the server refuses another one', async () => {
  for (const refused of [
    refusal(422, 'signature'),
    refusal(503, 'signature'),
    refusal(400, 'chainId'),
    refusal(413, 'body')
  ]) {
    const own = siwx()
    answers = [refused]
    sent.length = 0
    expect(await own.addSessions([ONE, TWO])).toEqual([ONE])
    expect(sent.map(({ others }) => others?.length)).toEqual([1, undefined])
    expect([tokenIn(own, ONE), tokenIn(own, TWO)]).toEqual([tokenOf(subjectOf(ONE)), undefined])
    localStorage.clear()
  }
})

it('are refused for the first one, and asked once where the fault is in none of them', async () => {
  answers = [refusal(422, 'signature'), refusal(422, 'signature')]
  await expect(siwx().addSessions([ONE, TWO])).rejects.toMatchObject({ status: 422, field: 'signature' })
  for (const [status, requests] of [
    [429, 3],
    [503, 4]
  ] as const) {
    answers = [refusal(status, '')]
    await expect(siwx().addSessions([ONE, TWO])).rejects.toMatchObject({ status })
    expect(sent).toHaveLength(requests)
  }
  expect(localStorage.length).toBe(0)
})

it('have the one token of a server that opens the first session alone', async () => {
  const own = siwx()
  answers = [Response.json({ token: tokenOf(subjectOf(ONE)) })]
  expect(await own.addSessions([ONE, TWO])).toEqual([ONE])
  expect(tokenIn(own, TWO)).toBeUndefined()
})

it('are not kept by tokens of other accounts', async () => {
  const [one, two] = [ONE, TWO].map((session) => tokenOf(subjectOf(session)))
  for (const told of [
    { token: two, others: [one] },
    { token: one, others: [one] },
    { token: one, others: [two, two] }
  ]) {
    answers = [Response.json(told)]
    await expect(siwx().addSessions([ONE, TWO])).rejects.toThrow('another account')
  }
  answers = [Response.json({ token: one, others: [7] })]
  await expect(siwx().addSessions([ONE, TWO])).rejects.toThrow("The server's answer has no")
  expect(localStorage.length).toBe(0)
})

it('are ten at most, and one where a cookie has the token', async () => {
  const many = Array.from({ length: 12 }, (_, place) => signed(`eip155:${place + 1}`))
  expect(await siwx().addSessions(many)).toEqual(many.slice(0, 10))
  expect(await siwx({ cookie: true }).addSessions([ONE, TWO])).toEqual([ONE])
  expect(sent.map(({ others }) => others?.length)).toEqual([9, undefined])
  expect(await siwx().addSessions([])).toEqual([])
  expect(sent).toHaveLength(2)
})

it('end together when the visitor signs out, unlike those of other approvals and accounts', async () => {
  const later = signed('eip155:137', { nonce: 'later123' })
  const others = [later, signed('eip155:1', { accountAddress: OTHER })]
  for (const end of [
    (own: ServerSIWX) => own.revokeSession('eip155:1', ADDRESS),
    (own: ServerSIWX) => own.revokeSession('eip155:10', ADDRESS.toLowerCase()),
    (own: ServerSIWX) => own.setSessions(others)
  ]) {
    const own = siwx()
    await own.addSession(later)
    await own.addSessions([ONE, TWO, ...others.slice(1)])
    asked.length = 0
    await end(own)
    expect(asked.sort()).toEqual([ONE, TWO].map((session) => `sign-out ${tokenOf(subjectOf(session))}`).sort())
    expect([ONE, TWO].map((session) => tokenIn(own, session))).toEqual([undefined, undefined])
    for (const session of others) expect(tokenIn(own, session)).toBe(tokenOf(subjectOf(session)))
    localStorage.clear()
  }
})

it('end together in this browser even if the server cannot be told, which is told later', async () => {
  const own = siwx()
  await own.addSessions([ONE, TWO])
  ends = false
  await expect(own.revokeSession('eip155:1', ADDRESS)).rejects.toMatchObject({ status: 503 })
  expect(asked).toHaveLength(2)
  expect([ONE, TWO].map((session) => tokenIn(own, session))).toEqual([undefined, undefined])
  ends = true
  await siwx().revokeSession('eip155:1', ADDRESS)
  expect(asked.slice(2)).toEqual(asked.slice(0, 2))
  expect(localStorage.length).toBe(0)
})

it('are set together by their nonces, all of them or none', async () => {
  const own = siwx()
  const later = signed('eip155:137', { nonce: 'later123' })
  await own.setSessions([ONE, later, TWO])
  expect(sent.map(({ message, others }) => [message, others?.length])).toEqual([
    [ONE.message, 1],
    [later.message, undefined]
  ])
  await own.setSessions([ONE, later, TWO])
  expect(sent).toHaveLength(2)
  answers = [refusal(422, 'signature')]
  const more = [signed('eip155:5', { nonce: 'another1' }), signed('eip155:6', { nonce: 'another1' })]
  await expect(own.setSessions([ONE, later, TWO, ...more])).rejects.toMatchObject({ status: 422 })
  expect(more.map((session) => tokenIn(own, session))).toEqual([undefined, undefined])
  expect(sent).toHaveLength(3)
})

it('are not all set where the server opens one of them', async () => {
  const token = tokenOf(subjectOf(ONE))
  answers = [Response.json({ token })]
  await expect(siwx().setSessions([ONE, TWO])).rejects.toThrow('The server opened one session of several')
  localStorage.clear()
  answers = [Response.json({ token }), refusal(400, 'nonce')]
  await expect(siwx({ cookie: true }).setSessions([ONE, TWO])).rejects.toMatchObject({ field: 'nonce' })
  expect(sent.map(({ cookie, others }) => [cookie, others?.length])).toEqual([
    [false, 1],
    [true, undefined],
    [true, undefined]
  ])
})
