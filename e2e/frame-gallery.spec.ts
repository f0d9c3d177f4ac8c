//! Every view of the embedded wallet's frame in every state: it can be used by everybody, fits a phone, and is in one language.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cases } from '../packages/frame/src/testing/cases.ts'
import { ar } from '../packages/frame/src/text/ar.ts'
import { en } from '../packages/frame/src/text/en.ts'
import { violations } from './pages/axe.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

const WAYS = [
  { way: 'theme=dark', width: 390 },
  { way: 'theme=light', width: 320 },
  { way: 'theme=dark&lang=ar', width: 320 }
] as const

/** Texts of a language, by the path of their keys. */
function flat(texts: object): string[] {
  return Object.values(texts).flatMap((text) => (typeof text === 'object' ? flat(text) : [String(text)]))
}

/** English texts that Arabic has in other words. */
const foreign = new Set(flat(en).filter((text) => /[a-z]{3}/i.test(text) && !flat(ar).includes(text)))

describe.each(WAYS)('the frame in every state, $way, $width px', ({ way, width }) => {
  let page: Page

  beforeAll(async () => {
    page = await world.browser.newPage({ viewport: { width, height: 700 }, reducedMotion: 'reduce' })
  })

  afterAll(() => page.context().close())

  it.each(Object.keys(cases))('%s', async (name) => {
    await page.goto(`${world.origin}/frame.html?${way}&case=${name}`)
    await page.locator('.settings, .approval').waitFor()
    expect(await violations(page)).toEqual([])
    const [wider, texts, bars] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      const all = [...document.querySelectorAll('#frame *')].filter(({ childElementCount }) => childElementCount === 0)
      const bars = [...document.querySelectorAll('html,.text')].map((one) => getComputedStyle(one).scrollbarWidth)
      return [scrollWidth - clientWidth, all.map(({ textContent }) => textContent ?? ''), [...new Set(bars)]] as const
    })
    expect([wider, bars]).toEqual([0, ['thin']])
    // A phone at a zoom of 200 %.
    await page.setViewportSize({ width: 195, height: 422 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(195)
    await page.setViewportSize({ width, height: 700 })
    if (way.includes('lang=ar')) expect(texts.filter((text) => foreign.has(text))).toEqual([])
  })
})

it.each([328, 360])(
  'at %i px the buttons of an explanation stand one below another, the main one first',
  async (width) => {
    const page = await world.browser.newPage({ viewport: { width, height: 700 }, reducedMotion: 'reduce' })
    for (const name of ['Explain.addSite', 'Explain.limited']) {
      await page.goto(`${world.origin}/frame.html?case=${name}`)
      await page.locator('.settings').waitFor()
      const buttons = await page.locator('.button').evaluateAll((all) =>
        all.map((one) => {
          const { left, height } = one.getBoundingClientRect()
          return [left, height, one.classList.contains('primary')] as const
        })
      )
      expect(buttons, name).toEqual([
        [16, 48, true],
        [16, 48, false]
      ])
    }
    await page.context().close()
  }
)

it.each([195, 320, 360])('at %i px the button of a line stays on one line of text', async (width) => {
  const page = await world.browser.newPage({ viewport: { width, height: 700 }, reducedMotion: 'reduce' })
  for (const name of Object.keys(cases).filter((name) => name.startsWith('Settings.'))) {
    await page.goto(`${world.origin}/frame.html?case=${name}`)
    await page.locator('.settings').waitFor()
    const heights = await page.locator('.lines .button').evaluateAll((all) => all.map((one) => one.clientHeight))
    expect([name, heights.filter((height) => height > 36)]).toEqual([name, []])
  }
  await page.context().close()
})
