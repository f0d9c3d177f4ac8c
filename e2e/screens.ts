//! Takes a screenshot of every view in every state into target/screens. SCREENS filters them by a part of their names. With SCREENS_DOCS
//! it takes only those that the documentation shows, and one of the demo page for the README, into docs/screens.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { repository } from './world/program.ts'
import { startWorld, stopAll } from './world/world.ts'

interface Variant {
  readonly name: string
  readonly query: string
  readonly options: BrowserContextOptions
}

/** Smallest width that is not a phone's, because these pictures are committed. */
const WINDOW = { width: 440, height: 700 }
const PHONE = { width: 390, height: 844 }

const VARIANTS: readonly Variant[] = [
  { name: 'dark', query: 'theme=dark', options: { viewport: WINDOW, colorScheme: 'dark' } },
  { name: 'light', query: 'theme=light', options: { viewport: WINDOW, colorScheme: 'light' } },
  { name: 'phone', query: 'theme=dark', options: { viewport: PHONE, colorScheme: 'dark' } },
  { name: 'rtl', query: 'theme=light&dir=rtl&lang=ar', options: { viewport: WINDOW, colorScheme: 'light' } }
]

/** Test ids of the modal, or of a message without a modal. */
const SHOWN = /^(w3m-modal-card|wui-(snackbar-message|alertbar-text))$/

/** Committed screenshots: one of each main view, and all variants of one view. */
const KEPT = new Set([
  'Connect.wallets.dark',
  'Connect.wallets.light',
  'ConnectingExternal.waiting.dark',
  'AllWallets.ready.dark',
  'ConnectingWalletConnect.ready.dark',
  'Account.ready.dark',
  'Account.ready.light',
  'Account.ready.phone',
  'Account.ready.rtl',
  'Account.nfts.ready.dark',
  'Account.activity.ready.light',
  'Networks.list.dark',
  'UnsupportedChain.list.light',
  'SIWXSignMessage.ready.dark',
  'WalletSend.filled.dark',
  'WalletSendPreview.ready.light',
  'WalletSendConfirmed.confirmed.dark',
  'SolanaSendPreview.ready.light',
  'BitcoinSend.filled.dark',
  'WalletReceive.ready.light',
  'Swap.ready.dark',
  'SwapPreview.ready.light',
  'OnRampProviders.ready.dark',
  'BuyInProgress.done.light',
  'RegisterAccountName.suggestions.dark',
  'Transactions.ready.dark'
])

/** Filter: part of the names of the screenshots to take. */
const wanted = process.env.SCREENS ?? ''
const kept = process.env.SCREENS_DOCS !== undefined
const place = kept ? 'docs/screens' : 'target/screens'
const folder = join(repository(), place)

async function namesOfCases(browser: Browser, origin: string): Promise<string[]> {
  const page = await browser.newPage()
  await page.goto(`${origin}/gallery.html`)
  const names = await page
    .locator('iframe')
    .evaluateAll((frames) => frames.map((frame) => frame.getAttribute('title') ?? ''))
  await page.close()
  return names.filter((name) => name.includes(wanted))
}

async function takeCases(
  browser: Browser,
  origin: string,
  { name, query, options }: Variant,
  cases: readonly string[]
): Promise<void> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  for (const one of cases.filter((one) => !kept || KEPT.has(`${one}.${name}`))) {
    await page.goto(`${origin}/gallery.html?case=${encodeURIComponent(one)}&${query}`, { waitUntil: 'networkidle' })
    await page.getByTestId(SHOWN).filter({ visible: true }).first().waitFor()
    await page.screenshot({ path: join(folder, `${one}.${name}.png`), animations: 'disabled', caret: 'hide' })
  }
  await context.close()
}

async function takeHero(browser: Browser, origin: string): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 720 },
    colorScheme: 'dark',
    reducedMotion: 'reduce'
  })
  const page = await context.newPage()
  await page.goto(`${origin}/?wallets=4`)
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid^="wallet-selector-"]').nth(3).waitFor()
  await page.screenshot({ path: join(folder, 'hero.png'), animations: 'disabled', caret: 'hide' })
  await context.close()
}

mkdirSync(folder, { recursive: true })
for (const old of readdirSync(folder)) if (old.endsWith('.png') && old.includes(wanted)) rmSync(join(folder, old))
const world = await startWorld()
try {
  const cases = await namesOfCases(world.browser, world.origin)
  // In parallel, because each mostly waits for its page.
  await Promise.all(VARIANTS.map((variant) => takeCases(world.browser, world.origin, variant, cases)))
  if (kept) await takeHero(world.browser, world.origin)
  const count = readdirSync(folder).filter((name) => name.includes(wanted)).length
  console.log(`${count} pictures in ${place}`)
} finally {
  await stopAll()
}
