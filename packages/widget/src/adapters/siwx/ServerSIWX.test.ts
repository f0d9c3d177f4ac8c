// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SIWXSession } from '../../host/siwx.ts'
import { ServerSIWX, type ServerSIWXOptions } from './ServerSIWX.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const INPUT = { accountAddress: ADDRESS, chainId: 'eip155:1' }
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SUB = `eip155:1:${ADDRESS}`

/** Token with these claims, which nobody signed: the page doesn't verify it. */
const tokenOf = (sub: string, exp = 4_000_000_000) => `a.${btoa(JSON.stringify({ sub, exp })).replace(/=+$/, '')}.c`
const TOKEN = tokenOf(SUB)

const asked: string[] = []
let answers: Record<string, (signal: AbortSignal) => Response | Promise<Response>>

const ok = (body: object) => () => Response.json(body)
const refusal = (status: number, field: string) => () =>
  Response.json({ status: 'FAILED', reasons: [{ field, description: 'No' }] }, { status })

beforeEach(() => {
  localStorage.clear()
  asked.length = 0
  answers = {
    nonce: ok({ nonce: 'abc12345' }),
    authenticate: ok({ token: TOKEN }),
    me: ok({ sub: SUB }),
    'sign-out': () => new Response(null, { status: 204 })
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = new URL(url).pathname.replace('/auth/v1/', '')
    const { authorization } = init.headers as Record<string, string>
    const cookies = init.credentials === 'include' && 'with cookies'
    asked.push([init.method, path, authorization, cookies].filter(Boolean).join(' '))
    return answers[path]?.(init.signal as AbortSignal) ?? new Response(null, { status: 404 })
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const lost = vi.fn()
const siwx = (further: Partial<ServerSIWXOptions> = {}) =>
  new ServerSIWX({ url: 'https://portico.example/', projectId: 'shop', onSessionLost: lost, ...further })

async function signIn(own = siwx(), input = INPUT): Promise<{ siwx: ServerSIWX; session: SIWXSession }> {
  const message = await own.createMessage(input)
  const session = { data: JSON.parse(JSON.stringify(message)), message: message.toString(), signature: '0x12' }
  await own.addSession(session)
  return { siwx: own, session }
}

/** Answer of a server that never answers; time limits are those of the fake timers. */
function silent() {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((time) => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(new DOMException('late', 'TimeoutError')), time)
    return abort.signal
  })
  return (signal: AbortSignal) =>
    new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

describe('the sign-in at a server', () => {
  it('signs the nonce of the server for this page and keeps the token', async () => {
    const { siwx, session } = await signIn()
    expect(session.message).toContain('\nNonce: abc12345\n')
    expect(session.message.split(' ')[0]).toBe(location.host)
    expect(await siwx.getSessions('eip155:1', ADDRESS.toLowerCase())).toEqual([session])
    expect(siwx.token('eip155:1', ADDRESS)).toBe(TOKEN)
    expect(asked).toEqual(['GET nonce', 'POST authenticate', `GET me Bearer ${TOKEN}`])
    expect(await siwx.getSessions('eip155:10', ADDRESS)).toEqual([])
  })

  it.each(['Melde dich für Bücher an.', 'Hi\nthere', 'Hi\tthere', '👋', ''])(
    'cannot have the statement %j',
    (statement) => {
      expect(() => siwx({ statement })).toThrow('Use a `statement` of one line in printable letters of ASCII')
    }
  )

  it('has a statement of ASCII in its message', async () => {
    const message = await siwx({ statement: 'Sign in ~ "now"!' }).createMessage(INPUT)
    expect(message.toString()).toContain('\n\nSign in ~ "now"!\n\n')
  })

  it('saves no session that the server refuses, and says why', async () => {
    answers.authenticate = refusal(422, 'signature')
    await expect(signIn()).rejects.toMatchObject({ status: 422, field: 'signature', message: 'No' })
    answers.authenticate = ok({})
    await expect(signIn()).rejects.toThrow('no token')
    expect(localStorage.length).toBe(0)
  })

  it('spec_4_27_says_that_a_server_that_cannot_be_reached_is_unavailable', async () => {
    answers.authenticate = () => Promise.reject(new TypeError('down'))
    await expect(signIn()).rejects.toMatchObject({
      status: 503,
      field: '',
      message: "The server can't be reached. Try again."
    })
    expect(localStorage.length).toBe(0)
  })

  it('has no session of an account whose token is that of another one', async () => {
    const { session } = await signIn()
    const data = { ...session.data, accountAddress: OTHER }
    localStorage.setItem('@portico/siwx', JSON.stringify([{ session: { ...session, data }, token: TOKEN }]))
    expect(siwx().token('eip155:1', OTHER)).toBeUndefined()
    expect(await siwx().getSessions('eip155:1', OTHER)).toEqual([])
    // The server tells the truth about a token whose claims are made up.
    const token = tokenOf(`eip155:1:${OTHER.toLowerCase()}`)
    localStorage.setItem('@portico/siwx', JSON.stringify([{ session: { ...session, data }, token }]))
    expect(await siwx().getSessions('eip155:1', OTHER)).toEqual([])
    expect(asked.at(-1)).toBe(`GET me Bearer ${token}`)
    expect(localStorage.length).toBe(0)
    answers.authenticate = ok({ token: tokenOf(`eip155:10:${ADDRESS}`) })
    await expect(signIn()).rejects.toThrow('another account')
    expect(localStorage.length).toBe(0)
  })

  it('keeps no token where a cookie has it, and the one session of the cookie', async () => {
    const own = () => siwx({ cookie: true })
    await signIn()
    const { session } = await signIn(own())
    const stored = () => JSON.parse(localStorage.getItem('@portico/siwx') ?? '[]')
    expect(stored()).toEqual([{ session }])
    asked.length = 0
    expect(own().token('eip155:1', ADDRESS)).toBeUndefined()
    expect(await own().getSessions('eip155:1', ADDRESS)).toEqual([session])
    // The cookie may be one of another account meanwhile.
    answers.me = ok({ sub: `eip155:1:${OTHER}` })
    expect(await own().getSessions('eip155:1', ADDRESS)).toEqual([])
    answers.authenticate = ok({ token: tokenOf(`eip155:1:${OTHER}`) })
    const second = await signIn(own(), { ...INPUT, accountAddress: OTHER })
    expect(stored()).toEqual([{ session: second.session }])
    await own().revokeSession('eip155:1', OTHER)
    expect(asked).toEqual(
      ['GET me', 'GET me', 'GET nonce', 'POST authenticate', 'POST sign-out'].map((one) => `${one} with cookies`)
    )
    expect(localStorage.length).toBe(0)
  })

  it('sends no token that was kept before the page chose the cookie', async () => {
    await signIn()
    asked.length = 0
    await siwx({ cookie: true }).getSessions('eip155:1', ADDRESS)
    expect(asked).toEqual(['GET me with cookies'])
    expect(siwx({ cookie: true }).token('eip155:1', ADDRESS)).toBeUndefined()
  })

  it('minds the case of an address where its namespace does', async () => {
    const { session } = await signIn()
    const kept = (chainId: string, accountAddress: string, sub: string) => {
      const data = { ...session.data, chainId, accountAddress }
      localStorage.setItem('@portico/siwx', JSON.stringify([{ session: { ...session, data }, token: tokenOf(sub) }]))
      return siwx().token(chainId, accountAddress) !== undefined
    }
    expect(kept('eip155:1', ADDRESS.toLowerCase(), SUB)).toBe(true)
    expect(kept('solana:5eykt', 'So1', 'solana:5eykt:So1')).toBe(true)
    expect(kept('solana:5eykt', 'So1', 'solana:5eykt:so1')).toBe(false)
  })

  it('tells a lost session once and asks the server no more about it', async () => {
    lost.mockClear()
    const { siwx, session } = await signIn()
    answers.me = refusal(401, 'token')
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toEqual([])
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toEqual([])
    expect(lost.mock.calls).toEqual([[session]])
    expect(asked.filter((one) => one.startsWith('GET me'))).toHaveLength(1)
  })

  it('keeps a session while the server cannot be reached, or does not know the project', async () => {
    const { siwx, session } = await signIn()
    for (const answer of [refusal(503, ''), refusal(401, 'projectId'), () => Promise.reject(new TypeError('down'))]) {
      answers.me = answer
      expect(await siwx.getSessions('eip155:1', ADDRESS)).toEqual([session])
    }
  })

  it('has no session of a token that has ended or cannot be sent, while the server cannot be reached', async () => {
    const { session } = await signIn()
    answers.me = () => Promise.reject(new TypeError('down'))
    const keep = (token: string) => localStorage.setItem('@portico/siwx', JSON.stringify([{ session, token }]))
    keep(TOKEN)
    expect(await siwx().getSessions('eip155:1', ADDRESS)).toEqual([session])
    const ended = tokenOf(SUB, Math.floor(Date.now() / 1000) - 1)
    for (const token of [ended, `${TOKEN}Ā`, `${TOKEN}\n`, `${TOKEN}${'c'.repeat(9_000)}`]) {
      keep(token)
      expect(await siwx().getSessions('eip155:1', ADDRESS), token.slice(-8)).toEqual([])
    }
  })

  it('keeps a session of a silent server within the ten seconds that the widget waits', async () => {
    const { siwx, session } = await signIn()
    vi.useFakeTimers()
    answers.me = silent()
    const sessions = vi.fn()
    siwx.getSessions('eip155:1', ADDRESS).then(sessions)
    await vi.advanceTimersByTimeAsync(7_000)
    expect(sessions.mock.calls).toEqual([[[session]]])
  })

  it('waits longer for a sign-in, for which the server may ask a chain', async () => {
    vi.useFakeTimers()
    answers.authenticate = silent()
    const refused = vi.fn()
    signIn().catch(refused)
    await vi.advanceTimersByTimeAsync(24_999)
    expect(refused).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(refused).toHaveBeenCalledWith(expect.objectContaining({ status: 503 }))
  })

  it('ends sessions at the server and in this browser', async () => {
    for (const end of [
      (own: ServerSIWX) => own.revokeSession('eip155:1', ADDRESS),
      (own: ServerSIWX) => own.setSessions([])
    ]) {
      const { siwx } = await signIn()
      await end(siwx)
      expect(asked.at(-1)).toBe(`POST sign-out Bearer ${TOKEN}`)
      expect(localStorage.length).toBe(0)
    }
    const { siwx } = await signIn()
    answers['sign-out'] = refusal(401, 'token')
    await siwx.revokeSession('eip155:1', ADDRESS)
    expect(localStorage.length).toBe(0)
  })

  it('tells the server later of a session that ended while it could not be reached', async () => {
    const { siwx: own } = await signIn()
    answers['sign-out'] = () => new Response(null, { status: 502 })
    await expect(own.revokeSession('eip155:1', ADDRESS)).rejects.toThrow('502')
    expect(await own.getSessions('eip155:1', ADDRESS)).toEqual([])
    expect(own.token('eip155:1', ADDRESS)).toBeUndefined()

    // The account signs in anew; its earlier session is still to end.
    const next = tokenOf(SUB, 4_000_000_001)
    answers.authenticate = ok({ token: next })
    const message = await own.createMessage(INPUT)
    const data = JSON.parse(JSON.stringify(message))
    await own.addSession({ data, message: message.toString(), signature: '0x34' })
    expect(own.token('eip155:1', ADDRESS)).toBe(next)

    answers['sign-out'] = () => new Response(null, { status: 204 })
    asked.length = 0
    // Another page, and an account that has no session.
    await siwx().revokeSession('eip155:1', OTHER)
    expect(asked).toEqual([`POST sign-out Bearer ${TOKEN}`])
    expect(own.token('eip155:1', ADDRESS)).toBe(next)
    await own.revokeSession('eip155:1', ADDRESS)
    expect(asked).toEqual([`POST sign-out Bearer ${TOKEN}`, `POST sign-out Bearer ${next}`])
    expect(localStorage.length).toBe(0)
  })

  it('ends no session of a cookie that a later sign-in has set', async () => {
    const { siwx: own } = await signIn(siwx({ cookie: true }))
    answers['sign-out'] = () => new Response(null, { status: 502 })
    await expect(own.revokeSession('eip155:1', ADDRESS)).rejects.toThrow('502')
    expect(await own.getSessions('eip155:1', ADDRESS)).toEqual([])
    await signIn(own)
    answers['sign-out'] = () => new Response(null, { status: 204 })
    asked.length = 0
    await own.revokeSession('eip155:1', OTHER)
    expect(asked).toEqual([])
    await own.revokeSession('eip155:1', ADDRESS)
    expect(asked).toEqual(['POST sign-out with cookies'])
    expect(localStorage.length).toBe(0)
  })

  it('tells the account of the last session, or of the one asked for, as the server knows it', async () => {
    const claims = {
      ...{
        sub: `eip155:1:${ADDRESS}`,
        address: ADDRESS,
        chainId: '1',
        chainNamespace: 'eip155',
        caip2Network: 'eip155:1'
      },
      ...{ aud: 'shop', iss: 'https://portico.example', jti: '7', uri: 'https://shop.example', domain: 'shop.example' },
      ...{ nonce: 'abc12345', iat: 1_800_000_000, exp: 1_800_003_600 }
    }
    expect(await siwx().getSessionAccount()).toBeUndefined()
    const { siwx: own } = await signIn()
    answers.me = ok({ ...claims, further: true })
    expect(await own.getSessionAccount()).toEqual(claims)
    expect(await own.getSessionAccount('eip155:1', ADDRESS.toLowerCase())).toEqual(claims)
    expect(await own.getSessionAccount('eip155:1')).toEqual(claims)
    expect(await own.getSessionAccount('eip155:10')).toBeUndefined()
    answers.me = ok({ ...claims, sub: `eip155:1:${OTHER}` })
    expect(await own.getSessionAccount()).toBeUndefined()
    for (const wrong of [{ ...claims, exp: 'soon' }, { ...claims, sub: '' }, null]) {
      answers.me = ok(wrong as object)
      await expect(own.getSessionAccount()).rejects.toThrow("The server's answer has no")
    }
    answers.me = refusal(401, 'token')
    expect(await own.getSessionAccount()).toBeUndefined()
    answers.me = refusal(503, '')
    await expect(own.getSessionAccount()).rejects.toMatchObject({ status: 503 })
  })

  it('calls back when a session is opened, ended or lost, until it is told to stop', async () => {
    vi.stubGlobal('reportError', vi.fn())
    const own = siwx()
    const [heard, others] = [vi.fn(), vi.fn()]
    const message = await own.createMessage(INPUT)
    const session = { data: message, message: message.toString(), signature: '0x12' }
    const stop = own.on('sessionChanged', () => {
      throw new Error('a fault of the page')
    })
    own.on('sessionChanged', heard)
    own.on('sessionChanged', others)
    await own.addSession(session)
    expect(reportError).toHaveBeenCalledTimes(1)
    stop()
    answers.authenticate = refusal(422, 'signature')
    await expect(own.addSession(session)).rejects.toThrow()
    await own.revokeSession('eip155:1', ADDRESS)
    await own.revokeSession('eip155:1', ADDRESS)
    answers.authenticate = ok({ token: TOKEN })
    await own.addSession(session)
    answers.me = refusal(401, 'token')
    await own.getSessions('eip155:1', ADDRESS)
    expect(heard.mock.calls).toEqual([[session], [undefined], [session], [undefined]])
    own.removeAllListeners()
    await own.addSession(session)
    expect([heard.mock.calls.length, others.mock.calls.length]).toEqual([4, 4])
    expect(reportError).toHaveBeenCalledTimes(1)
  })

  it.each(['{', '7', 'null', '[null,7,{}]', '[{"token":"a"}]'])('has no session where %s is stored', async (stored) => {
    localStorage.setItem('@portico/siwx', stored)
    expect(await siwx().getSessions('eip155:1', ADDRESS)).toEqual([])
    expect(asked).toEqual([])
  })

  it('spec_6_3_is_required_unless_the_page_says_otherwise', () => {
    const own = { url: 'https://portico.example', projectId: 'shop' }
    expect([new ServerSIWX(own).getRequired(), new ServerSIWX({ ...own, required: false }).getRequired()]).toEqual([
      true,
      false
    ])
  })
})
