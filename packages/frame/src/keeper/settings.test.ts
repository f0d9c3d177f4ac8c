import { beforeEach, describe, expect, it } from 'vitest'
import type { FrameOperation } from '../generated/frame.ts'
import { MemoryRecords } from '../testing/records.ts'
import { faults } from '../text/faults.ts'
import { StorageError } from './database.ts'
import { Keeper } from './Keeper.ts'

const USER = 'AAAAAAAAAAAAAAAAAAAAAA'
const user = { id: USER, email: 'a@example.org', name: null, provider: 'email' }
const release = { enc: 'e', ciphertext: 'c' }
const addresses = { eip155: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }
const record = { id: 'w', blob: 'b', slots: [], addresses, frozen: false }
const unlocked = [200, { user, wallet: record, release }] as const
const far = Date.now() + 9e9
const session = { access: 'a1', accessExpires: far, refresh: 'r1', refreshExpires: far }
const login: FrameOperation = { type: 'finishLogin', transaction: 't', code: '123456' }

let records: MemoryRecords
let answers: Record<string, (readonly [status: number, body: unknown])[]>
let asked: { path: string; body: unknown }[]
let commands: { type: string; [field: string]: unknown }[]
let refuse: Record<string, string>
let keeper: Keeper
/** Commands of the password's module, and its answers. */
let opaque: { type: string; [field: string]: unknown }[]
let opaqueAnswers: Record<string, object>

const signer: Record<string, object> = {
  keyPair: { type: 'keyPair', key: 'k' },
  create: { type: 'created', wallet: { id: 'w', blob: 'b', slots: [], addresses } },
  unlock: { type: 'unlocked', addresses, deviceSlot: null },
  export: { type: 'exported', words: 'abandon art', keys: [] },
  kit: { type: 'kit', slot: { id: 's', hint: '{"mark":"0102"}' }, code: '0000-1111' },
  passkey: { type: 'slot', slot: { id: 'p' } },
  password: { type: 'slot', slot: { id: 'w' } },
  recovery: { type: 'slot', slot: { id: 'r' } },
  sign: { type: 'signed', result: '0x11' },
  lock: { type: 'locked' }
}

const paths = () => asked.map(({ path }) => path.replace('/wallet/v1/', ''))
const types = () => commands.map(({ type }) => type)

function keeperOf(stored: MemoryRecords): Keeper {
  return new Keeper({
    records: stored,
    command: async (json) => {
      const command = JSON.parse(json)
      commands.push(command)
      const reason = refuse[command.type]
      return JSON.stringify(reason ? { type: 'refused', reason, part: '' } : signer[command.type])
    },
    fetch: async (path, init) => {
      asked.push({ path, body: JSON.parse(String(init.body)) })
      const [status, body] = answers[path]?.shift() ?? [599, null]
      return new Response(JSON.stringify(body), { status })
    },
    password: async (json) => {
      const command = JSON.parse(json)
      opaque.push(command)
      const told = opaqueAnswers[command.type]
      return JSON.stringify(told)
    },
    exclusively: (work) => work()
  })
}

beforeEach(async () => {
  records = new MemoryRecords()
  asked = []
  commands = []
  refuse = {}
  opaque = []
  opaqueAnswers = {
    choose: { type: 'asked', request: 'q' },
    try: { type: 'asked', request: 'q' },
    answered: { type: 'opened', key: 'secret key', record: 'kept' },
    forget: { type: 'forgotten' }
  }
  keeper = keeperOf(records)
  answers = { '/wallet/v1/login/code': [[200, { user, session, wallet: record, release }]] }
  await keeper.perform(login)
  asked.length = 0
  commands.length = 0
})

describe('settings', () => {
  it('keys are told only after the vault released the share for an export', async () => {
    answers['/wallet/v1/export'] = [
      [403, { reasons: [{ field: 'confirm', description: 'Confirm this first' }] }],
      unlocked
    ]
    expect(await keeper.perform({ type: 'export', password: false })).toEqual({
      type: 'failed',
      kind: 'refused',
      message: 'Confirm this first'
    })
    expect(types()).toEqual(['keyPair'])
    const told = { type: 'words', words: 'abandon art', keys: [] }
    expect(await keeper.perform({ type: 'export', password: false })).toEqual({ type: 'answered', value: told })
    expect(types()).toEqual(['keyPair', 'keyPair', 'unlock', 'export'])
  })

  const withSlots = (...kinds: string[]) => {
    const slots = kinds.map((kind) => ({ id: kind, kind, hint: null }))
    return [200, { user, wallet: { ...record, slots }, release }] as const
  }

  it('keys of a wallet with a password are told by the password alone, and a wrong one uses up no confirmation', async () => {
    answers['/wallet/v1/password'] = [
      [200, { response: 'r' }],
      [429, { reasons: [{ field: '', description: 'Please try again after 600 seconds' }] }],
      [200, { response: 'r' }]
    ]
    answers['/wallet/v1/export'] = [withSlots('recovery', 'password'), withSlots('recovery', 'password')]
    const without = await keeper.perform({ type: 'export', password: false })
    expect(without).toEqual({ type: 'failed', kind: 'unproved', message: faults.unproved })
    expect(types()).toEqual(['keyPair'])
    asked.length = 0
    const right = opaqueAnswers.answered as object
    opaqueAnswers.answered = { type: 'refused', reason: 'wrong' }
    const by = () => keeper.perform({ type: 'exportBy', password: 'correct horse battery' })
    expect(await by()).toEqual({ type: 'failed', kind: 'refused', message: faults.passwordWrong })
    expect(await by()).toMatchObject({ message: 'Please try again after 600 seconds' })
    expect([paths(), types()]).toEqual([['password', 'password'], ['keyPair']])
    opaqueAnswers.answered = right
    commands.length = 0
    expect(await by()).toMatchObject({ type: 'answered', value: { words: 'abandon art' } })
    expect(commands.find(({ type }) => type === 'unlock')).toMatchObject({ password: 'secret key', only: true })
  })

  it('keys of a wallet with a passkey are told without the password, because the vault asked for the passkey', async () => {
    answers['/wallet/v1/export'] = [withSlots('passkey', 'password')]
    expect(await keeper.perform({ type: 'export', password: false })).toMatchObject({ type: 'answered' })
    expect(commands.find(({ type }) => type === 'unlock')).toMatchObject({ password: null, only: false })
  })

  it('keys are locked after they were told in strict mode', async () => {
    records.all.set(`strict ${USER}`, true)
    answers['/wallet/v1/export'] = [withSlots('passkey')]
    expect(await keeper.perform({ type: 'export', password: false })).toMatchObject({ type: 'answered' })
    expect(types()).toEqual(['keyPair', 'unlock', 'export', 'lock'])
  })

  it('the code of a kit is told after its slot was stored, and not if it was refused', async () => {
    answers['/wallet/v1/slot'] = [
      [403, { reasons: [{ field: 'confirm', description: 'No' }] }],
      [200, record]
    ]
    expect(await keeper.perform({ type: 'makeKit' })).toMatchObject({ type: 'failed', message: 'No' })
    const outcome = await keeper.perform({ type: 'makeKit' })
    expect(outcome).toEqual({ type: 'answered', value: { type: 'kit', code: '0000-1111', mark: '0102' } })
    expect(asked[1]?.body).toEqual({ slot: { id: 's', hint: '{"mark":"0102"}' } })
  })

  it('a passkey is stored with its public key, and its output goes to the signer alone', async () => {
    answers['/wallet/v1/slot'] = [[200, record]]
    const passkey = { credential: 'C', key: 'K', salt: 'S', output: 'secret output' }
    expect(await keeper.perform({ type: 'storePasskey', passkey })).toEqual({ type: 'answered', value: null })
    expect(commands[0]).toMatchObject({ output: 'secret output', hint: '{"credential":"C","salt":"S","key":"K"}' })
    expect(asked[0]?.body).toEqual({ slot: { id: 'p' }, passkey: { credential: 'C', key: 'K' } })
    expect(JSON.stringify(asked)).not.toContain('secret output')
  })

  const chosen = 'correct horse battery'

  it('a password is set by messages alone: neither it nor its key is in a request', async () => {
    answers['/wallet/v1/password/set'] = [[200, { response: 'r', state: 's' }]]
    answers['/wallet/v1/slot'] = [[200, record]]
    expect(await keeper.perform({ type: 'choosePassword', password: chosen })).toEqual({ type: 'done' })
    expect(opaque).toMatchObject([
      { type: 'choose', password: chosen },
      { type: 'answered', response: 'r' }
    ])
    expect(commands.at(-1)).toMatchObject({ type: 'password', key: 'secret key' })
    expect(asked).toEqual([
      { path: '/wallet/v1/password/set', body: { request: 'q' } },
      { path: '/wallet/v1/slot', body: { slot: { id: 'w' }, password: { state: 's', record: 'kept' } } }
    ])
  })

  it('a short password is refused with what to do, and asks nobody', async () => {
    for (const password of ['', 'elevenchars', '🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑', 'e\u0301'.repeat(11)]) {
      const told = await keeper.perform({ type: 'choosePassword', password })
      expect(told).toMatchObject({ type: 'failed', kind: 'refused', message: faults.passwordShort })
    }
    expect([asked, opaque]).toEqual([[], []])
  })

  it('a password that the vault refuses is forgotten', async () => {
    answers['/wallet/v1/password/set'] = [[403, { reasons: [{ field: 'confirm', description: 'No' }] }]]
    expect(await keeper.perform({ type: 'choosePassword', password: chosen })).toMatchObject({ message: 'No' })
    expect(opaque.map(({ type }) => type)).toEqual(['choose', 'forget'])
    expect(types()).not.toContain('password')
  })

  it('a recovery slot is put back with the key that the vault releases', async () => {
    answers['/wallet/v1/recovery'] = [unlocked]
    answers['/wallet/v1/slot'] = [[200, record]]
    expect(await keeper.perform({ type: 'restoreRecovery' })).toMatchObject({ type: 'answered' })
    expect(paths()).toEqual(['recovery', 'slot'])
    expect(types()).toEqual(['keyPair', 'recovery'])
  })
})

describe('a locked wallet', () => {
  beforeEach(async () => {
    records = new MemoryRecords()
    keeper = keeperOf(records)
    answers['/wallet/v1/login/code'] = [[200, { user, session, wallet: record, release }]]
    refuse.unlock = 'slots'
    expect(await keeper.perform(login)).toEqual({ type: 'answered', value: { locked: true } })
    asked.length = 0
    commands.length = 0
  })

  it('is never made anew, and its session is stored nowhere', () => {
    expect(types()).not.toContain('create')
    expect(records.all.has('session')).toBe(false)
  })

  it('opens by a kit, from then on by this device, and then its session is kept', async () => {
    refuse = {}
    const slot = { id: 'device' }
    signer.unlock = { type: 'unlocked', addresses, deviceSlot: slot }
    answers['/wallet/v1/unlock'] = [unlocked]
    answers['/wallet/v1/slot'] = [[200, record]]
    const outcome = await keeper.perform({ type: 'openByKit', code: '0000-1111' })
    signer.unlock = { type: 'unlocked', addresses, deviceSlot: null }
    expect(outcome).toEqual({ type: 'answered', value: { user, addresses } })
    expect(commands.find(({ type }) => type === 'unlock')).toMatchObject({ kit: '0000-1111', passkey: null })
    expect(asked[1]?.body).toEqual({ slot })
    expect(records.all.get('session')).toMatchObject({ user: USER, access: 'a1' })
  })

  it('opens by a password, of which the vault gets a message, and the same letters are the same password', async () => {
    refuse = {}
    answers['/wallet/v1/password'] = [[200, { response: 'r' }]]
    answers['/wallet/v1/unlock'] = [unlocked]
    const outcome = await keeper.perform({ type: 'tryPassword', password: 'cafe\u0301 au lait' })
    expect(outcome).toEqual({ type: 'answered', value: { user, addresses } })
    expect(opaque[0]).toMatchObject({ type: 'try', password: 'caf\u00e9 au lait' })
    expect(commands.find(({ type }) => type === 'unlock')).toMatchObject({ password: 'secret key', kit: null })
    expect(asked[0]).toEqual({ path: '/wallet/v1/password', body: { request: 'q' } })
    expect(JSON.stringify(asked)).not.toContain('secret key')
    expect(records.all.get('session')).toMatchObject({ user: USER })
  })

  it('says that a password is wrong, or when to try again', async () => {
    answers['/wallet/v1/password'] = [
      [200, { response: 'r' }],
      [429, { reasons: [{ field: '', description: 'Please try again after 600 seconds' }] }]
    ]
    opaqueAnswers.answered = { type: 'refused', reason: 'wrong' }
    const wrong = await keeper.perform({ type: 'tryPassword', password: 'x' })
    expect(wrong).toMatchObject({ type: 'failed', kind: 'refused', message: faults.passwordWrong })
    const limited = await keeper.perform({ type: 'tryPassword', password: 'x' })
    expect(limited).toMatchObject({ message: 'Please try again after 600 seconds' })
    expect(opaque.map(({ type }) => type)).toEqual(['try', 'answered', 'try', 'forget'])
    expect([types(), records.all.has('session')]).toEqual([[], false])
  })

  it('says what is wrong with what was typed', async () => {
    answers['/wallet/v1/unlock'] = [unlocked, unlocked, unlocked]
    const said = async (operation: Parameters<Keeper['perform']>[0], reason: string) => {
      refuse.unlock = reason
      return (await keeper.perform(operation)) as { message: string }
    }
    const kit: FrameOperation = { type: 'openByKit', code: 'x' }
    expect((await said(kit, 'command')).message).toBe('This code has a typing error. Check each letter.')
    expect((await said(kit, 'slots')).message).toBe('This code belongs to another kit. Use the newest one.')
    expect((await said({ type: 'openByOutput', output: 'o' }, 'slots')).message).toContain('passkey')
    expect(records.all.has('session')).toBe(false)
  })
})

describe('a login by passkey', () => {
  const proof = { transaction: 't', credential: 'C', authenticator: 'A', client: 'D', signature: 'S' }
  const finish = '/wallet/v1/login/passkey/finish'

  it('opens the wallet by the output, which no request carries', async () => {
    answers[finish] = [[200, { user, session, wallet: record, release }]]
    const outcome = await keeper.perform({ type: 'logInByOutput', proof, output: 'secret output' })
    expect(outcome).toEqual({ type: 'answered', value: { user, addresses } })
    expect(asked[0]).toEqual({ path: finish, body: { proof, key: 'k' } })
    expect(commands.find(({ type }) => type === 'unlock')).toMatchObject({ passkey: 'secret output' })
    expect(JSON.stringify(asked)).not.toContain('secret output')
  })

  it('whose output opens nothing, without a wallet, or unknown to the vault, leaves no session', async () => {
    answers[finish] = [
      [200, { user, session, wallet: record, release }],
      [200, { user, session, wallet: null, release }],
      [403, { reasons: [{ field: 'passkey', description: faults.passkeyForeign }] }],
      [410, { reasons: [{ field: 'transaction', description: faults.ended }] }]
    ]
    refuse.unlock = 'slots'
    for (const words of ["doesn't open the wallet", 'No wallet found', 'No wallet found', faults.ended]) {
      const outcome = await keeper.perform({ type: 'logInByOutput', proof, output: 'o' })
      expect(outcome).toMatchObject({ type: 'failed', kind: 'refused', message: expect.stringContaining(words) })
      expect(records.all.has('session')).toBe(false)
    }
    expect(types()).not.toContain('create')
  })
})

describe('a new wallet by a passkey', () => {
  const created = '/wallet/v1/login/passkey/new'
  const passkey = { credential: 'C', key: 'K', salt: 'S', output: 'secret output' }
  const order = { type: 'createByOutput', passkey, project: 'demo', host: 'https://shop.example.org' } as const

  beforeEach(() => {
    records = new MemoryRecords()
    keeper = keeperOf(records)
    answers['/wallet/v1/wallet'] = [[200, record]]
  })

  it('has the slot of the passkey before its session is kept, and no request has the output', async () => {
    answers[created] = [[200, { user, session, wallet: null, release }]]
    answers['/wallet/v1/slot'] = [[200, record]]
    const outcome = await keeper.perform(order)
    expect(outcome).toEqual({ type: 'answered', value: { user, addresses } })
    expect(asked.map(({ path }) => path)).toEqual([created, '/wallet/v1/wallet', '/wallet/v1/slot'])
    expect(asked[2]?.body).toMatchObject({ passkey: { credential: 'C', key: 'K' } })
    expect(records.all.has('session')).toBe(true)
    expect(JSON.stringify(asked)).not.toContain('secret output')
  })

  it('whose passkey was not stored, or that the server had before, leaves no session', async () => {
    answers[created] = [
      [200, { user, session, wallet: null, release }],
      [200, { user, session, wallet: record, release }]
    ]
    answers['/wallet/v1/slot'] = [[503, { reasons: [{ field: '', description: faults.later }] }]]
    for (let tried = 0; tried < 2; tried += 1) {
      expect(await keeper.perform(order)).toMatchObject({ type: 'failed', message: faults.later })
      expect(records.all.has('session')).toBe(false)
    }
  })
})

describe('storage', () => {
  it('that the browser evicted leads to the stored wallet again, and never to a new one', async () => {
    const evicted = new MemoryRecords()
    answers['/wallet/v1/login/code'] = [[200, { user, session, wallet: record, release }]]
    expect(await keeperOf(evicted).perform(login)).toEqual({ type: 'answered', value: { user, addresses } })
    expect(types()).toEqual(['keyPair', 'unlock'])
    expect(paths()).toEqual(['login/code'])
  })

  it('that the browser denies is told as that', async () => {
    const denied = new MemoryRecords()
    denied.get = () => Promise.reject(new StorageError('denied'))
    const ask: FrameOperation = { type: 'ask', path: '/wallet/v1/login/email', body: {}, session: false }
    expect(await keeperOf(denied).perform(ask)).toEqual({ type: 'failed', kind: 'noStorage', message: '' })
    expect(await keeperOf(denied).perform(login)).toEqual({ type: 'failed', kind: 'noStorage', message: '' })
  })
})
