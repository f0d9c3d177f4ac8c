//! Measures how long a typed letter blocks the page.
//!
//! The main thread of a page runs one task after another, and each task blocks the page. The browser's trace has all of them: the task of
//! the key event, in which React's handlers, the core and React's rendering run; the task that lays out and paints the frame; and those of
//! timers and responses caused by the letter. A letter blocks for as long as script runs in one task; the rest of a task is the browser's
//! work for any field, such as inserting the letter. All times are thread time, which does not advance while the processor does other work.

import type { Locator, Page } from 'playwright-core'

/** Slowdown of the processor in the benchmark. */
export const SLOWDOWN = 4

/** Interval between two letters of a fast typist, in milliseconds. */
const PACE = 80

/** Trace categories that contain tasks and the work within them. */
const CATEGORIES = ['disabled-by-default-devtools.timeline', 'devtools.timeline']

const SCRIPT = new Set(['FunctionCall', 'EvaluateScript', 'RunMicrotasks'])

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Start time in microseconds. */
  readonly ts: number
  readonly dur?: number
  /** Duration in thread time. */
  readonly tdur?: number
  readonly args: { readonly data?: { readonly type?: string } }
}

/** Blocking times between a letter and the next one, in milliseconds. */
export interface Block {
  /** Longest time that script ran in one task. */
  readonly script: number
  /** Longest complete task. */
  readonly task: number
}

/** Types into a field, and waits for the effects of the last letter. Returns a block for each letter. */
export async function type(
  page: Page,
  field: Locator,
  text: string,
  followed: () => Promise<unknown>,
  slowdown = SLOWDOWN
): Promise<Block[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser')
  const session = await page.context().newCDPSession(page)
  await field.focus()
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await browser.startTracing(page, { categories: CATEGORIES })
  try {
    const after = followed()
    await page.keyboard.type(text, { delay: PACE })
    await after
  } finally {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await session.detach()
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  return blocksOf(traceEvents, text.length)
}

const endOf = ({ ts, dur = 0 }: TraceEvent): number => ts + dur
const timeOf = ({ dur = 0, tdur = dur }: TraceEvent): number => tdur / 1_000
const longest = (times: readonly number[]): number => Math.max(0, ...times)

function blocksOf(events: readonly TraceEvent[], letters: number): Block[] {
  const pressed = events.filter(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'keydown')
  const [first] = pressed
  if (!first || pressed.length !== letters)
    throw new Error(`${letters} letters were typed, and the trace has ${pressed.length}`)
  const own = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid)
  const scripts = outermost(own.filter(({ name }) => SCRIPT.has(name)))
  const tasks = own.filter(({ name }) => name === 'RunTask')
  return pressed.map(({ ts }, letter) => {
    const end = pressed[letter + 1]?.ts ?? Number.POSITIVE_INFINITY
    // The task of a key event starts before the event's own time.
    const during = tasks.filter((task) => endOf(task) > ts && task.ts < end)
    const scriptIn = (task: TraceEvent) =>
      scripts
        .filter((script) => script.ts >= task.ts && endOf(script) <= endOf(task))
        .reduce((sum, script) => sum + timeOf(script), 0)
    return { script: longest(during.map(scriptIn)), task: longest(during.map(timeOf)) }
  })
}

/** Removes events that are nested in another one. */
function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  let end = 0
  return [...events]
    .sort((one, other) => one.ts - other.ts || endOf(other) - endOf(one))
    .filter((event) => {
      if (endOf(event) <= end) return false
      end = endOf(event)
      return true
    })
}
