//! Measures the budgets of docs/benchmarks.md in a real browser against the real server, and writes that page.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureColdClick, measureIdleClick } from './bench/click.ts'
import { HOVER, measureWay, measureWork, PRESS, type Way } from './bench/open.ts'
import { kept, type Row, report } from './bench/report.ts'
import { type Load, measureSizes } from './bench/size.ts'
import { countIdleWork } from './world/idle-work.ts'
import { repository } from './world/program.ts'
import { startWorld, stopAll, type World } from './world/world.ts'

const RUNS = 20
const COLD_RUNS = 5
const SLOW_RUNS = 5
const WORK_RUNS = 7

async function measure({ browser, origin }: World): Promise<{ rows: Row[]; details: string[] }> {
  const sizes = await measureSizes(browser, origin)
  const idle = await measureIdleClick(browser, origin, 1, RUNS)
  const slow = await measureIdleClick(browser, origin, 4, RUNS)
  const cold = await measureColdClick(browser, origin, COLD_RUNS)
  const ways = await measureWays(browser, origin)
  const work = await measureWork(browser, origin, WORK_RUNS)
  const core = await measureCore(browser, origin)
  const unopened = await countIdleWork(browser, `${origin}/idle.html?testkit=off`)
  const worst = (milliseconds: number) => `worst of the runs: ${Math.round(milliseconds)} ms`
  const rows: Row[] = [
    {
      what: 'Before the click, beyond the host’s own React',
      limit: 9_000,
      measured: sizes.before.bytes - sizes.bare.bytes,
      unit: 'bytes',
      note: more(sizes.bare, sizes.before)
    },
    {
      what: 'To an open and populated Connect view, core included',
      limit: 80_000,
      measured: sizes.open.bytes - sizes.bare.bytes,
      unit: 'bytes',
      note: `${more(sizes.bare, sizes.open)}; and ${(sizes.data.bytes / 1000).toFixed(1)} KB that the server tells of wallets`
    },
    {
      what: 'Everything that an open modal fetches',
      limit: 150_000,
      measured: sizes.open.bytes - sizes.bare.bytes + sizes.later.bytes,
      unit: 'bytes',
      note: `${sizes.later.requests} more request after the list is painted`
    },
    {
      what: 'Click to painted modal, page idle',
      limit: 50,
      measured: idle.median,
      unit: 'ms',
      note: worst(idle.worst)
    },
    {
      what: 'Click to painted modal, page idle, processor 4 times slower',
      limit: 150,
      measured: slow.median,
      unit: 'ms',
      note: worst(slow.worst)
    },
    {
      what: 'Requests between that click and the first paint',
      limit: 0,
      measured: idle.requests.length + slow.requests.length,
      unit: 'requests',
      note: `of ${2 * RUNS} clicks`
    },
    {
      what: 'Cold page, slow 4G, processor 4 times slower, click as soon as it can be: running list',
      limit: 700,
      measured: cold.core.median,
      unit: 'ms',
      note: `rows of the first frame that take a choice after ${Math.round(cold.list.median)} ms`
    },
    ...ways,
    {
      what: 'Opening, at full speed: the main thread’s work from a finger’s touch to the running list',
      limit: 80,
      measured: work.total,
      unit: 'ms'
    },
    {
      what: 'Opening, processor 4 times slower: the longest task',
      limit: 100,
      measured: work.longest,
      unit: 'ms'
    },
    {
      what: 'One event through the core to a new snapshot, 500 wallets in state',
      limit: 1,
      measured: Math.max(...Object.values(core)),
      unit: 'ms',
      note: 'the slowest kind of event, median of 200'
    },
    {
      what: 'Page that never opens the modal: after load',
      limit: 0,
      measured: unopened.requests.length,
      unit: 'requests'
    },
    { what: 'Page that never opens the modal: after load', limit: 0, measured: unopened.timers.length, unit: 'timers' }
  ]
  const details = [
    'Bytes are those of the bodies as transferred, less those of the same page without the widget (`bench-bare.html`); 1 KB is 1000 bytes.',
    `Times are medians of ${RUNS} fresh pages, from the time stamp of the click to a task after the frame that drew the wallet list; the pointer was on the button before. Cold: ${COLD_RUNS} fresh profiles.`,
    `Slow 4G is 1.6 Mbit/s and 150 ms. First frame: half of the card can be seen. Asked: the first wallet is chosen in the first frame whose rows take a choice, and is handed \`eth_requestAccounts\`. Running list: the rows are the core’s and take a choice. Medians of ${SLOW_RUNS} fresh pages each, loaded and idle before the click; with a pointer it rests on the button for ${HOVER} ms before, and a finger for ${PRESS} ms: fetching begins there, the times at the click. No sign: a host’s own button that calls \`open()\`. A modal that is opened again fades in from an opacity of 0.6, so half of the card can be seen in its first frame.`,
    `The core by kind of event: ${Object.entries(core)
      .map(([event, time]) => `${event} ${time < 0.1 ? 'under 0.1' : time.toFixed(1)} ms`)
      .join(', ')}.`,
    'The page that is never opened is watched for a minute of its own time.',
    ...howTheCoreWasBuilt()
  ]
  return { rows, details }
}

const WAYS: readonly [name: string, way: Way][] = [
  ['no sign before the click, no relays', { relays: false, sign: 'none' }],
  ['no sign before the click, relays', { relays: true, sign: 'none' }],
  ['a finger, no relays', { relays: false, sign: 'finger' }],
  ['a finger, relays', { relays: true, sign: 'finger' }],
  ['a pointer, no relays', { relays: false, sign: 'pointer' }],
  ['a pointer, relays', { relays: true, sign: 'pointer' }]
]

/** Rows for each measure and each way to open the modal. */
async function measureWays(browser: World['browser'], origin: string): Promise<Row[]> {
  const times = new Map<string, Awaited<ReturnType<typeof measureWay>>>()
  for (const [name, way] of WAYS) times.set(name, await measureWay(browser, origin, way, SLOW_RUNS))
  const measures = [
    ['first frame', 'frame', 100],
    ['asked', 'asked', 150],
    ['running list', 'running', 550]
  ] as const
  return measures.flatMap(([what, measure, limit]) =>
    [...times].map(([name, measured]) => ({
      what: `Slow 4G, processor 4 times slower, ${name}: ${what}`,
      limit,
      measured: measured[measure],
      unit: 'ms' as const
    }))
  )
}

function more(bare: Load, load: Load): string {
  const headers = ((load.headers - bare.headers) / 1000).toFixed(1)
  return `${load.requests - bare.requests} more requests, whose headers are ${headers} KB`
}

/** Line about the toolchain, which affects the size. The build stores it in its stamp. */
function howTheCoreWasBuilt(): string[] {
  const stamp = join(repository(), '.cache/stamps/wasm')
  const [, note] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : []
  return note ? [`The core: ${note.trim()}.`] : []
}

async function measureCore(browser: World['browser'], origin: string): Promise<Record<string, number>> {
  const page = await browser.newPage()
  await page.goto(`${origin}/bench-core.html`)
  const times = await page.evaluate(
    () => (window as unknown as { coreTimes: Promise<Record<string, number>> }).coreTimes
  )
  await page.close()
  return times
}

const world = await startWorld()
try {
  const { rows, details } = await measure(world)
  const text = report(rows, details, world.browser.version())
  const file = join(repository(), 'docs/benchmarks.md')
  // The sections below are written by other benchmarks and stay.
  const page = readFileSync(file, 'utf8')
  const sections = page.indexOf('\n## ')
  writeFileSync(file, sections < 0 ? text : `${text.trimEnd()}\n${page.slice(sections)}`)
  console.log(text)
  const missed = rows.filter((row) => !kept(row))
  console.log(missed.length === 0 ? 'Every budget is kept.' : `Missed: ${missed.map(({ what }) => what).join('; ')}.`)
} finally {
  await stopAll()
}
