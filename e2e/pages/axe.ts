//! Accessibility check of the current page with axe, through its shadow roots.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Violations with the elements concerned. The debugger evaluates axe, because a page's policy blocks the script. */
export async function violations(page: Page): Promise<string[]> {
  // Waits for animations, because elements that fade have a wrong contrast.
  await page.evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document]
    for (const element of document.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot)
    const ending = roots
      .flatMap((root) => root.getAnimations())
      // Those that follow the scroll position never end.
      .filter(({ timeline }) => timeline instanceof DocumentTimeline)
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    return Promise.allSettled(ending.map(({ finished }) => finished)).then(() => undefined)
  })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  await unstick(page)
  const results = await page.evaluate(
    (runOnly) => (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ runOnly }),
    { type: 'tag', values: TAGS }
  )
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} – ${target.join(' ')} – ${failureSummary}`)
  )
}

/** Disables sticky elements: they cover rows that can be scrolled into view, which axe reports as too small. */
async function unstick(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shadow = document.querySelector('w3m-modal')?.shadowRoot
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('.ends{position:static!important}')
    if (shadow) shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet]
  })
}
