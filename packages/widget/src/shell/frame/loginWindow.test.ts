// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTab, takeTab } from '../perform/browser.ts'
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

let popup: Popup

beforeEach(() => {
  vi.useFakeTimers()
  popup = new Popup()
  vi.spyOn(window, 'open').mockImplementation(() => popup as unknown as Window)
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function hand(message: { source?: unknown; origin?: string; data?: unknown } = {}): void {
  const { source = popup, origin = WALLET, data = { type: '@portico/social', uri: URI } } = message
  const event = new MessageEvent('message', { data, origin })
  Object.defineProperty(event, 'source', { value: source })
  window.dispatchEvent(event)
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
