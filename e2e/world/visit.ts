//! One visitor: a fresh browser profile, a page, and everything that page did.

import type { DemoWallet } from '@portico/testkit'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { Modal } from '../pages/modal.ts'
import { WalletDialog } from '../pages/wallet-dialog.ts'

export interface VisitOptions extends BrowserContextOptions {
  /** Runs in the page before anything else. */
  readonly before?: (() => void) | undefined
  /** The page's time can be turned on with `page.clock`; until then it passes as it does. */
  readonly clock?: boolean | undefined
}

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

/** Longer than anything here takes on a busy machine. */
const PATIENCE = 15_000

export async function openVisit(
  browser: Browser,
  origin: string,
  path: string,
  { before, clock, ...options }: VisitOptions = {}
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  context.setDefaultTimeout(PATIENCE)
  const requests: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  // A WebSocket is no request to the browser.
  context.on('page', (page) => page.on('websocket', (socket) => requests.push(socket.url())))
  const page = await context.newPage()
  const errors: Error[] = []
  const reports: string[] = []
  page.on('pageerror', (error) => errors.push(error))
  await page.exposeBinding('reportViolation', (_, report: string) => reports.push(report))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber } = event
      const report = `${effectiveDirective} forbade ${blockedURI} at ${sourceFile}:${lineNumber}`
      ;(window as unknown as { reportViolation(report: string): void }).reportViolation(report)
    })
  })
  if (clock) await page.clock.install()
  if (before) await page.addInitScript(before)
  await page.goto(origin + path)
  return {
    page,
    context,
    modal: new Modal(page),
    wallet: new WalletDialog(page),
    errors,
    requests,
    reports,
    strangers: () => requests.filter((url) => !url.startsWith('data:') && serverOf(url) !== origin),
    // As text, for a policy without 'unsafe-eval' lets the page make no function of it; the debugger may.
    control: (work, index = 0) => page.evaluate(`(${work})(window.demoWallets[${index}].controls)`),
    fact: async (testId) => (await page.getByTestId(testId).textContent()) ?? '',
    press: (testId) => page.getByTestId(testId).click(),
    close: () => context.close()
  }
}

/** The origin of an address; that of a WebSocket is the page's that it belongs to. */
function serverOf(url: string): string {
  return new URL(url).origin.replace(/^ws/, 'http')
}
