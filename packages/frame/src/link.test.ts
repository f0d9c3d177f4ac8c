import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { FrameOperation, FrameOutcome } from './generated/frame.ts'
import type { PageOrder } from './keeper/settings.ts'
import { addLogin } from './link.ts'
import { faults } from './text/faults.ts'

const ORIGIN = 'https://wallet.example.org'
const HOST = 'https://shop.example'
const PAGE = `${HOST}/cart?id=1`
const CODE = 'c'.repeat(43)
const back = (rest: string) => ({ type: '@portico/social', uri: `${ORIGIN}/wallet/callback/${rest}` })

const parent = {}

let listeners: ((event: object) => void)[]
let opened: { closed: boolean; close: () => void; location: { replace: (uri: string) => void } }
let pages: string[]
let hasFocus: boolean
let asked: (FrameOperation | PageOrder)[]
let answers: FrameOutcome[]

const worker = async (operation: FrameOperation | PageOrder): Promise<FrameOutcome> => {
  asked.push(operation)
  return answers.shift() ?? { type: 'done' }
}

const post = (data: object, source: unknown = opened, origin = ORIGIN) => {
  for (const hear of [...listeners]) hear({ data, source, origin })
}

beforeEach(() => {
  vi.useFakeTimers()
  listeners = []
  pages = []
  asked = []
  answers = [{ type: 'answered', value: { transaction: 't1', uri: 'https://login.example/' } }]
  opened = {
    closed: false,
    close() {
      opened.closed = true
    },
    location: { replace: (uri) => pages.push(uri) }
  }
  const search = `?host=${encodeURIComponent(HOST)}`
  vi.stubGlobal('location', { origin: ORIGIN, search, hash: `#back=${encodeURIComponent(PAGE)}` })
  vi.stubGlobal('document', { hasFocus: () => hasFocus })
  hasFocus = true
  vi.stubGlobal('window', {
    parent,
    open: () => opened,
    addEventListener: (_: string, hear: (event: object) => void) => listeners.push(hear),
    removeEventListener: (_: string, gone: unknown) => {
      listeners = listeners.filter((hear) => hear !== gone)
    }
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** An addition whose visitor is at the service. */
async function away(): Promise<Promise<FrameOutcome>[]> {
  const adding = addLogin('google', worker)
  adding.catch(() => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(pages).toEqual(['https://login.example/'])
  return [adding]
}

it('the code of the callback page in its own window adds the login, and the window is closed', async () => {
  const [adding] = await away()
  post(back(`google?code=${CODE}`))
  expect(await adding).toEqual({ type: 'done' })
  expect(asked).toEqual([
    { type: 'ask', path: '/wallet/v1/login/link', body: { provider: 'google', back: PAGE }, session: true },
    { type: 'ask', path: '/wallet/v1/login/link/finish', body: { transaction: 't1', code: CODE }, session: true }
  ])
  expect([opened.closed, listeners.length]).toEqual([true, 0])
})

it('messages of other windows, origins, services and types are not heard', async () => {
  const [adding] = await away()
  const code = `?code=${CODE}`
  post(back(`google${code}`), window)
  post(back(`google${code}`), opened, 'https://evil.example')
  post(back(`github${code}`))
  post({ ...back(`google${code}`), type: 'other' })
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveLength(1)
  post(back('google'))
  await expect(adding).rejects.toThrow(faults.unlinked)
})

it('a window that the service cut off comes back by a page of the host', async () => {
  const [adding] = await away()
  opened.closed = true
  hasFocus = false
  await vi.advanceTimersByTimeAsync(60_000)
  const uri = back(`google?code=${CODE}`)
  post(uri, parent, 'https://evil.example')
  post(uri, window, HOST)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveLength(1)
  post(uri, parent, HOST)
  expect(await adding).toEqual({ type: 'done' })
  expect(asked.at(-1)).toMatchObject({ path: '/wallet/v1/login/link/finish', body: { code: CODE } })
})

it('a window that the visitor closes adds nothing, and neither does a blocked one', async () => {
  const [adding] = await away()
  opened.closed = true
  await vi.advanceTimersByTimeAsync(1_000)
  await expect(adding).rejects.toThrow(faults.unlinked)
  vi.stubGlobal('window', { open: () => null })
  await expect(addLogin('google', worker)).rejects.toThrow(faults.popup)
  expect(asked).toHaveLength(1)
})

it('what the vault refuses is told as it says it, and no page is opened', async () => {
  const refused: FrameOutcome = { type: 'failed', kind: 'refused', message: faults.unconfirmed }
  answers = [refused]
  expect(await addLogin('google', worker)).toEqual(refused)
  expect([pages, opened.closed]).toEqual([[], true])
})
