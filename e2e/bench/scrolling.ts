//! Measures the cost of fast scrolling in a long list.

import type { Visit } from '../world/visit.ts'

/** Length of one wheel step of a fast scroll, in pixels. */
const STEP = 600
const STEPS = 120

export interface Scrolled {
  /** Main-thread time of each frame in milliseconds, sorted. It is thread time, so other load on the machine has little effect. */
  readonly frames: readonly number[]
  /** Heap of the page in bytes. */
  readonly heap: number
}

/** Scrolls the card, one frame per step. */
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
    // Each step has two frames: one for the scroll, and one for the rows that became visible.
    costs.push((((await measure('TaskDuration')) - before) * 1000) / 2)
  }
  await session.send('HeapProfiler.collectGarbage')
  const heap = await measure('JSHeapUsedSize')
  return { frames: costs.sort((one, other) => one - other), heap }
}

/** Percentile of sorted times. */
export function percentile(times: readonly number[], hundredths: number): number {
  return times[Math.min(times.length - 1, Math.floor((times.length * hundredths) / 100))] ?? Number.NaN
}
