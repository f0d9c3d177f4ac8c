import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { ApprovalPhrase } from '../generated/frame.ts'
import { ar } from './ar.ts'
import { en, type Texts } from './en.ts'
import { faults, keyOf } from './faults.ts'
import { languageOf } from './language.ts'
import { faultText, filled, language, speak, words, written } from './words.ts'

afterEach(async () => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  await speak('en')
})

/** All texts of a language, by the path of their keys. */
function all(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[`${path}${key}`, text] as [string, string]] : all(text, `${path}${key}.`)
  )
}

const gaps = (text: string) => [...text.matchAll(/\{[#@]?\d\}/g)].map(([gap]) => gap).sort()

it('Arabic has each text, with the same gaps, in Arabic letters', () => {
  const arabic = new Map(all(ar))
  const english = all(en)
  expect([...arabic.keys()].sort()).toEqual(english.map(([key]) => key).sort())
  const same = ['direction', 'approval.labels.item', 'approval.stages.ready']
  for (const [key, text] of english) {
    const own = arabic.get(key) ?? ''
    expect([key, gaps(own)]).toEqual([key, gaps(text)])
    const letters = text.replace(/\{[#@]?\d\}/g, '').match(/[a-z]/i)
    if (letters && !same.includes(key)) expect(own, key).toMatch(/[\u0600-\u06ff]/)
  }
})

it('a language without texts, one that is none, and one that cannot be loaded are English', async () => {
  for (const asked of ['de', 'de-CH', '', '__proto__', 'constructor', 'en-GB']) {
    await speak(asked)
    expect([language(), words()]).toEqual(['en', en])
  }
  await speak('AR-eg')
  expect([language(), words()]).toEqual(['ar', ar])
})

it('the address names the language, and nothing that is none', () => {
  vi.stubGlobal('navigator', { language: 'fr-FR' })
  expect(['ar', 'pt-BR', 'zh-Hant-TW'].map(languageOf)).toEqual(['ar', 'pt-BR', 'zh-Hant-TW'])
  for (const named of [null, '', 'a', '../en', 'en<b>', 'x'.repeat(40)]) expect(languageOf(named)).toBe('fr-FR')
})

it('numbers are grouped and exact, times name their zone, and addresses are as they are', async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  const said = (phrase: ApprovalPhrase, ...values: string[]) => written({ phrase, values })
  expect(said('amount', '1234567.000000000000000001', 'ETH')).toBe('1,234,567.000000000000000001 ETH')
  expect(said('amount', '<0.001', 'WETH')).toBe('<0.001 WETH')
  expect(said('plain', '1234567')).toBe('1234567')
  expect(said('mayTakeUnits', '0xAb', '5000', 'USDC')).toBe('0xAb can take 5,000 smallest units of USDC')
  expect(said('date', '2027-01-15T08:00:00Z')).toBe('Jan 15, 2027, 5:00:00 PM GMT+9')
  expect(said('date', 'soon')).toBe('soon')
  expect(said('never')).toBe('Never')
  await speak('ar')
  expect(said('plain', '0xAb')).toBe('0xAb')
  expect(said('amount', '1234.5', 'ETH')).toBe('\u20681,234.5\u2069 \u2068ETH\u2069')
})

it('a rest is told in seconds below two minutes, and in minutes from there on', () => {
  const told = [1, 119, 120, 121, 3600].map((seconds) => faultText(`Please try again after ${seconds} seconds`))
  expect(told.map((text) => text.replace('Please try again after ', ''))).toEqual([
    '1 second',
    '119 seconds',
    '2 minutes',
    '3 minutes',
    '60 minutes'
  ])
})

it('a value that looks like a gap fills none', () => {
  expect(filled('{0} and {1}', '{1}', 'b')).toBe('{1} and b')
  expect(written({ phrase: 'itemsOf', values: ['{0} $& {#0}'] })).toBe('NFTs of {0} $& {#0}')
})

it('what failed is told in the language, and as it is where its sentence is not known', async () => {
  await speak('ar')
  expect(faultText(faults.kitTypo)).toBe(ar.faults.kitTypo)
  expect(faultText('Please try again after 12 seconds')).toBe(filled(ar.faults.again, '12'))
  expect(faultText('Please try again after 344 seconds')).toBe(filled(ar.faults.againLater, '6'))
  expect(faultText('Please try again after <b> seconds')).toBe('Please try again after <b> seconds')
  expect(faultText('The roof is on fire')).toBe('The roof is on fire')
})

/** Text of all Rust files of a folder. */
function rust(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.rs'))
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
}

it('the sentences of machine and server are those that they send', () => {
  const crates = join(import.meta.dirname, '../../../../crates')
  const folders = ['frame-core/src', 'server/src/vault', 'api/src']
  const sources = folders.map((folder) => rust(join(crates, folder))).join('\n')
  const own = [
    'kitTypo',
    'kitOther',
    'passwordShort',
    'passwordDiffers',
    'passwordWrong',
    'passkeyOther',
    'passkeyUnknown',
    'passkeyNoPrf',
    'passkeyKnown',
    'passkeyNone',
    'passkeyUnused',
    'unproved'
  ]
  const ofPage = new Set<string>([
    ...own,
    'againOne',
    'againLater',
    'popup',
    'otherRequest',
    'unopened',
    'lost',
    'unlinked'
  ])
  for (const [key, text] of Object.entries(faults)) {
    if (ofPage.has(key)) continue
    expect(sources.includes(text.replace('{0}', '{seconds}')), text).toBe(true)
  }
})

it('each refusal of the settings has a text in each language', () => {
  const files = ['confirm', 'account', 'export', 'wallet', 'passkey', 'password']
  const vault = join(import.meta.dirname, '../../../../crates/server/src/vault')
  const source = files.map((file) => readFileSync(join(vault, `${file}.rs`), 'utf8')).join('\n')
  const refusals = /StatusCode::(?:CONFLICT|FORBIDDEN|GONE|NOT_FOUND), "[^"]*", "([A-Z][^"]*)"/g
  // Those that no visitor reaches by the settings.
  const unreached = ['There is a slot of this id', 'This user has a wallet', 'This user has no wallet yet']
  const other = ['The wallet has a recovery slot', 'This request was answered before', 'This link has ended']
  const known = new Set([...unreached, ...other])
  const told = [...source.matchAll(refusals)].map(([, sentence = '']) => sentence).filter((one) => !known.has(one))
  expect(told.length).toBeGreaterThan(4)
  for (const sentence of told) expect(keyOf(sentence), sentence).toBeDefined()
})

it('both languages have the same shape', () => {
  const languages: readonly Texts[] = [en, ar]
  expect(languages.map(({ direction }) => direction)).toEqual(['ltr', 'rtl'])
})
