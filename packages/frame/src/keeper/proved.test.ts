//! Strict mode in the worker: what the visitor proves is checked here, and opens alone.

import { createHash, generateKeyPairSync, sign as signs } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SigningOrder, Slot } from '../generated/frame.ts'
import { MemoryRecords } from '../testing/records.ts'
import { faults } from '../text/faults.ts'
import { Keeper } from './Keeper.ts'
import { challengeOf, type Given, type Subject } from './subject.ts'

const USER = 'AAAAAAAAAAAAAAAAAAAAAA'
const user = { id: USER, email: 'a@example.org', name: null, provider: 'email' }
const release = { enc: 'e', ciphertext: 'c' }
const addresses = { eip155: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }
const far = Date.now() + 9e9
const session = { access: 'a1', accessExpires: far, refresh: 'r1', refreshExpires: far }
const order: SigningOrder = { type: 'message', address: addresses.eip155, message: '0x6869' }
const click = { type: 'sign', order, proof: { type: 'click' } } as const
const wallet = new URL('https://wallet.example.org')

let records: MemoryRecords
let asked: string[]
let commands: { type: string; [field: string]: unknown }[]
let refuse: Record<string, string>
let slots: Partial<Slot>[]
let frozen: boolean
let keeper: Keeper

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { x, y } = pair.publicKey.export({ format: 'jwk' })
const point = Buffer.concat([Buffer.of(4), ...[x, y].map((part) => Buffer.from(part ?? '', 'base64url'))])
const passkey = (key?: string): Partial<Slot> => ({
  kind: 'passkey',
  hint: JSON.stringify({ credential: 'CC', salt: 'SS', key })
})

const signer: Record<string, object> = {
  keyPair: { type: 'keyPair', key: 'k' },
  unlock: { type: 'unlocked', addresses, deviceSlot: null },
  sign: { type: 'signed', result: '0x11' },
  lock: { type: 'locked' }
}
const opaque: Record<string, object> = {
  try: { type: 'asked', request: 'q' },
  answered: { type: 'opened', key: 'secret key', record: null },
  forget: { type: 'forgotten' }
}

interface Used {
  readonly origin?: string
  readonly domain?: string
  readonly flags?: number
  readonly type?: string
  readonly challenge?: string
}

/** Use of the passkey for a subject, by Node's own signature. */
async function used(subject: Subject, told: Used = {}): Promise<Given> {
  const { origin = wallet.origin, domain = wallet.hostname, flags = 5, type = 'webauthn.get' } = told
  const client = Buffer.from(
    JSON.stringify({ type, challenge: told.challenge ?? (await challengeOf(subject)), origin })
  )
  const hash = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
  const authenticator = Buffer.concat([hash(domain), Buffer.of(flags, 0, 0, 0, 1)])
  const signature = signs('sha256', Buffer.concat([authenticator, hash(client)]), pair.privateKey)
  const text = (bytes: Buffer) => bytes.toString('base64url')
  const proof = {
    transaction: '',
    credential: 'CC',
    authenticator: text(authenticator),
    client: text(client),
    signature: text(signature)
  }
  return { type: 'passkey', proof, output: 'output' }
}

const types = () => commands.map(({ type }) => type)
const unproved = (message: string) => ({ type: 'failed', kind: 'unproved', message })

beforeEach(() => {
  vi.stubGlobal('location', wallet)
  records = new MemoryRecords()
  records.all.set('session', { ...session, user: USER })
  asked = []
  commands = []
  refuse = {}
  frozen = false
  slots = [passkey(point.toString('base64url'))]
  keeper = new Keeper({
    records,
    command: async (json) => {
      const command = JSON.parse(json)
      commands.push(command)
      const reason = refuse[command.type]
      return JSON.stringify(reason ? { type: 'refused', reason, part: '' } : signer[command.type])
    },
    fetch: async (path) => {
      asked.push(path.replace('/wallet/v1/', ''))
      const record = { id: 'w', blob: 'b', slots, addresses, frozen }
      const refusal = { status: 'FAILED', reasons: [{ field: 'frozen', description: faults.frozen }] }
      if (path.endsWith('/unlock') && frozen) return new Response(JSON.stringify(refusal), { status: 403 })
      const told = path.endsWith('/password') ? { response: 'r' } : { user, wallet: record, release }
      return new Response(JSON.stringify(told))
    },
    password: async (json) => JSON.stringify(opaque[JSON.parse(json).type]),
    exclusively: (work) => work()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const turnOn = async () => keeper.perform({ type: 'setStrictBy', strict: true, given: await used({ strict: true }) })

describe('strict mode', () => {
  it('is off at first, and is turned on and off by a proof for just that', async () => {
    expect(await keeper.perform({ type: 'readStrict' })).toEqual({ type: 'answered', value: false })
    const other = await keeper.perform({ type: 'setStrictBy', strict: true, given: await used({ strict: false }) })
    expect([other, records.all.has(`strict ${USER}`)]).toEqual([unproved(faults.passkeyOther), false])
    expect(await turnOn()).toEqual({ type: 'done' })
    expect(await keeper.perform({ type: 'readStrict' })).toEqual({ type: 'answered', value: true })
    const without = { type: 'setStrict', strict: false, proof: { type: 'click' } } as const
    expect(await keeper.perform(without)).toEqual(unproved(faults.unproved))
    expect(await keeper.perform({ type: 'readStrict' })).toEqual({ type: 'answered', value: true })
    await keeper.perform({ type: 'setStrictBy', strict: false, given: await used({ strict: false }) })
    expect(await keeper.perform({ type: 'readStrict' })).toEqual({ type: 'answered', value: false })
  })

  it('signs by the passkey alone, and locks the keys after each signature', async () => {
    await turnOn()
    commands.length = 0
    const signed = await keeper.perform({ type: 'signBy', order, given: await used(order) })
    expect(signed).toEqual({ type: 'answered', value: '0x11' })
    expect(types()).toEqual(['keyPair', 'unlock', 'sign', 'lock'])
    expect(commands[1]).toMatchObject({ passkey: 'output', only: true })
  })

  it('signs nothing by a click, whatever the page says', async () => {
    await turnOn()
    commands.length = 0
    expect(await keeper.perform(click)).toEqual(unproved(faults.unproved))
    expect(types()).toEqual(['keyPair'])
  })

  it.each<[string, Used, SigningOrder?]>([
    ['for another request', {}, { ...order, message: '0x00' }],
    ['on another origin', { origin: 'https://evil.example' }],
    ['for another domain', { domain: 'evil.example' }],
    ['without the visitor being verified', { flags: 1 }],
    ['to make a passkey', { type: 'webauthn.create' }]
  ])('takes no use of a passkey %s', async (_, told, wanted = order) => {
    await turnOn()
    const outcome = await keeper.perform({ type: 'signBy', order, given: await used(wanted, told) })
    expect(outcome).toEqual(unproved(faults.passkeyOther))
    expect(types()).not.toContain('sign')
  })

  it('takes no signature by another key than that of the passkey, where its slot names one', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
    const parts = [other.x, other.y].map((part) => Buffer.from(part ?? '', 'base64url'))
    const given = await used(order)
    slots = [passkey(Buffer.concat([Buffer.of(4), ...parts]).toString('base64url'))]
    expect(await keeper.perform({ type: 'signBy', order, given })).toEqual(unproved(faults.passkeyOther))
    slots = [passkey()]
    expect(await keeper.perform({ type: 'signBy', order, given })).toMatchObject({ type: 'answered' })
  })

  it('takes no passkey whose output does not open the wallet', async () => {
    refuse.unlock = 'slots'
    const outcome = await keeper.perform({ type: 'signBy', order, given: await used(order) })
    expect(outcome).toEqual(unproved(faults.passkeyOther))
    expect(records.all.has('session')).toBe(true)
  })

  it('signs by the password where there is no passkey', async () => {
    slots = [{ kind: 'password', hint: null }]
    const given: Given = { type: 'password', password: 'correct horse battery' }
    await keeper.perform({ type: 'setStrictBy', strict: true, given })
    commands.length = 0
    expect(await keeper.perform({ type: 'signBy', order, given })).toEqual({ type: 'answered', value: '0x11' })
    expect(types()).toEqual(['keyPair', 'unlock', 'sign', 'lock'])
    expect(commands[1]).toMatchObject({ password: 'secret key', only: true })
  })

  it('signs by a click once passkey and password were removed elsewhere', async () => {
    await turnOn()
    slots = []
    commands.length = 0
    expect(await keeper.perform(click)).toEqual({ type: 'answered', value: '0x11' })
    expect(types()).toEqual(['keyPair', 'unlock', 'sign', 'lock'])
  })

  it('signs nothing with a frozen wallet', async () => {
    await turnOn()
    frozen = true
    const outcome = await keeper.perform({ type: 'signBy', order, given: await used(order) })
    expect(outcome).toEqual({ type: 'failed', kind: 'refused', message: faults.frozen })
    expect(types()).not.toContain('sign')
  })

  it('is of the user who set it, and outlives the session', async () => {
    await turnOn()
    records.all.set('session', { ...session, user: 'another' })
    expect(await keeper.perform({ type: 'readStrict' })).toEqual({ type: 'answered', value: false })
    records.all.set('session', { ...session, user: USER })
    await keeper.perform({ type: 'endSession' })
    records.all.set('session', { ...session, user: USER })
    expect(await keeper.perform({ type: 'readStrict' })).toEqual({ type: 'answered', value: true })
  })
})

describe('a decision of a window', () => {
  const decided = (digest: string, given?: Given) => keeper.perform({ type: 'signDecided', order, digest, given })

  it('signs what the window showed', async () => {
    expect(await decided(await challengeOf(order))).toEqual({ type: 'answered', value: '0x11' })
    expect(await decided(await challengeOf(order), await used(order))).toEqual({ type: 'answered', value: '0x11' })
  })

  it('about other bytes signs nothing, with a passkey for the right ones neither', async () => {
    for (const digest of ['', await challengeOf({ ...order, message: '0x00' })]) {
      expect(await decided(digest)).toEqual(unproved(faults.otherRequest))
      expect(await decided(digest, await used(order))).toEqual(unproved(faults.otherRequest))
    }
    expect(types()).toEqual([])
  })

  it('is no proof in strict mode', async () => {
    await turnOn()
    expect(await decided(await challengeOf(order))).toEqual(unproved(faults.unproved))
  })
})
