import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FrameOperation, SigningOrder } from '../generated/frame.ts'
import { MemoryRecords } from '../testing/records.ts'
import { Keeper } from './Keeper.ts'

const USER = 'AAAAAAAAAAAAAAAAAAAAAA'
const user = { id: USER, email: 'a@example.org', name: null, provider: 'email' }
const release = { enc: 'e', ciphertext: 'c' }
const addresses = { eip155: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }
const record = { id: 'w', blob: 'b', slots: [], addresses, frozen: false }
const session = (access: string, refresh = 'r1') => ({
  access,
  accessExpires: Date.now() + 900_000,
  refresh,
  refreshExpires: Date.now() + 9e9
})
const message: SigningOrder = { type: 'message', address: addresses.eip155, message: '0x6869' }
const sign: FrameOperation = { type: 'sign', order: message, proof: { type: 'click' } }
const login: FrameOperation = { type: 'finishLogin', transaction: 't', code: '123456' }

type Answer = [status: number, body: unknown]
const problem = (status: number, field: string, description = ''): Answer => [
  status,
  { status: 'FAILED', reasons: [{ field, description }] }
]

let records: MemoryRecords
let answers: Record<string, Answer[]>
let asked: { path: string; body: unknown; access: string | null; proof: Record<string, unknown> }[]
let commands: { type: string; [field: string]: unknown }[]
let refuse: Record<string, string>

const signer: Record<string, object> = {
  keyPair: { type: 'keyPair', key: 'k' },
  create: { type: 'created', wallet: { id: 'w', blob: 'b', slots: [], addresses } },
  unlock: { type: 'unlocked', addresses, deviceSlot: null },
  sign: { type: 'signed', result: '0x11' },
  lock: { type: 'locked' }
}

function keeper(): Keeper {
  return new Keeper({
    records,
    command: async (json) => {
      const command = JSON.parse(json)
      commands.push(command)
      const reason = refuse[command.type]
      return JSON.stringify(reason ? { type: 'refused', reason, part: '' } : signer[command.type])
    },
    fetch: async (path, init) => {
      const headers = new Headers(init.headers)
      const proof = JSON.parse(Buffer.from(headers.get('dpop')?.split('.')[1] ?? '', 'base64url').toString())
      asked.push({ path, body: JSON.parse(String(init.body)), access: headers.get('authorization'), proof })
      const [status, body] = answers[path]?.shift() ?? [599, null]
      if (status === 0) throw new TypeError('network')
      return new Response(JSON.stringify(body), { status })
    },
    password: () => Promise.reject(new Error('No password is used')),
    exclusively: (work) => work()
  })
}

const types = () => commands.map(({ type }) => type)
const paths = () => asked.map(({ path }) => path.replace('/wallet/v1/', ''))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_700_000_000_000 })
  records = new MemoryRecords()
  answers = {}
  asked = []
  commands = []
  refuse = {}
})
afterEach(() => {
  vi.useRealTimers()
})

async function loggedIn(): Promise<Keeper> {
  const ours = keeper()
  answers['/wallet/v1/login/code'] = [[200, { user, session: session('a1'), wallet: record, release }]]
  expect(await ours.perform(login)).toEqual({ type: 'answered', value: { user, addresses } })
  asked.length = 0
  commands.length = 0
  return ours
}

describe('login', () => {
  it('a first login makes a wallet and tells its addresses after the server stored it', async () => {
    answers['/wallet/v1/login/code'] = [[200, { user, session: session('a1'), wallet: null, release }]]
    answers['/wallet/v1/wallet'] = [[200, record]]
    expect(await keeper().perform(login)).toEqual({ type: 'answered', value: { user, addresses } })
    expect(paths()).toEqual(['login/code', 'wallet'])
    expect(types()).toEqual(['keyPair', 'create'])
    expect(asked[0]?.body).toEqual({ transaction: 't', code: '123456', key: 'k' })
    expect(asked.map(({ access }) => access)).toEqual([null, 'DPoP a1'])
  })

  it('a wallet that the server refuses, because there is one, is forgotten with the session', async () => {
    answers['/wallet/v1/login/code'] = [[200, { user, session: session('a1'), wallet: null, release }]]
    answers['/wallet/v1/wallet'] = [problem(409, 'wallet', 'There is a wallet already')]
    const outcome = await keeper().perform(login)
    expect(outcome).toEqual({ type: 'failed', kind: 'refused', message: 'There is a wallet already' })
    expect(records.all.has('session')).toBe(false)
  })

  it('a stored wallet is opened, never made anew, and a new slot of this device is stored', async () => {
    const slot = { id: 's' }
    signer.unlock = { type: 'unlocked', addresses, deviceSlot: slot }
    answers['/wallet/v1/login/code'] = [[200, { user, session: session('a1'), wallet: record, release }]]
    answers['/wallet/v1/slot'] = [[200, record]]
    await keeper().perform(login)
    signer.unlock = { type: 'unlocked', addresses, deviceSlot: null }
    expect([types(), paths(), asked[1]?.body]).toEqual([['keyPair', 'unlock'], ['login/code', 'slot'], { slot }])
  })

  it('a wallet that this browser knows is not replaced, neither by another one nor by a new one', async () => {
    const ours = await loggedIn()
    await ours.perform({ type: 'endSession' })
    commands.length = 0
    answers['/wallet/v1/login/code'] = [
      [200, { user, session: session('a2'), wallet: record, release }],
      [200, { user, session: session('a3'), wallet: null, release }]
    ]
    await ours.perform(login)
    expect(commands.find(({ type }) => type === 'unlock')?.known).toEqual(addresses)
    expect(await ours.perform(login)).toMatchObject({ type: 'failed', kind: 'refused' })
    expect(types()).not.toContain('create')
    expect(records.all.has('session')).toBe(false)
  })

  it('a frozen wallet can be seen and not opened', async () => {
    const frozen = { ...record, frozen: true }
    answers['/wallet/v1/login/code'] = [[200, { user, session: session('a1'), wallet: frozen, release }]]
    expect(await keeper().perform(login)).toEqual({ type: 'answered', value: { user, addresses } })
    expect(types()).toEqual(['keyPair'])
  })

  it('spec_8_35_a_refused_code_is_told_in_the_words_of_the_vault', async () => {
    answers['/wallet/v1/login/code'] = [problem(400, 'code', 'Wrong code')]
    expect(await keeper().perform(login)).toEqual({ type: 'failed', kind: 'refused', message: 'Wrong code' })
  })
})

describe('signing', () => {
  const allowed: [number, unknown] = [200, { user, wallet: record }]

  it('a warm wallet signs once the vault allows it, and the page gets the signature alone', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/me'] = [allowed]
    expect(await ours.perform(sign)).toEqual({ type: 'answered', value: '0x11' })
    expect(paths()).toEqual(['me'])
    expect(commands).toEqual([
      { type: 'sign', request: { method: 'personal_sign', params: ['0x6869', addresses.eip155], chainId: null } }
    ])
  })

  it('after five idle minutes the keys are forgotten, and the next signature unlocks anew', async () => {
    const ours = await loggedIn()
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1)
    expect(types()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(types()).toEqual(['lock'])
    answers['/wallet/v1/unlock'] = [[200, { user, wallet: record, release }]]
    expect(await ours.perform(sign)).toEqual({ type: 'answered', value: '0x11' })
    expect(types()).toEqual(['lock', 'keyPair', 'unlock', 'sign'])
  })

  it.each([
    ['slept for five minutes', 5 * 60_000],
    ['had its clock set back', -1]
  ])('a machine that %s signs with no keys of before, although no timer fired', async (_, passed) => {
    const ours = await loggedIn()
    vi.setSystemTime(Date.now() + passed)
    answers['/wallet/v1/unlock'] = [[200, { user, wallet: record, release }]]
    expect(await ours.perform(sign)).toEqual({ type: 'answered', value: '0x11' })
    expect(types()).toEqual(['lock', 'keyPair', 'unlock', 'sign'])
    expect(paths()).toEqual(['unlock'])
  })

  it('a wallet that was frozen here is locked at once', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/freeze'] = [[200, {}]]
    answers['/wallet/v1/unlock'] = [problem(403, 'frozen', 'This wallet is frozen')]
    await ours.perform({ type: 'ask', path: '/wallet/v1/freeze', body: {}, session: true })
    expect(types()).toEqual(['lock'])
    expect(await ours.perform(sign)).toEqual({ type: 'failed', kind: 'refused', message: 'This wallet is frozen' })
    expect(types()).not.toContain('sign')
  })

  it.each([
    ['was frozen on another device', [200, { user, wallet: { ...record, frozen: true } }], 'refused'],
    ['was signed out by another device', problem(401, 'session'), 'noSession'],
    ['is of another user by now', [200, { user: { ...user, id: 'other' }, wallet: record }], 'noSession'],
    ['cannot be asked about', [0, null], 'unreachable']
  ] as const)('a warm wallet that %s gives no signature and is locked', async (_, answer, kind) => {
    const ours = await loggedIn()
    answers['/wallet/v1/me'] = [answer as [number, unknown], answer as [number, unknown]]
    answers['/wallet/v1/session/refresh'] = [problem(401, 'session')]
    expect(await ours.perform(sign)).toMatchObject({ type: 'failed', kind })
    expect(types()).toContain('lock')
  })

  it('each signature begins the five minutes anew', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/me'] = [allowed]
    await vi.advanceTimersByTimeAsync(4 * 60_000)
    await ours.perform(sign)
    await vi.advanceTimersByTimeAsync(4 * 60_000)
    expect(types()).toEqual(['sign'])
  })

  it('without a session nothing is signed, also if another tab ended it', async () => {
    expect(await keeper().perform(sign)).toEqual({ type: 'failed', kind: 'noSession', message: '' })
    const ours = await loggedIn()
    records.all.delete('session')
    expect(await ours.perform(sign)).toEqual({ type: 'failed', kind: 'noSession', message: '' })
    expect(types()).toEqual(['lock'])
  })

  it('a device whose secret was evicted has to log in again, and gets no new wallet', async () => {
    const ours = await loggedIn()
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    answers['/wallet/v1/unlock'] = [[200, { user, wallet: record, release }]]
    refuse.unlock = 'slots'
    expect(await ours.perform(sign)).toEqual({ type: 'failed', kind: 'noSession', message: '' })
    expect(records.all.has('session')).toBe(false)
    expect(types()).not.toContain('create')
  })

  it('a refusal of the signer says nothing to the page', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/me'] = [allowed]
    refuse.sign = 'account'
    expect(await ours.perform(sign)).toEqual({ type: 'failed', kind: 'broken', message: '' })
  })
})

describe('session', () => {
  const me: FrameOperation = { type: 'ask', path: '/wallet/v1/me', body: {}, session: true }

  it('an access token that is due is renewed first, and the new tokens are kept', async () => {
    const ours = await loggedIn()
    await vi.advanceTimersByTimeAsync(871_000)
    answers['/wallet/v1/session/refresh'] = [[200, session('a2', 'r2')]]
    answers['/wallet/v1/me'] = [[200, { me: 1 }]]
    expect(await ours.perform(me)).toEqual({ type: 'answered', value: { me: 1 } })
    expect(asked.map(({ path, body, access }) => [path, body, access])).toEqual([
      ['/wallet/v1/session/refresh', { refresh: 'r1' }, null],
      ['/wallet/v1/me', {}, 'DPoP a2']
    ])
    expect(records.all.get('session')).toMatchObject({ access: 'a2', refresh: 'r2', user: USER })
  })

  it('a token that the vault refuses is renewed once', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/me'] = [problem(401, 'session'), [200, 1]]
    answers['/wallet/v1/session/refresh'] = [[200, session('a2', 'r2')]]
    expect(await ours.perform(me)).toEqual({ type: 'answered', value: 1 })
    expect(paths()).toEqual(['me', 'session/refresh', 'me'])
  })

  it('spec_8_44_a_session_that_cannot_be_renewed_is_over', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/me'] = [problem(401, 'session')]
    answers['/wallet/v1/session/refresh'] = [problem(401, 'session')]
    expect(await ours.perform(me)).toEqual({ type: 'failed', kind: 'noSession', message: '' })
    expect(records.all.has('session')).toBe(false)
  })

  it('a lost response of the renewal does not end the session', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/me'] = [problem(401, 'session')]
    answers['/wallet/v1/session/refresh'] = [[0, null]]
    expect(await ours.perform(me)).toEqual({ type: 'failed', kind: 'unreachable', message: '' })
    expect(records.all.has('session')).toBe(true)
  })

  it('a wrong clock is corrected by that of the server', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/me'] = [problem(401, 'clock', 'The server has 1700009999'), [200, 1]]
    expect(await ours.perform(me)).toEqual({ type: 'answered', value: 1 })
    expect(asked.map(({ proof }) => proof.iat)).toEqual([1_700_000_000, 1_700_009_999])
  })

  it('the end of a session locks the wallet and deletes the tokens, also without a response', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/session/end'] = [[0, null]]
    expect(await ours.perform({ type: 'endSession' })).toMatchObject({ type: 'failed', kind: 'unreachable' })
    expect(types()).toEqual(['lock'])
    expect(records.all.has('session')).toBe(false)
  })

  it('the start of a login carries the token of a live session', async () => {
    const ours = await loggedIn()
    answers['/wallet/v1/login/email'] = [[200, {}]]
    await ours.perform({ type: 'ask', path: '/wallet/v1/login/email', body: {}, session: false })
    expect(asked[0]?.access).toBe('DPoP a1')
  })
})
