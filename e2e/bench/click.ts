//! Measures the time from the click to the painted modal.

import type { Browser } from 'playwright-core'
import { freshPage, quiet, SLOW_4G, type Watcher } from './page.ts'

export interface Clicks {
  readonly median: number
  readonly worst: number
  /** Requests between the click and the first paint, over all runs. */
  readonly requests: readonly string[]
}

interface Run {
  readonly card: number
  readonly list: number
  readonly core: number
  readonly requests: readonly string[]
}

type WatchedWindow = { watcher: Watcher }

/** Measures a click on an idle page, after the pointer has moved to the button as it does before a real click. */
export async function measureIdleClick(
  browser: Browser,
  origin: string,
  slowdown: number,
  times: number
): Promise<Clicks> {
  const runs: Run[] = []
  for (let run = 0; run < times; run += 1) runs.push(await idleClick(browser, origin, slowdown))
  return sum(runs, ({ list }) => list)
}

async function idleClick(browser: Browser, origin: string, slowdown: number): Promise<Run> {
  const { page, close } = await freshPage(browser, { slowdown })
  await page.goto(`${origin}/bench/bench.html`)
  await page.getByTestId('connect-button').hover()
  await page.locator('w3m-modal .card[role]').waitFor({ state: 'attached' })
  await quiet(page)
  await page.mouse.down()
  await page.mouse.up()
  const painted = await page.evaluate(() => (window as unknown as WatchedWindow).watcher.painted)
  // The browser lists a request only after its response.
  await quiet(page)
  const requests = await page.evaluate(({ clicked, list }) => {
    const during = ({ startTime }: PerformanceEntry) => startTime >= clicked && startTime < clicked + list
    return performance
      .getEntriesByType('resource')
      .filter(during)
      .map(({ name }) => name)
  }, painted)
  await close()
  return { ...painted, requests }
}

/** Measures a click with an empty cache and a slow network, in the first frame in which the button can be clicked. */
export async function measureColdClick(
  browser: Browser,
  origin: string,
  times: number
): Promise<{ card: Clicks; list: Clicks; core: Clicks }> {
  const runs: Run[] = []
  for (let run = 0; run < times; run += 1) {
    const { page, close } = await freshPage(browser, { slowdown: 4, network: SLOW_4G })
    await page.goto(`${origin}/bench/bench.html`, { waitUntil: 'commit' })
    await page.evaluate(() => (window as unknown as WatchedWindow).watcher.clickAtOnce())
    const painted = await page.evaluate(() => (window as unknown as WatchedWindow).watcher.painted)
    runs.push({ ...painted, requests: [] })
    await close()
  }
  return {
    card: sum(runs, ({ card }) => card),
    list: sum(runs, ({ list }) => list),
    core: sum(runs, ({ core }) => core)
  }
}

function sum(runs: readonly Run[], time: (run: Run) => number): Clicks {
  const times = runs.map(time).sort((a, b) => a - b)
  return {
    median: times[Math.floor(times.length / 2)] ?? Number.NaN,
    worst: times.at(-1) ?? Number.NaN,
    requests: runs.flatMap(({ requests }) => requests)
  }
}
