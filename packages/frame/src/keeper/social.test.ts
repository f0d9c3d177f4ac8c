import { beforeEach, expect, it } from 'vitest'
import type { FrameOperation } from '../generated/frame.ts'
import { MemoryRecords } from '../testing/records.ts'
import { Keeper } from './Keeper.ts'

const user = { id: 'AAAAAAAAAAAAAAAAAAAAAA', email: null, name: 'Ada', provider: 'google' }
const addresses = { eip155: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }
const wallet = { id: 'w', blob: 'b', slots: [], addresses, frozen: false }
const session = { access: 'a1', accessExpires: Date.now() + 900_000, refresh: 'r1', refreshExpires: Date.now() + 9e9 }
const begin: FrameOperation = {
  type: 'ask',
  path: '/wallet/v1/login/social',
  body: { provider: 'google', project: 'demo', host: 'https://shop.example.org', back: null },
  session: false
}
const finish = (transaction: string | null, provider = 'google'): FrameOperation => ({
  type: 'finishSocial',
  transaction,
  provider,
  code: 'c'
})
const ended = { type: 'failed', kind: 'refused', message: 'This login has ended. Start again.' }

let records: MemoryRecords
let asked: { path: string; body: unknown }[]

/** A worker of a page; pages of one browser share the records. */
function keeper(): Keeper {
  const answers: Record<string, unknown> = {
    '/wallet/v1/login/social': { transaction: 't1', uri: 'https://login.example/' },
    '/wallet/v1/login/jwt': { user, session, wallet, release: { enc: 'e', ciphertext: 'c' } },
    '/wallet/v1/login/social/finish': { user, session, wallet, release: { enc: 'e', ciphertext: 'c' } }
  }
  const signed: Record<string, object> = {
    keyPair: { type: 'keyPair', key: 'k' },
    unlock: { type: 'unlocked', addresses, deviceSlot: null }
  }
  return new Keeper({
    records,
    command: async (json) => JSON.stringify(signed[JSON.parse(json).type]),
    fetch: async (path, init) => {
      asked.push({ path, body: JSON.parse(String(init.body)) })
      return new Response(JSON.stringify(answers[path]))
    },
    password: () => Promise.reject(new Error('No password is used')),
    exclusively: (work) => work()
  })
}

beforeEach(() => {
  records = new MemoryRecords()
  asked = []
})

it('finishes the login that this page began, and keeps its session', async () => {
  expect(await keeper().perform(finish('t7'))).toEqual({ type: 'answered', value: { user, addresses } })
  expect(asked).toEqual([{ path: '/wallet/v1/login/social/finish', body: { transaction: 't7', code: 'c', key: 'k' } }])
  expect(records.all.get('session')).toMatchObject({ access: 'a1', user: user.id })
})

it("hands the host's own token to the vault, with the page that gave it, and keeps the session", async () => {
  const order = { type: 'logInByJwt', project: 'demo', host: 'https://shop.example.org', token: 'a.b.c' } as const
  expect(await keeper().perform(order)).toEqual({ type: 'answered', value: { user, addresses } })
  const body = { project: 'demo', host: 'https://shop.example.org', token: 'a.b.c', key: 'k' }
  expect(asked).toEqual([{ path: '/wallet/v1/login/jwt', body }])
  expect(records.all.get('session')).toMatchObject({ access: 'a1', user: user.id })
})

it('a page that took the place of the first finishes its login, once', async () => {
  await keeper().perform(begin)
  const later = keeper()
  expect(await later.perform(finish(null))).toMatchObject({ type: 'answered' })
  expect(asked[1]?.body).toEqual({ transaction: 't1', code: 'c', key: 'k' })
  expect(await later.perform(finish(null))).toEqual(ended)
  expect(asked).toHaveLength(2)
})

it('the login at one service is not finished by the return of another, and a browser without a login finishes none', async () => {
  await keeper().perform(begin)
  expect(await keeper().perform(finish(null, 'github'))).toEqual(ended)
  records = new MemoryRecords()
  expect(await keeper().perform(finish(null))).toEqual(ended)
  expect(asked).toHaveLength(1)
})
