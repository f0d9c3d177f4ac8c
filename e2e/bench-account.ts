//! Measures waiting times of a connected visitor: for a typed letter, for a frame of a long list, and the requests for a new quote. Prints
//! the table that `cargo xtask bench account` writes into docs/benchmarks.md.

import { loadavg } from 'node:os'
import { enter, FIELDS, openSwap, typeInto } from './bench/fields.ts'
import { type Row, table } from './bench/report.ts'
import { percentile, scroll } from './bench/scrolling.ts'
import { type } from './bench/typing.ts'
import { DEEDS, PAGE_OF_DEEDS, TOKENS } from './world/many.ts'
import type { Visit } from './world/visit.ts'
import { startWorld, stopAll, type World } from './world/world.ts'

/** Number of times that each text is typed. */
const ROUNDS = 7

const LONGEST_BLOCK = 8
const FRAME = 1000 / 60
const HEAP = 40 * 2 ** 20

/** Maximum age of a quote in milliseconds. */
const REFRESH = 20_000

const worst = (times: readonly number[]): number => Math.max(...times)
const median = (times: readonly number[]): number =>
  percentile(
    [...times].sort((one, other) => one - other),
    50
  )
const inMs = (time: number): string => `${time.toFixed(1)} ms`

async function measureTyping(world: World): Promise<Row[]> {
  const rows: Row[] = []
  for (const field of FIELDS) {
    const letters = await typeInto(world, field, { rounds: ROUNDS })
    const scripts = letters.map((blocks) => blocks.map(({ script }) => script))
    const tasks = letters.map((blocks) => blocks.map(({ task }) => task))
    rows.push({
      what: `Typing in ${field.name}: the longest that a letter blocks`,
      limit: LONGEST_BLOCK,
      measured: worst(scripts.map(median)),
      unit: 'ms',
      note: `at least ${inMs(worst(scripts.map((times) => Math.min(...times))))}, at most ${inMs(worst(scripts.flat()))}; the longest task whole ${inMs(worst(tasks.map(median)))}`
    })
  }
  return rows
}

/** Time of a letter in a page with nothing but a field: the browser's own share. */
async function measureBareField({ browser }: World): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  const page = await context.newPage()
  await page.setContent('<input>')
  const input = page.locator('input')
  const tasks: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await input.fill('')
    const blocks = await type(page, input, '12.345678', async () => {})
    tasks.push(worst(blocks.map(({ task }) => task)))
  }
  await context.close()
  return median(tasks)
}

async function measureLists(world: World): Promise<Row[]> {
  const visit = await enter(world)
  const tokens = await scroll(visit)
  await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
  await seeAllDeeds(visit)
  const deeds = await scroll(visit)
  await visit.close()
  return [
    { name: `${TOKENS} tokens`, ...tokens },
    { name: `${DEEDS} transactions`, ...deeds }
  ].flatMap(({ name, frames, heap }): Row[] => [
    {
      what: `A list of ${name}: the main thread’s time a frame`,
      limit: FRAME,
      measured: percentile(frames, 90),
      unit: 'ms',
      note: `nine of ten frames; half of them ${inMs(percentile(frames, 50))}`
    },
    { what: `A list of ${name}: the heap of the page`, limit: HEAP, measured: heap, unit: 'bytes' }
  ])
}

/** Scrolls to the end until all pages of the history are loaded, and back to the top. */
async function seeAllDeeds({ modal, page, requests }: Visit): Promise<void> {
  const asked = () => requests.filter((url) => url.includes('/history?')).length
  const body = modal.card.locator('.body')
  await modal.card.getByRole('tabpanel').getByRole('listitem').first().waitFor()
  while (asked() < DEEDS / PAGE_OF_DEEDS) {
    const answered = page.waitForResponse(/\/history\?/)
    await body.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await answered
  }
  await body.evaluate((element) => element.scrollTo(0, 0))
}

/** Counts the requests of an automatic refresh of the quote. */
async function measureRefresh(world: World): Promise<Row> {
  const visit = await world.visit('/')
  const { modal, page } = visit
  await modal.connectButton.click()
  await modal.ready()
  await modal.wallet().click()
  await visit.wallet.approve('connect')
  await modal.gone()
  await modal.accountButton.click()
  const amount = await openSwap(visit, 'USDC')
  const first = page.waitForResponse(/\/convert\/quotes\?/)
  await amount.fill('1.5')
  await first
  await modal.part('swap-details').waitFor()
  const before = visit.requests.length
  await page.waitForResponse(/\/convert\/quotes\?/, { timeout: 2 * REFRESH })
  // Other requests of a refresh would be sent at the same time, so an idle page has sent all of them.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  const asked = visit.requests.slice(before).filter((url) => !url.startsWith('data:'))
  await visit.close()
  return {
    what: 'A quote that is refreshed',
    limit: 1,
    measured: asked.length,
    unit: 'requests',
    note: [...new Set(asked.map((url) => new URL(url).pathname))].join(', ')
  }
}

const world = await startWorld()
try {
  const typing = await measureTyping(world)
  const bare = await measureBareField(world)
  const rows = [...typing, ...(await measureLists(world)), await measureRefresh(world)]
  console.log(table(rows))
  const load = loadavg()[0]?.toFixed(1)
  console.log(`A field alone in an empty page: the longest task whole ${inMs(bare)}. The load was ${load} at the end.`)
} finally {
  await stopAll()
}
