//! Takes a picture of every view in every state into docs/screens, and one of the demo page for the README. SCREENS has part of the names
//! of those that are wanted; without it all are taken, and those of views that are gone go.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { repository } from './world/program.ts'
import { startWorld } from './world/world.ts'

interface Variant {
  readonly name: string
  readonly query: string
  readonly options: BrowserContextOptions
}

/** Wide enough not to be a phone, and no wider: these pictures are kept. */
const WINDOW = { width: 440, height: 700 }
const PHONE = { width: 390, height: 844 }

const VARIANTS: readonly Variant[] = [
  { name: 'dark', query: 'theme=dark', options: { viewport: WINDOW, colorScheme: 'dark' } },
  { name: 'light', query: 'theme=light', options: { viewport: WINDOW, colorScheme: 'light' } },
  { name: 'phone', query: 'theme=dark', options: { viewport: PHONE, colorScheme: 'dark' } },
  { name: 'rtl', query: 'theme=light&dir=rtl&lang=ar', options: { viewport: WINDOW, colorScheme: 'light' } }
]

/** The modal, or a message where there is none. */
const SHOWN = /^(w3m-modal-card|wui-(snackbar-message|alertbar-text))$/

/** Part of the names of those that are to be taken. */
const wanted = process.env.SCREENS ?? ''

const folder = join(repository(), 'docs/screens')

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
  for (const one of cases) {
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
  // Each waits for its page most of the time.
  await Promise.all(VARIANTS.map((variant) => takeCases(world.browser, world.origin, variant, cases)))
  if (!wanted) await takeHero(world.browser, world.origin)
  console.log(`${cases.length * VARIANTS.length + (wanted ? 0 : 1)} pictures in docs/screens`)
} finally {
  await world.stop()
}
