import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layoutFaults } from './pages/layout.ts'
import { useWorld } from './use-world.ts'
import { repository } from './world/program.ts'

const world = useWorld()

const CASES = readdirSync(join(repository(), 'fixtures/snapshots')).map((file) => file.replace('.json', ''))

/** Windows in CSS pixels. At a zoom of 200 % a window has half of its pixels in both directions. */
const WINDOWS = [
  [320, 568],
  [360, 640],
  [390, 844],
  [1280, 800],
  [160, 284],
  [180, 320],
  [195, 422],
  [640, 400]
] as const

/** Longest values, in texts of the length of German words, and in Arabic. */
const TONGUES = ['stress&words=long', 'stress&dir=rtl&lang=ar'] as const

describe.each(TONGUES)('every view in every state, %s', (tongue) => {
  let page: Page

  beforeAll(async () => {
    const context = await world.browser.newContext({ viewport: { width: 320, height: 568 }, reducedMotion: 'reduce' })
    page = await context.newPage()
    await page.goto(`${world.origin}/gallery.html?stage&theme=dark&${tongue}`)
    await page.waitForFunction(() => 'showCase' in window)
    await page.evaluate(`window.layoutFaults = ${layoutFaults}`)
  })

  afterAll(() => page.context().close())

  it.each(CASES)('%s has room for its longest values in every window', async (name) => {
    await page.evaluate((name) => (window as unknown as { showCase(name: string): Promise<void> }).showCase(name), name)
    const found: string[] = []
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height })
      const faults = await page.evaluate(async () => {
        const shadow = document.querySelector('w3m-modal')?.shadowRoot
        // A message over the page has no card.
        if (!shadow?.querySelector('.card')?.checkVisibility()) return []
        const { layoutFaults } = window as unknown as { layoutFaults: typeof import('./pages/layout.ts').layoutFaults }
        let found = layoutFaults(shadow)
        // Titles of cut texts and the styles of narrow windows are files of their own.
        for (let frames = 0; found.length > 0 && frames < 20; frames += 1) {
          await new Promise(requestAnimationFrame)
          found = layoutFaults(shadow)
        }
        return found
      })
      found.push(...faults.map((fault) => `${width} × ${height}: ${fault}`))
    }
    expect(found).toEqual([])
  })
})

describe('style sheets of views that were opened before', () => {
  it('change nothing of any view in any state', async () => {
    const context = await world.browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${world.origin}/gallery.html?stage&theme=dark`)
    await page.waitForFunction(() => 'showCase' in window)
    const show = (name: string) =>
      page.evaluate((name) => (window as unknown as { showCase(name: string): Promise<void> }).showCase(name), name)
    // Sheets with the same rules are one object, so each view leaves its own.
    await page.evaluate(() => Object.assign(window, { sheets: new Set<CSSStyleSheet>() }))
    const own = () => {
      const { sheets } = window as unknown as { sheets: Set<CSSStyleSheet> }
      for (const sheet of document.querySelector('w3m-modal')?.shadowRoot?.adoptedStyleSheets ?? []) sheets.add(sheet)
      return sheets.size
    }
    for (const name of CASES) {
      await show(name)
      await page.evaluate(own)
    }
    expect(await page.evaluate(own)).toBeGreaterThan(15)
    const changed: string[] = []
    for (const name of CASES) {
      await show(name)
      const found = await page.evaluate(() => {
        const { sheets } = window as unknown as { sheets: Set<CSSStyleSheet> }
        const shadow = document.querySelector('w3m-modal')?.shadowRoot as ShadowRoot
        const alone = [...shadow.adoptedStyleSheets]
        const look = () =>
          [...shadow.querySelectorAll('*')].map((element) => {
            const { left, top, width, height } = element.getBoundingClientRect()
            const { color, backgroundColor, font, borderRadius, display, opacity } = getComputedStyle(element)
            return [left, top, width, height, color, backgroundColor, font, borderRadius, display, opacity].join()
          })
        const before = look()
        const faults: string[] = []
        for (const sheet of sheets) {
          if (alone.includes(sheet)) continue
          // The first two are those of every view; a view that was opened before has left its sheet after them.
          shadow.adoptedStyleSheets = [...alone.slice(0, 2), sheet, ...alone.slice(2)]
          const after = look()
          const at = before.findIndex((one, index) => one !== after[index])
          const element = shadow.querySelectorAll('*')[at]
          if (element)
            faults.push(`${element.localName}.${element.className}: ${sheet.cssRules[0]?.cssText.slice(0, 60)}`)
        }
        shadow.adoptedStyleSheets = alone
        return faults
      })
      changed.push(...found.map((fault) => `${name}: ${fault}`))
    }
    await context.close()
    expect(changed).toEqual([])
  })
})
