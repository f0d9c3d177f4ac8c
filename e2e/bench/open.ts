//! Measures the way to the wallet on a slow network: to the first frame, to the wallet's connection request, and to the interactive list.

import type { Browser, Locator, Page } from 'playwright-core'
import { type Conditions, freshPage, type Measured, quiet, SLOW_4G, type Watcher } from './page.ts'

type WatchedWindow = { watcher: Watcher }

export interface Way {
  readonly relays: boolean
  /** Sign before the click: a pointer over the button, a finger on it, or none, as with the host's own `open()`. */
  readonly sign: 'pointer' | 'finger' | 'none'
}

export interface Times {
  readonly frame: number
  readonly asked: number
  readonly running: number
}

/** Time that a pointer rests on a button before the click, in milliseconds. */
export const HOVER = 300

/** Duration of a tap, in milliseconds. */
export const PRESS = 60

const SLOW: Conditions = { slowdown: 4, network: SLOW_4G }

/** Medians of the three times over `times` fresh pages each, all loaded and idle before the click. */
export async function measureWay(browser: Browser, origin: string, way: Way, times: number): Promise<Times> {
  const frames: number[] = []
  const asked: number[] = []
  const running: number[] = []
  for (let run = 0; run < times; run += 1) {
    const looking = await click(browser, origin, way)
    const { card, core } = await looking.page.evaluate(() => (window as unknown as WatchedWindow).watcher.painted)
    frames.push(card)
    running.push(core)
    await looking.close()
    // Choosing a wallet leaves the list, so it is measured on a page of its own.
    const choosing = await click(browser, origin, way, ({ chooseAtOnce }) => chooseAtOnce())
    asked.push(await choosing.page.evaluate(() => (window as unknown as WatchedWindow).watcher.asked))
    await choosing.close()
  }
  return { frame: median(frames), asked: median(asked), running: median(running) }
}

/** Opens a page and clicks its button. */
async function click(
  browser: Browser,
  origin: string,
  { relays, sign }: Way,
  before: (watcher: Watcher) => void = () => {}
): Promise<Measured> {
  const measured = await freshPage(browser, { ...SLOW, relays, touch: sign === 'finger' })
  const { page } = measured
  await page.goto(`${origin}/bench/bench.html`)
  await page.getByTestId('connect-button').waitFor()
  await quiet(page)
  await page.evaluate(`(${before})(window.watcher)`)
  const button = page.getByTestId('connect-button')
  if (sign === 'finger') {
    await tap(measured, await middleOf(button))
    return measured
  }
  if (sign === 'none') {
    await button.evaluate((element) => (element as HTMLElement).click())
    return measured
  }
  await button.hover()
  const until = (await now(page)) + HOVER
  await page.waitForFunction((until) => performance.now() >= until, until)
  await page.mouse.down()
  await page.mouse.up()
  return measured
}

function now(page: Page): Promise<number> {
  return page.evaluate(() => performance.now())
}

export interface Work {
  /** Main-thread time in milliseconds from the touch, which starts loading, to the interactive list, at full speed. */
  readonly total: number
  /** Longest task within it, in milliseconds, with the processor slowed down 4 times. */
  readonly longest: number
}

/** Cost of opening for the page's main thread, on a fast network; medians. */
export async function measureWork(browser: Browser, origin: string, times: number): Promise<Work> {
  const totals: number[] = []
  const longest: number[] = []
  for (let run = 0; run < times; run += 1) {
    totals.push(sumOf(await tasksOfOpening(browser, origin, 1)))
    longest.push(Math.max(...(await tasksOfOpening(browser, origin, 4))))
  }
  return { total: median(totals), longest: median(longest) }
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly ts: number
  readonly dur?: number
  readonly pid: number
  readonly tid: number
  readonly args?: { readonly name?: string }
}

/** Length of each main-thread task from the touch until the core's list is shown and no more requests follow. */
async function tasksOfOpening(browser: Browser, origin: string, slowdown: number): Promise<number[]> {
  const { page, cdp, close } = await freshPage(browser, { slowdown, touch: true })
  await page.goto(`${origin}/bench/bench.html`)
  const { x, y } = await middleOf(page.getByTestId('connect-button'))
  await quiet(page)
  const events: TraceEvent[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const ended = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve))
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    // Only these categories, because tracing takes time of the measured thread.
    traceConfig: { includedCategories: ['toplevel', 'blink.user_timing'] }
  })
  const running = page.evaluate(() => {
    window.addEventListener('touchstart', () => performance.mark('touched'), { capture: true, once: true })
    return (window as unknown as WatchedWindow).watcher.painted.then(() => performance.mark('running'))
  })
  await tap({ page, cdp }, { x, y })
  await running
  await cdp.send('Tracing.end')
  await ended
  await close()
  return tasksBetween(events, 'touched', 'running')
}

function tasksBetween(events: readonly TraceEvent[], from: string, to: string): number[] {
  const mark = (name: string) => events.find((event) => event.name === name && /^[RI]$/.test(event.ph))
  const [begin, end] = [mark(from), mark(to)]
  if (!begin || !end) throw new Error('The trace has no marks')
  const tasks: { from: number; until: number }[] = []
  for (const { name, ph, pid, tid, ts, dur = 0 } of [...events].sort((a, b) => a.ts - b.ts)) {
    if (!/RunTask$/.test(name) || ph !== 'X' || pid !== begin.pid || tid !== begin.tid) continue
    if (ts + dur < begin.ts || ts > end.ts) continue
    // A nested task is part of the outer one.
    if (ts < (tasks.at(-1)?.until ?? 0)) continue
    tasks.push({ from: ts, until: ts + dur })
  }
  return tasks.map(({ from, until }) => (until - from) / 1000)
}

async function tap({ page, cdp }: Pick<Measured, 'page' | 'cdp'>, at: { x: number; y: number }): Promise<void> {
  const until = (await now(page)) + PRESS
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  await page.waitForFunction((until) => performance.now() >= until, until)
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element has no box')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
