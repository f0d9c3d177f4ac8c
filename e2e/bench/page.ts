//! Pages to measure: each with a fresh profile, an empty cache and two wallets that need no download.

import type { Browser, CDPSession, Page } from 'playwright-core'

export interface Measured {
  readonly page: Page
  readonly cdp: CDPSession
  close(): Promise<void>
}

export interface Conditions {
  /** Factor by which the processor is slowed down. */
  readonly slowdown?: number
  readonly network?: { readonly down: number; readonly up: number; readonly latency: number }
  /** Whether remote wallets are available; their entry is the first. */
  readonly relays?: boolean
  /** Whether the page has a touch screen. */
  readonly touch?: boolean
}

/** Slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms latency. */
export const SLOW_4G = { down: 1_600_000 / 8, up: 750_000 / 8, latency: 150 }

export async function freshPage(
  browser: Browser,
  { slowdown = 1, network, relays, touch = false }: Conditions = {}
): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, hasTouch: touch })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  if (slowdown !== 1) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  if (network) {
    const { down, up, latency } = network
    const conditions = { offline: false, latency, downloadThroughput: down, uploadThroughput: up }
    await cdp.send('Network.emulateNetworkConditions', conditions)
  }
  if (relays)
    await page.addInitScript(() => {
      const relayUrl = `${location.origin.replace('http', 'ws')}/relay`
      Object.assign(window, { more: { relays: [{ relayUrl }] } })
    })
  await page.addInitScript(announceTwoWallets)
  await page.addInitScript(watchModal)
  return { page, cdp, close: () => context.close() }
}

/** Time without a request after which the page counts as quiet, in milliseconds; related requests follow sooner. */
const QUIET = 500

/** Waits until the page sends no more requests. */
export async function quiet(page: Page): Promise<void> {
  const { promise, resolve } = withResolvers()
  let open = 0
  let timer = setTimeout(resolve, QUIET)
  const begun = () => {
    open += 1
    clearTimeout(timer)
  }
  const ended = () => {
    open -= 1
    clearTimeout(timer)
    if (open <= 0) timer = setTimeout(resolve, QUIET)
  }
  page.on('request', begun).on('requestfinished', ended).on('requestfailed', ended)
  await promise
  page.off('request', begun).off('requestfinished', ended).off('requestfailed', ended)
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Runs in the page: announces two wallets as extensions do. */
function announceTwoWallets(): void {
  const icon =
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8'/></svg>"
  const details = ['One', 'Two'].map((name, index) =>
    Object.freeze({
      info: {
        uuid: `00000000-0000-4000-8000-00000000000${index}`,
        name: `Wallet ${name}`,
        rdns: `test.wallet.n${index}`,
        icon
      },
      provider: {
        request({ method }: { method: string }) {
          window.dispatchEvent(new CustomEvent('asked', { detail: method }))
          return new Promise(() => {})
        },
        on() {},
        removeListener() {}
      }
    })
  )
  const announce = () => {
    for (const detail of details) window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

/** Times in milliseconds from the click. */
export interface Painted {
  /** To the frame in which the card has at least half of its opacity. */
  readonly card: number
  /** To the frame whose rows can be chosen. */
  readonly list: number
  /** To the frame in which the core's rows can be chosen. */
  readonly core: number
  /** Time of the click, from the start of the page. */
  readonly clicked: number
}

export interface Watcher {
  /** Returns the button once it can be clicked. */
  button(): HTMLElement | null
  painted: Promise<Painted>
  /** Time from the click to the account request that the first wallet receives. */
  asked: Promise<number>
  clickAtOnce(): void
  /** Chooses the first announced wallet in the first frame in which it can be chosen. */
  chooseAtOnce(): void
}

/** Runs in the page: records when the modal and its list are painted after the first click. */
function watchModal(): void {
  const roots = (): (Document | ShadowRoot)[] => {
    const found: (Document | ShadowRoot)[] = [document]
    for (const root of found)
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) found.push(element.shadowRoot)
    return found
  }
  const find = (selector: string): HTMLElement | null => {
    for (const root of roots()) {
      const element = root.querySelector<HTMLElement>(selector)
      if (element && element.getBoundingClientRect().height > 0) return element
    }
    return null
  }
  const frame = (work: () => boolean): Promise<number> =>
    new Promise((resolve) => {
      const look = () =>
        requestAnimationFrame(() => {
          if (!work()) return look()
          // A task after the frame, when the frame has been presented.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(0)
        })
      look()
    })
  const button = () => find('[data-testid="connect-button"]')
  /** Effective opacity of an element: a modal that fades in exists before it is visible. */
  const opacity = (element: Element | null): number => {
    let seen = 1
    for (let one: Element | null = element; one; one = one.parentElement) seen *= Number(getComputedStyle(one).opacity)
    return seen
  }
  const seen = (element: HTMLElement | null) => element !== null && opacity(element) >= 0.5
  const wallet = '[data-testid^="wallet-selector-test."]:enabled'
  const painted = new Promise<Painted>((resolve) => {
    window.addEventListener(
      'click',
      ({ timeStamp }) => {
        const shown = frame(() => seen(find('[data-testid="w3m-modal-card"]')))
        const listed = frame(() => seen(find(wallet)))
        const taken = frame(() => seen(find(`.card[role] ${wallet}`)))
        Promise.all([shown, listed, taken]).then(([card, list, core]) =>
          resolve({ card: card - timeStamp, list: list - timeStamp, core: core - timeStamp, clicked: timeStamp })
        )
      },
      { capture: true, once: true }
    )
  })
  const clickAtOnce = () => {
    frame(() => {
      const there = button()
      there?.click()
      return there !== null
    })
  }
  const chooseAtOnce = () => {
    frame(() => {
      const there = find(wallet)
      there?.click()
      return there !== null
    })
  }
  const asked = new Promise<number>((resolve) => {
    let clicked = Number.NaN
    window.addEventListener('click', ({ timeStamp }) => (clicked = timeStamp), { capture: true, once: true })
    window.addEventListener('asked', ({ detail }: CustomEventInit<string>) => {
      if (detail === 'eth_requestAccounts') resolve(performance.now() - clicked)
    })
  })
  Object.assign(window, { watcher: { button, painted, asked, clickAtOnce, chooseAtOnce } satisfies Watcher })
}
