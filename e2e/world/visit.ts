//! Visit of a test: a fresh browser profile, a page, and a record of the page's requests and errors.

import type { DemoWallet } from '@portico/testkit'
import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core'
import { layoutFaults } from '../pages/layout.ts'
import { Modal } from '../pages/modal.ts'
import { WalletDialog } from '../pages/wallet-dialog.ts'

export interface VisitOptions extends BrowserContextOptions {
  /** Runs in the page before anything else. */
  readonly before?: (() => void) | undefined
  /** Whether the page's time can be advanced with `page.clock`; until then it passes normally. */
  readonly clock?: boolean | undefined
  /** Prepares the page before it is loaded. */
  readonly prepare?: ((page: Page) => Promise<unknown>) | undefined
  /** Whether the page is closed afterwards and not reused, because the test changes it irreversibly. */
  readonly alone?: boolean | undefined
  /** Entries of the page's storage, as from an earlier visit. */
  readonly stored?: Stored | undefined
}

export type Stored = readonly (readonly [key: string, value: string])[]

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly modal: Modal
  readonly wallet: WalletDialog
  /** Uncaught errors of the page. */
  readonly errors: readonly Error[]
  /** All requested URLs, by HTTP or WebSocket, oldest first. */
  readonly requests: readonly string[]
  /** Violations of the page's content security policy. */
  readonly reports: readonly string[]
  /** Faults of the modal's layout, of any step at which the page came to rest. */
  readonly faults: readonly string[]
  /** Requested URLs that are not on the page's own server. */
  strangers(): readonly string[]
  /** Runs `work` in the page with the controls of its first, or another, demo wallet. */
  control<T>(work: (controls: DemoWallet['controls']) => T, index?: number): Promise<T>
  /** Text of a fact on the host page. */
  fact(testId: string): Promise<string>
  press(testId: string): Promise<void>
  close(): Promise<void>
}

/** Browser settings without motion, because rendering animations costs more than all the rest. Tests of motion override this. */
const DEFAULTS = {
  viewport: { width: 1280, height: 860 },
  reducedMotion: 'reduce'
} as const satisfies BrowserContextOptions

/** Timeout in milliseconds that suffices on a busy machine. */
const PATIENCE = 30_000

/** Browser profile with one page, and the record of its current visit. */
interface Seat {
  readonly context: BrowserContext
  readonly page: Page
  readonly viewport: ViewportSize
  heard: Heard
}

interface Heard {
  readonly requests: string[]
  readonly errors: Error[]
  readonly reports: string[]
  readonly faults: string[]
}

const nothing = (): Heard => ({ requests: [], errors: [], reports: [], faults: [] })

/**
 * Visits in one browser. After a visit the page is cleared and reused by the next visit with the same settings, because a new page takes
 * several times as long as most tests.
 */
export class Visits {
  readonly #browser: Browser
  readonly #free = new Map<string, Seat[]>()

  constructor(browser: Browser) {
    this.#browser = browser
  }

  async open(origin: string, path: string, options: VisitOptions = {}): Promise<Visit> {
    const { before, clock, prepare, alone, stored, ...wanted } = options
    const kind = JSON.stringify(wanted)
    // A page with init scripts or a fake clock cannot be reset.
    const lasting = !before && !clock && !alone
    const seat = (lasting && this.#free.get(kind)?.pop()) || (await newSeat(this.#browser, wanted))
    const { context, page } = seat
    const heard = nothing()
    if (clock) await page.clock.install()
    if (before) await page.addInitScript(before)
    if (stored) {
      // Loads a small file of the same origin to access its storage.
      await page.goto(`${origin}/icon.svg`)
      await page.evaluate((entries) => {
        for (const [key, value] of entries) localStorage.setItem(key, value)
      }, stored)
    }
    await prepare?.(page)
    seat.heard = heard
    let closed = false
    await page.goto(origin + path)
    return {
      page,
      context,
      modal: new Modal(page),
      wallet: new WalletDialog(page),
      ...heard,
      strangers: () => heard.requests.filter((url) => !url.startsWith('data:') && serverOf(url) !== origin),
      // Evaluated as text by the debugger, because a policy without 'unsafe-eval' does not let the page create functions.
      control: (work, index = 0) => page.evaluate(`(${work})(window.demoWallets[${index}].controls)`),
      fact: async (testId) => (await page.getByTestId(testId).textContent()) ?? '',
      press: (testId) => page.getByTestId(testId).click(),
      close: async () => {
        if (closed) return
        closed = true
        if (!lasting) return context.close()
        await clear(seat, origin)
        this.#free.set(kind, [...(this.#free.get(kind) ?? []), seat])
      }
    }
  }
}

async function newSeat(browser: Browser, options: BrowserContextOptions): Promise<Seat> {
  const context = await browser.newContext({ ...DEFAULTS, ...options })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  const seat: Seat = { context, page, viewport: options.viewport ?? DEFAULTS.viewport, heard: nothing() }
  context.on('request', (request) => seat.heard.requests.push(request.url()))
  // The browser does not report WebSockets as requests.
  const listen = (page: Page) => page.on('websocket', (socket) => seat.heard.requests.push(socket.url()))
  listen(page)
  context.on('page', listen)
  page.on('pageerror', (error) => seat.heard.errors.push(error))
  // Tests read the facts of the demo page, which are behind a switch.
  await page.addInitScript(() => {
    try {
      sessionStorage.setItem('demo.developers', 'on')
    } catch {
      // A blank page has no storage, and a test may deny it.
    }
  })
  await page.exposeBinding('reportViolation', (_, report: string) => seat.heard.reports.push(report))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber } = event
      const report = `${effectiveDirective} forbade ${blockedURI} at ${sourceFile}:${lineNumber}`
      ;(window as unknown as { reportViolation(report: string): void }).reportViolation(report)
    })
  })
  await page.exposeBinding('reportFault', (_, fault: string) => seat.heard.faults.push(fault))
  await page.addInitScript(`(${watchLayout})(${layoutFaults})`)
  return seat
}

/** Reports faults of the modal's layout whenever its content has been still for a while. Runs in the page. */
function watchLayout(find: typeof layoutFaults): void {
  const { setTimeout, clearTimeout } = window
  const report = (window as unknown as { reportFault(fault: string): void }).reportFault
  const seen = new WeakSet<ShadowRoot>()
  const told = new Set<string>()
  let waiting = 0
  const audit = (shadow: ShadowRoot, last: boolean): void => {
    const view = shadow.querySelector('.title')?.textContent
    const card = shadow.querySelector<HTMLElement>('.card')
    // A finger may be drawing the card down.
    if (!card?.checkVisibility() || card.style.transform) return
    const moving = ({ playState, timeline }: Animation) =>
      playState === 'running' && timeline instanceof DocumentTimeline
    if (shadow.getAnimations().some(moving)) return
    const faults = find(shadow).filter((fault) => !told.has(fault))
    // Titles of cut texts are a file of its own.
    if (faults.length > 0 && !last) waiting = setTimeout(audit, 100, shadow, true)
    else
      for (const fault of faults) {
        told.add(fault)
        report(`${innerWidth} × ${innerHeight}, ${view}: ${fault}`)
      }
  }
  const look = () => {
    const shadow = document.querySelector('w3m-modal')?.shadowRoot
    if (!shadow || seen.has(shadow)) return
    seen.add(shadow)
    new MutationObserver(() => {
      clearTimeout(waiting)
      waiting = setTimeout(audit, 100, shadow, false)
    }).observe(shadow, { childList: true, subtree: true, characterData: true })
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
}

/** Resets a seat to its initial state. */
async function clear(seat: Seat, origin: string): Promise<void> {
  const { context, page, viewport } = seat
  seat.heard = nothing()
  const others = context.pages().filter((other) => other !== page)
  await Promise.all(others.map((other) => other.close()))
  const all = { behavior: 'ignoreErrors' } as const
  await Promise.all([context.setOffline(false), context.unrouteAll(all), page.unrouteAll(all)])
  // Session storage belongs to the tab, and is not cleared with the origin's data.
  await page.evaluate(() => sessionStorage.clear()).catch(() => {})
  await page.mouse.move(0, 0)
  await page.goto('about:blank')
  const debug = await context.newCDPSession(page)
  await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await debug.detach()
  await page.setViewportSize(viewport)
}

/** HTTP origin of a URL; a WebSocket counts to the origin of the same host. */
function serverOf(url: string): string {
  return new URL(url).origin.replace(/^ws/, 'http')
}
