//! One visitor: a fresh browser profile, a page, and everything that page did.

import type { DemoWallet } from '@portico/testkit'
import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core'
import { Modal } from '../pages/modal.ts'
import { WalletDialog } from '../pages/wallet-dialog.ts'

export interface VisitOptions extends BrowserContextOptions {
  /** Runs in the page before anything else. */
  readonly before?: (() => void) | undefined
  /** The page's time can be turned on with `page.clock`; until then it passes as it does. */
  readonly clock?: boolean | undefined
  /** Readies the page before it is loaded. */
  readonly prepare?: ((page: Page) => Promise<unknown>) | undefined
  /** The page is closed afterwards and given to no other test: what is done to it cannot be taken back. */
  readonly alone?: boolean | undefined
  /** What the page finds in its storage, as somebody left it who was there before. */
  readonly stored?: Stored | undefined
}

export type Stored = readonly (readonly [key: string, value: string])[]

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly modal: Modal
  readonly wallet: WalletDialog
  /** Errors that nobody caught. */
  readonly errors: readonly Error[]
  /** Every address asked for, by a request or a WebSocket, oldest first. */
  readonly requests: readonly string[]
  /** What the page's policy forbade. */
  readonly reports: readonly string[]
  /** Those among the addresses that are not of the page's own server. */
  strangers(): readonly string[]
  /** Does in the page what the user of its first, or another, wallet could do. */
  control<T>(work: (controls: DemoWallet['controls']) => T, index?: number): Promise<T>
  /** What a fact on the host page says. */
  fact(testId: string): Promise<string>
  press(testId: string): Promise<void>
  close(): Promise<void>
}

/** Without motion, as many visitors ask for: a picture of it costs more than all the rest. Tests of motion say otherwise. */
const DEFAULTS = {
  viewport: { width: 1280, height: 860 },
  reducedMotion: 'reduce'
} as const satisfies BrowserContextOptions

/** Longer than anything here takes on a busy machine. */
const PATIENCE = 15_000

/** A profile of the browser with one page, and what that page says while somebody visits. */
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
}

const nothing = (): Heard => ({ requests: [], errors: [], reports: [] })

/**
 * The visits to one browser. A page whose visitor has gone is cleared and given to the next one who wants the same: to make one anew costs
 * several times what most tests cost.
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
    // What runs before a page cannot be taken back.
    const lasting = !before && !clock && !alone
    const seat = (lasting && this.#free.get(kind)?.pop()) || (await newSeat(this.#browser, wanted))
    const { context, page } = seat
    const heard = nothing()
    if (clock) await page.clock.install()
    if (before) await page.addInitScript(before)
    if (stored) {
      // A small file of the same server, to have its storage.
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
      // As text, for a policy without 'unsafe-eval' lets the page make no function of it; the debugger may.
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
  // A WebSocket is no request to the browser.
  const listen = (page: Page) => page.on('websocket', (socket) => seat.heard.requests.push(socket.url()))
  listen(page)
  context.on('page', listen)
  page.on('pageerror', (error) => seat.heard.errors.push(error))
  await page.exposeBinding('reportViolation', (_, report: string) => seat.heard.reports.push(report))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber } = event
      const report = `${effectiveDirective} forbade ${blockedURI} at ${sourceFile}:${lineNumber}`
      ;(window as unknown as { reportViolation(report: string): void }).reportViolation(report)
    })
  })
  return seat
}

/** As it was before anybody came. */
async function clear(seat: Seat, origin: string): Promise<void> {
  const { context, page, viewport } = seat
  seat.heard = nothing()
  const others = context.pages().filter((other) => other !== page)
  await Promise.all(others.map((other) => other.close()))
  await Promise.all([context.setOffline(false), context.unrouteAll(), page.unrouteAll()])
  // What the browser keeps for a tab is not among what it keeps for an origin.
  await page.evaluate(() => sessionStorage.clear()).catch(() => {})
  await page.mouse.move(0, 0)
  await page.goto('about:blank')
  const debug = await context.newCDPSession(page)
  await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await debug.detach()
  await page.setViewportSize(viewport)
}

/** The origin of an address; that of a WebSocket is the page's that it belongs to. */
function serverOf(url: string): string {
  return new URL(url).origin.replace(/^ws/, 'http')
}
