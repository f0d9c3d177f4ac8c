//! How long a letter that is typed keeps the page busy, with a processor four times slower.
//!
//! What a page does is one task of its main thread after another, and nothing else happens until a task ends. The browser's own trace has them
//! all: the one that takes the key, in which React's handlers run, the core is told and React draws; the one in which the frame is laid out and
//! painted; and those of timers and answers that a letter brings about. A letter blocks for as long as script runs in one of them: the rest of
//! a task is what a browser does for any field, such as setting the letter. All is measured in the thread's own time, which stands still while
//! the processor does something else.

import type { Locator, Page } from 'playwright-core'

const SLOWDOWN = 4

/** Milliseconds between two letters of a fast hand. */
const PACE = 80

/** Tasks, and what is done in them. */
const CATEGORIES = ['disabled-by-default-devtools.timeline', 'devtools.timeline']

const SCRIPT = new Set(['FunctionCall', 'EvaluateScript', 'RunMicrotasks'])

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** When it began, in microseconds. */
  readonly ts: number
  readonly dur?: number
  /** Of the thread's own time. */
  readonly tdur?: number
  readonly args: { readonly data?: { readonly type?: string } }
}

/** What a letter brought about until the next one, in milliseconds. */
export interface Block {
  /** The longest that script ran in one task. */
  readonly script: number
  /** The longest task whole. */
  readonly task: number
}

/** Types into a field, and waits for what follows from the last letter. A block for each letter. */
export async function type(
  page: Page,
  field: Locator,
  text: string,
  followed: () => Promise<unknown>
): Promise<Block[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser')
  const session = await page.context().newCDPSession(page)
  await field.focus()
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
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
    // The task that takes a letter begins before it does.
    const during = tasks.filter((task) => endOf(task) > ts && task.ts < end)
    const scriptIn = (task: TraceEvent) =>
      scripts
        .filter((script) => script.ts >= task.ts && endOf(script) <= endOf(task))
        .reduce((sum, script) => sum + timeOf(script), 0)
    return { script: longest(during.map(scriptIn)), task: longest(during.map(timeOf)) }
  })
}

/** Without what runs inside another one of them. */
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
