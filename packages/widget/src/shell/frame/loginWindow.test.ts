// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTab, takeTab } from '../perform/browser.ts'
import { handOver } from './loginReturn.ts'
import { leadLogin as lead } from './loginWindow.ts'

const WALLET = 'https://wallet.example'
const URI = `${WALLET}/wallet/callback/google?code=abc`

const leadLogin = (href: string | null, origin: string) => lead(takeTab(), href, origin)

class Popup {
  closed = false
  readonly replace = vi.fn()
  readonly location = { replace: this.replace }
  close(): void {
    this.closed = true
  }
}

/** Channel between pages, which delivers within the call: virtual time knows no other page. */
class Channel {
  static readonly #open = new Set<Channel>()
  onmessage?: ((event: { data: unknown }) => void) | null
  constructor() {
    Channel.#open.add(this)
  }
  postMessage(data: unknown): void {
    if (!Channel.#open.has(this)) throw new Error('Channel is closed')
    for (const other of [...Channel.#open]) if (other !== this) other.onmessage?.({ data })
  }
  close(): void {
    Channel.#open.delete(this)
  }
}

let popup: Popup

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('BroadcastChannel', Channel)
  popup = new Popup()
  vi.spyOn(window, 'open').mockImplementation(() => popup as unknown as Window)
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function hand(message: { source?: unknown; origin?: string; data?: unknown } = {}): void {
  const { source = popup, origin = WALLET, data = { type: '@portico/social', uri: URI } } = message
  const event = new MessageEvent('message', { data, origin })
  Object.defineProperty(event, 'source', { value: source })
  window.dispatchEvent(event)
}

/** A page of the host hands an address over; resolves with whether this page took it. */
async function over(uri = URI): Promise<boolean> {
  const taken = handOver('login', uri)
  await vi.advanceTimersByTimeAsync(300)
  return taken
}

/** A login whose window is at the service; what became of it. */
function led(): { ended: ReturnType<typeof vi.fn>; failed: ReturnType<typeof vi.fn> } {
  openTab(true)
  const [ended, failed] = [vi.fn(), vi.fn()]
  leadLogin('https://login.example/?state=1', WALLET).then(ended, failed)
  return { ended, failed }
}

it('leads the window to the service and hears the address that the page of the wallet hands over', async () => {
  const { ended } = led()
  expect(popup.replace).toHaveBeenCalledWith('https://login.example/?state=1')
  hand()
  await vi.advanceTimersByTimeAsync(0)
  expect(ended).toHaveBeenCalledWith({ type: 'answered', value: URI })
  expect(popup.closed).toBe(true)
})

it('hears no other window, no other origin and no other message', async () => {
  const { ended, failed } = led()
  hand({ source: window })
  hand({ source: null })
  hand({ origin: 'https://login.example' })
  hand({ origin: 'https://wallet.example.evil.example' })
  hand({ data: { type: '@portico/other', uri: URI } })
  hand({ data: { type: '@portico/social', uri: 7 } })
  hand({ data: { type: '@portico/social', uri: 'a'.repeat(4097) } })
  hand({ data: null })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ended).not.toHaveBeenCalled()
  expect(failed).not.toHaveBeenCalled()
  hand()
  await vi.advanceTimersByTimeAsync(0)
  expect(ended).toHaveBeenCalledTimes(1)
})

it('a window that the visitor closes ends the login, and a message after that is not heard', async () => {
  const { ended, failed } = led()
  popup.closed = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(failed).toHaveBeenCalledTimes(1)
  hand()
  await vi.advanceTimersByTimeAsync(0)
  expect(ended).not.toHaveBeenCalled()
})

it('a window that the service cut off from this page hands its address over through a page of the host', async () => {
  const { ended, failed } = led()
  expect(await over()).toBe(false)
  popup.closed = true
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(failed).not.toHaveBeenCalled()
  expect(await over('a'.repeat(4097))).toBe(false)
  expect(ended).not.toHaveBeenCalled()
  expect(await over()).toBe(true)
  expect(ended).toHaveBeenCalledWith({ type: 'answered', value: URI })
  expect(await over()).toBe(false)
})

it('a message that came with the closing counts', async () => {
  const { ended, failed } = led()
  popup.closed = true
  hand()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ended).toHaveBeenCalledTimes(1)
  expect(failed).not.toHaveBeenCalled()
})

it('null closes the window and ends the login', async () => {
  const { failed } = led()
  const { close } = popup
  expect(await leadLogin(null, WALLET)).toEqual({ type: 'done' })
  await vi.advanceTimersByTimeAsync(0)
  expect([failed.mock.calls.length, popup.closed, popup.close]).toEqual([1, true, close])
})

it('null closes a window that was not led yet', async () => {
  openTab(true)
  await leadLogin(null, WALLET)
  expect(popup.closed).toBe(true)
})

it('a second login ends the first and closes its window', async () => {
  const first = led()
  const before = popup
  popup = new Popup()
  const second = led()
  hand()
  await vi.advanceTimersByTimeAsync(0)
  expect([first.failed.mock.calls.length, second.ended.mock.calls.length, before.closed]).toEqual([1, 1, true])
})

it('opens nothing that runs code, and leads no window that is gone', () => {
  openTab(true)
  expect(() => leadLogin('javascript:alert(1)', WALLET)).toThrow("Can't open")
  expect(popup.closed).toBe(true)
  expect(() => leadLogin('https://login.example/', WALLET)).toThrow('closed')
})
