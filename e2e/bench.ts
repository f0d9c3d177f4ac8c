//! Measures what docs/benchmarks.md promises, in a real browser against the real server, and writes that page.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureColdClick, measureIdleClick } from './bench/click.ts'
import { kept, type Row, report } from './bench/report.ts'
import { type Load, measureSizes } from './bench/size.ts'
import { countIdleWork } from './world/idle-work.ts'
import { repository } from './world/program.ts'
import { startWorld, type World } from './world/world.ts'

const RUNS = 20
const COLD_RUNS = 5

async function measure({ browser, origin }: World): Promise<{ rows: Row[]; details: string[] }> {
  const sizes = await measureSizes(browser, origin)
  const idle = await measureIdleClick(browser, origin, 1, RUNS)
  const slow = await measureIdleClick(browser, origin, 4, RUNS)
  const cold = await measureColdClick(browser, origin, COLD_RUNS)
  const core = await measureCore(browser, origin)
  const unopened = await countIdleWork(browser, `${origin}/idle.html?testkit=off`)
  const worst = (milliseconds: number) => `worst of the runs: ${Math.round(milliseconds)} ms`
  const rows: Row[] = [
    {
      what: 'Before the click, beyond the host’s own React',
      limit: 10 * 1024,
      measured: sizes.before.bytes - sizes.bare.bytes,
      unit: 'bytes',
      note: more(sizes.bare, sizes.before)
    },
    {
      what: 'To an open and populated Connect view, core included',
      limit: 120 * 1024,
      measured: sizes.open.bytes - sizes.bare.bytes,
      unit: 'bytes',
      note: more(sizes.bare, sizes.open)
    },
    {
      what: 'After that paint: the second half of the core',
      limit: 40 * 1024,
      measured: sizes.later.bytes,
      unit: 'bytes',
      note: `${sizes.later.requests} more request`
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
      what: 'Cold page, slow 4G, processor 4 times slower, click as soon as it can be: to the populated list',
      limit: 700,
      measured: cold.list.median,
      unit: 'ms',
      note: worst(cold.list.worst)
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
    'Bytes are those of the bodies as transferred, less those of the same page without the widget (`bench-bare.html`); 1 KB is 1024 bytes.',
    `Times are medians of ${RUNS} fresh pages, from the time stamp of the click to a task after the frame that drew the wallet list; the pointer was on the button before. Cold: ${COLD_RUNS} fresh profiles.`,
    `On the cold page the first frame lists the wallets that announce themselves, and takes the choice of one; the views of the core stand in its place after ${Math.round(cold.core.median)} ms (worst of the runs: ${Math.round(cold.core.worst)} ms).`,
    `The core by kind of event: ${Object.entries(core)
      .map(([event, time]) => `${event} ${time < 0.1 ? 'under 0.1' : time.toFixed(1)} ms`)
      .join(', ')}.`,
    'The page that is never opened is watched for a minute of its own time.',
    ...howTheCoreWasBuilt()
  ]
  return { rows, details }
}

function more(bare: Load, load: Load): string {
  const headers = ((load.headers - bare.headers) / 1024).toFixed(1)
  return `${load.requests - bare.requests} more requests, whose headers are ${headers} KB`
}

/** The toolchain decides some of the size; what it was is noted beside the stamp of the build. */
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
  // What stands below is measured by `cargo xtask bench server`.
  const [, server] = readFileSync(file, 'utf8').split('\n## Server\n')
  writeFileSync(file, server === undefined ? text : `${text.trimEnd()}\n\n## Server\n${server}`)
  console.log(text)
  const missed = rows.filter((row) => !kept(row))
  console.log(missed.length === 0 ? 'Every budget is kept.' : `Missed: ${missed.map(({ what }) => what).join('; ')}.`)
} finally {
  await world.stop()
}
