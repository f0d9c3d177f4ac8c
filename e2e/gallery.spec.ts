import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { useWorld } from './use-world.ts'
import { repository } from './world/program.ts'

const world = useWorld()

const CASES = readdirSync(join(repository(), 'fixtures/snapshots')).map((file) => file.replace('.json', ''))

/** Test ids of the modal, or of a message without a modal. */
const SHOWN = /^(w3m-modal-card|wui-(snackbar-message|alertbar-text))$/

/** Dark on a desktop, and light on a phone, in Arabic from right to left with the longest values. */
const WAYS = [
  { way: 'theme=dark', width: 480 },
  { way: 'theme=light&stress&dir=rtl&lang=ar', width: 390 }
] as const

describe.each(WAYS)('every view in every state, $way', ({ way, width }) => {
  let page: Page
  let errors: Error[] = []

  beforeAll(async () => {
    const context = await world.browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
    page = await context.newPage()
    page.on('pageerror', (error) => errors.push(error))
    await page.goto(`${world.origin}/gallery.html?stage&${way}`)
    await page.waitForFunction(() => 'showCase' in window)
  })

  afterAll(() => page.context().close())

  it.each(CASES)('%s can be used by everybody and fits the card', async (name) => {
    errors = []
    await page.evaluate((name) => (window as unknown as { showCase(name: string): Promise<void> }).showCase(name), name)
    await page.getByTestId(SHOWN).filter({ visible: true }).first().waitFor()
    const found = await violations(page)
    // A button that the edge of a long view cuts is whole once the view is scrolled.
    if (found.some((one) => one.includes('partially obscured'))) {
      await page.getByTestId('w3m-modal-card').evaluate((card) => card.querySelector('.body')?.scrollTo(0, 1e6))
      expect(await violations(page)).toEqual([])
    } else expect(found).toEqual([])
    const wider = await page.getByTestId('w3m-modal-card').evaluate((card) => {
      const body = card.querySelector('.body')
      return body ? body.scrollWidth - body.clientWidth : Number.NaN
    })
    expect(wider).toBe(0)
    expect(errors.map((error) => error.stack)).toEqual([])
  })
})
