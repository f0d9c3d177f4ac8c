import { describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { connect, openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** With the chain's own coin, which the chain tells. */
const TOKENS = 2_000
const DEEDS = 5_000
const PAGE = 250

/** More rows than a card shows, and far fewer than there are. */
const DRAWN = 150

const hex = (number: number, digits: number) => `0x${number.toString(16).padStart(digits, '0')}`

function balances() {
  const token = (index: number) => ({
    name: `Token ${index}`,
    symbol: `T${index}`,
    chainId: 'eip155:31337',
    address: `eip155:31337:${hex(index + 1, 40)}`,
    price: 1,
    quantity: { decimals: '18', numeric: String(TOKENS - index) },
    iconUrl: ''
  })
  return { balances: Array.from({ length: TOKENS - 1 }, (_, index) => token(index)) }
}

/** A page of transactions, three a day backwards. */
function history(cursor: string | null) {
  const from = Number(cursor ?? 0)
  const deed = (index: number) => ({
    id: String(index),
    metadata: {
      operationType: 'send',
      hash: hex(index, 64),
      minedAt: new Date(Date.UTC(2026, 10, 20) - index * 28_800_000).toISOString(),
      sentFrom: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      sentTo: hex(index + 1, 40),
      status: 'confirmed',
      nonce: index,
      application: null,
      chain: 'eip155:31337'
    },
    transfers: [
      { fungible_info: { name: 'Ether', symbol: 'ETH', icon: null }, direction: 'out', quantity: { numeric: '1.5' } }
    ]
  })
  const data = Array.from({ length: Math.min(PAGE, DEEDS - from) }, (_, index) => deed(from + index))
  return { data, next: from + PAGE < DEEDS ? String(from + PAGE) : null }
}

/** A visitor who has very much, and has done very much. */
async function rich(): Promise<Visit> {
  const visit = await world.visit()
  await visit.page.route(/\/balance\?/, (route) => route.fulfill({ json: balances() }))
  await visit.page.route(/\/history\?/, (route) =>
    route.fulfill({ json: history(new URL(route.request().url()).searchParams.get('cursor')) })
  )
  await connect(visit)
  return visit
}

const rows = ({ modal }: Visit) => modal.card.getByRole('tabpanel').getByRole('listitem')

/** The other side of a transaction, as a row writes it. */
const shortened = (index: number) => `0x00…${hex(index + 1, 40).slice(-6)}`

/** So many pages were asked for. */
const asked = ({ requests }: Visit) => requests.filter((url) => url.includes('/history?')).length

/** Presses End where it scrolls the card. */
async function end({ modal, page }: Visit): Promise<void> {
  await modal.part('disconnect-button').focus()
  await page.keyboard.press('End')
}

describe('lists without an end', () => {
  it('of 2,000 tokens those in sight are drawn, and the last can be reached by keys', async () => {
    const visit = await rich()
    await openAccount(visit)
    const first = rows(visit).first()
    await expect.poll(() => first.getAttribute('aria-setsize')).toBe(String(TOKENS))
    expect(await rows(visit).count()).toBeLessThan(DRAWN)
    await end(visit)
    await expect.poll(() => rows(visit).last().getAttribute('aria-posinset')).toBe(String(TOKENS))
    expect(await rows(visit).count()).toBeLessThan(DRAWN)
    expect(await violations(visit.page)).toEqual([])
  })

  it('of 5,000 transactions those in sight are drawn, and the last can be reached by keys', async () => {
    const visit = await rich()
    await openAccount(visit)
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
    const last = rows(visit).filter({ hasText: shortened(DEEDS - 1) })
    // Each page puts the end further away: whoever wants to be there presses the key again.
    const pressed = async () => {
      await end(visit)
      return asked(visit)
    }
    for (let page = 1; page <= DEEDS / PAGE; page += 1) await expect.poll(pressed).toBeGreaterThanOrEqual(page)
    await expect.poll(() => end(visit).then(() => last.count())).toBe(1)
    expect(asked(visit)).toBe(DEEDS / PAGE)
    expect(await rows(visit).count()).toBeLessThan(DRAWN)
  })
})

/** One frame of sixty a second, in milliseconds. */
const FRAME = 1000 / 60

/** With all that a page of a host holds beside it. */
const HEAP = 40 * 1024 * 1024

/** Steps of a fast hand on the wheel, in pixels. */
const STEP = 600
const STEPS = 120

interface Scrolled {
  /** Of the main thread's own time, so that a busy machine counts little: what half of the steps took at most. */
  readonly usual: number
  readonly heap: number
}

/** Scrolls the card, a frame a step. */
async function scroll({ modal, page }: Visit): Promise<Scrolled> {
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
    costs.push(((await measure('TaskDuration')) - before) * 1000)
  }
  await session.send('HeapProfiler.collectGarbage')
  const heap = await measure('JSHeapUsedSize')
  costs.sort((one, other) => one - other)
  // Two frames pass in each step: that of the scroll, and that of what it brought into sight.
  return { usual: (costs[Math.floor(costs.length / 2)] ?? Number.NaN) / 2, heap }
}

describe('a long list under a fast hand', () => {
  it('of 2,000 tokens scrolls at 60 frames a second and holds less than 40 MB', async () => {
    const visit = await rich()
    await openAccount(visit)
    await expect.poll(() => rows(visit).first().getAttribute('aria-setsize')).toBe(String(TOKENS))
    const { usual, heap } = await scroll(visit)
    expect(usual).toBeLessThan(FRAME)
    expect(heap).toBeLessThan(HEAP)
  })

  it('of 5,000 transactions scrolls at 60 frames a second and holds less than 40 MB', async () => {
    const visit = await rich()
    await openAccount(visit)
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
    const pressed = async () => {
      await end(visit)
      return asked(visit)
    }
    for (let page = 1; page <= DEEDS / PAGE; page += 1) await expect.poll(pressed).toBeGreaterThanOrEqual(page)
    await visit.modal.card.locator('.body').evaluate((element) => element.scrollTo(0, 0))
    const { usual, heap } = await scroll(visit)
    expect(usual).toBeLessThan(FRAME)
    expect(heap).toBeLessThan(HEAP)
  })
})

describe('the files of the tabs', () => {
  const has = ({ requests }: Visit, name: string) => requests.some((url) => url.includes(`/${name}-`))

  it('come when the pointer or the focus reaches the tab, and not before', async () => {
    const visit = await rich()
    await openAccount(visit)
    await rows(visit).first().waitFor()
    expect([has(visit, 'Nfts'), has(visit, 'Activity')]).toEqual([false, false])
    await visit.modal.card.getByRole('tab', { name: 'NFTs' }).hover()
    await expect.poll(() => has(visit, 'Nfts')).toBe(true)
    expect(has(visit, 'Activity')).toBe(false)
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).focus()
    await expect.poll(() => has(visit, 'Activity')).toBe(true)
  })

  it('a tab whose file is on its way shows the shape of its rows', async () => {
    const visit = await rich()
    await openAccount(visit)
    await visit.page.route(/\/Activity-/, () => {})
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
    await visit.modal.card.getByRole('tabpanel').getByRole('status', { name: 'Loading' }).waitFor()
    await visit.page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
