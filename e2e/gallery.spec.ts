import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { describe, expect, it } from 'vitest'
import { useWorld } from './use-world.ts'
import { repository } from './world/server.ts'

const world = useWorld()

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const CASES = readdirSync(join(repository(), 'fixtures/snapshots')).map((file) => file.replace('.json', ''))

const WAYS = ['theme=dark', 'theme=light', 'theme=dark&dir=rtl', 'theme=light&stress'] as const

describe.each(WAYS)('every view in every state, %s', (way) => {
  it.each(CASES)('%s can be used by everybody and fits the card', async (name) => {
    const context = await world.browser.newContext({ viewport: { width: 480, height: 800 }, reducedMotion: 'reduce' })
    try {
      const page = await context.newPage()
      await page.goto(`${world.origin}/gallery.html?case=${name}&${way}`)
      await page.getByTestId('w3m-modal-card').waitFor()
      await page.evaluate(AXE)
      const { violations } = await page.evaluate(
        (tags) =>
          (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ runOnly: tags }),
        TAGS
      )
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))).toEqual([])
      const wider = await page.getByTestId('w3m-modal-card').evaluate((card) => {
        const body = card.querySelector('.body')
        return body ? body.scrollWidth - body.clientWidth : Number.NaN
      })
      expect(wider).toBe(0)
    } finally {
      await context.close()
    }
  })
})
