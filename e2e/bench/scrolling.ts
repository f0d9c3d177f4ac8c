//! What a long list costs under a fast hand.

import type { Visit } from '../world/visit.ts'

/** Steps of a fast hand on the wheel, in pixels. */
const STEP = 600
const STEPS = 120

export interface Scrolled {
  /** What each frame took of the main thread's own time, so that a busy machine counts little, in milliseconds: the quickest first. */
  readonly frames: readonly number[]
  /** Of the page, in bytes. */
  readonly heap: number
}

/** Scrolls the card, a frame a step. */
export async function scroll({ modal, page }: Visit): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const measure = async (name: string) => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  }
  const body = await modal.card.locator('.body').elementHandle()
  const costs: number[] = []
  for (let step = 0; step < STEPS; step += 1) {
    const before = await measure('TaskDuration')
    await body?.evaluate(async (element, by) => {
      element.scrollBy(0, by)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }, STEP)
    // Two frames pass in each step: that of the scroll, and that of what it brought into sight.
    costs.push((((await measure('TaskDuration')) - before) * 1000) / 2)
  }
  await session.send('HeapProfiler.collectGarbage')
  const heap = await measure('JSHeapUsedSize')
  return { frames: costs.sort((one, other) => one - other), heap }
}

/** What so many of a hundred took at most; the times are sorted. */
export function percentile(times: readonly number[], hundredths: number): number {
  return times[Math.min(times.length - 1, Math.floor((times.length * hundredths) / 100))] ?? Number.NaN
}
