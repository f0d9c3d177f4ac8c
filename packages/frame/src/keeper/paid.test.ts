import { expect, it } from 'vitest'
import { MemoryRecords } from '../testing/records.ts'
import { keepPaid, readPaid } from './paid.ts'

const OWN = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

it('receivers are kept for each account, the latest first and once', async () => {
  const records = new MemoryRecords()
  for (const paid of ['1:0xa', '1:0xb', '10:0xa', '1:0xa']) await keepPaid(records, OWN, paid)
  await keepPaid(records, '0xother', '1:0xc')
  await keepPaid(records, 'AbC', 'solana:main:To')
  expect(await readPaid(records, OWN.toLowerCase())).toEqual(['1:0xa', '10:0xa', '1:0xb'])
  expect(await readPaid(records, '0xOTHER')).toEqual(['1:0xc'])
  expect(await readPaid(records, '0xnobody')).toEqual([])
  // An address of Solana in another case is another one.
  expect([await readPaid(records, 'AbC'), await readPaid(records, 'ABC')]).toEqual([['solana:main:To'], []])
})

it('no more than 200 are kept, and a record of another form is none', async () => {
  const records = new MemoryRecords()
  for (let index = 0; index < 210; index++) await keepPaid(records, OWN, `1:${index}`)
  const kept = await readPaid(records, OWN)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([200, '1:209', '1:10'])
  await records.set(`paid ${OWN.toLowerCase()}`, { 0: 'x' })
  expect(await readPaid(records, OWN)).toEqual([])
  await keepPaid(records, OWN, '1:0xa')
  expect(await readPaid(records, OWN)).toEqual(['1:0xa'])
})
