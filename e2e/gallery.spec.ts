import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { useWorld } from './use-world.ts'
import { repository } from './world/program.ts'

const world = useWorld()

const CASES = readdirSync(join(repository(), 'fixtures/snapshots')).map((file) => file.replace('.json', ''))

/** The modal, or a message where there is none. */
const SHOWN = /^(w3m-modal-card|wui-(snackbar-message|alertbar-text))$/

const WAYS = ['theme=dark', 'theme=light', 'theme=dark&dir=rtl', 'theme=light&stress'] as const

describe.each(WAYS)('every view in every state, %s', (way) => {
  let page: Page
  let errors: Error[] = []

  beforeAll(async () => {
    const context = await world.browser.newContext({ viewport: { width: 480, height: 800 }, reducedMotion: 'reduce' })
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
    expect(await violations(page)).toEqual([])
    const wider = await page.getByTestId('w3m-modal-card').evaluate((card) => {
      const body = card.querySelector('.body')
      return body ? body.scrollWidth - body.clientWidth : Number.NaN
    })
    expect(wider).toBe(0)
    expect(errors.map((error) => error.stack)).toEqual([])
  })
})
