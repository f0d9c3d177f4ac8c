import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MemoryRecords } from '../testing/records.ts'
import { Keeper } from './Keeper.ts'
import { keepSite, readSite } from './site.ts'

const shop = 'AA https://shop.example.org'
const none = { blocked: false, declines: [] }

beforeEach(() => {
  vi.useFakeTimers({ now: 7, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('a block is kept for a visitor and a page, until it is taken back', async () => {
  const records = new MemoryRecords()
  expect(await readSite(records, shop)).toEqual(none)
  await keepSite(records, shop, 'declined')
  await keepSite(records, shop, 'blocked')
  expect(await readSite(records, shop)).toEqual({ blocked: true, declines: [7] })
  for (const other of ['BB https://shop.example.org', 'AA https://other.example.org'])
    expect(await readSite(records, other)).toEqual(none)
  await keepSite(records, shop, 'allowed')
  expect(await readSite(records, shop)).toEqual(none)
})

it('a request that is declined or signed in another tab leaves the block', async () => {
  const records = new MemoryRecords()
  await keepSite(records, shop, 'blocked')
  for (let times = 0; times < 4; times += 1) await keepSite(records, shop, 'declined')
  expect(await readSite(records, shop)).toEqual({ blocked: true, declines: [7, 7, 7] })
  await keepSite(records, shop, 'signed')
  expect(await readSite(records, shop)).toEqual({ blocked: true, declines: [] })
})

it.each([
  'blocked',
  7,
  [],
  { blocked: 'true', declines: 'x' },
  { blocked: 1, declines: ['1', -1, 0.5, Number.NaN, null] },
  { declines: { length: 3 } }
])('a record of another form is none: %j', async (stored) => {
  const records = new MemoryRecords()
  await records.set(`site ${shop}`, stored)
  expect(await readSite(records, shop)).toEqual(none)
  await keepSite(records, shop, 'declined')
  expect(await readSite(records, shop)).toEqual({ blocked: false, declines: [7] })
})

it('of a long list the last three times count', async () => {
  const records = new MemoryRecords()
  await records.set(`site ${shop}`, { blocked: false, declines: [1, 2, 3, 4, 5] })
  expect((await readSite(records, shop)).declines).toEqual([3, 4, 5])
})

it('another worker of this browser knows it, with or without a session', async () => {
  const records = new MemoryRecords()
  const refused = () => Promise.reject(new Error('Only the records are used'))
  const keeper = () =>
    new Keeper({ records, command: refused, password: refused, fetch: refused, exclusively: (work) => work() })
  expect(await keeper().perform({ type: 'keepSite', site: shop, deed: 'blocked' })).toEqual({ type: 'done' })
  const value = { blocked: true, declines: [] }
  expect(await keeper().perform({ type: 'readSite', site: shop })).toEqual({ type: 'answered', value })
})
