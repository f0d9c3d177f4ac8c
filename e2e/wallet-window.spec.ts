//! Window in which a large payment is confirmed, in a browser that doesn't tell what covers the wallet's frame.

import type { Frame, Page } from 'playwright-core'
import { type Hex, parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { logIn } from './pages/login.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: 'localhost', mailPause: 1 })

const RECEIVER = '0x00000000000000000000000000000000000c0e05'

/** Makes the browser one like Firefox and Safari, before the page and its frames load. */
function blind(): void {
  Reflect.deleteProperty(IntersectionObserverEntry.prototype, 'isVisible')
}

interface Paying {
  readonly visit: Visit
  readonly own: Hex
  /** Hash of the payment, or the code with which it failed. */
  readonly answer: Promise<unknown>
}

/** A page that asks for a payment of six of ten ether. */
async function paying(email: string): Promise<Paying> {
  const login = encodeURIComponent(world.wallet)
  const visit = await world.visit(`/?login=${login}&testkit=off&relays=off`, { alone: true, before: blind })
  const own = await logIn(visit, world.wallet, email)
  await world.one.request('anvil_setBalance', [own, `0x${parseEther('10').toString(16)}`])
  const call = { from: own, to: RECEIVER, value: `0x${parseEther('6').toString(16)}` }
  const request = JSON.stringify({ method: 'eth_sendTransaction', params: [call] })
  const answer = visit.page.evaluate(`window.kit.getWalletProvider().request(${request}).catch(({ code }) => code)`)
  return { visit, own, answer }
}

const button = (where: Page | Visit, name: string) =>
  ('modal' in where ? frameOf(where.page) : where).getByRole('button', { name, exact: true })

/** The visitor goes on in the window. */
async function opened(visit: Visit): Promise<Page> {
  const [page] = await Promise.all([
    visit.context.waitForEvent('page'),
    clickInFrame(button(visit, 'Continue in a new window'))
  ])
  await page.getByText('Check amount and receiver once more').waitFor()
  return page
}

const closed = (page: Page) => expect.poll(() => page.isClosed()).toBe(true)
const sent = (own: Hex) => world.one.request('eth_getTransactionCount', [own, 'pending'])

describe('a large payment', () => {
  it('is confirmed in a window, which shows it and closes, and is mined', async () => {
    const { visit, own, answer } = await paying('window@example.org')
    const before = await world.one.balance(RECEIVER)
    await frameOf(visit.page).getByText('This is a large amount').waitFor()
    expect(await button(visit, 'Approve').count()).toBe(0)
    const page = await opened(visit)
    expect(new URL(page.url()).origin).toBe(world.wallet)
    const text = (await page.locator('main').textContent()) ?? ''
    for (const part of [new URL(visit.page.url()).origin, own, RECEIVER.toLowerCase(), '6 coins', 'Max network fee'])
      expect(text.toLowerCase()).toContain(part.toLowerCase())
    expect(await button(visit, 'Sign now').count()).toBe(0)
    await button(page, 'Sign now').click()
    const hash = await answer
    await closed(page)
    await expect
      .poll(async () => (await world.one.request('eth_getTransactionReceipt', [hash])) as { status: Hex } | null)
      .toMatchObject({ status: '0x1' })
    expect((await world.one.balance(RECEIVER)) - before).toBe(parseEther('6'))
  })

  it('waits in the frame after its window was closed, and is declined in the next one', async () => {
    const { visit, own, answer } = await paying('window-closed@example.org')
    await (await opened(visit)).close()
    const page = await opened(visit)
    await button(page, 'Decline').click()
    expect(await answer).toBe(4001)
    await closed(page)
    expect(await sent(own)).toBe('0x0')
  })

  it('takes its window with it when the modal is closed', async () => {
    const { visit, own, answer } = await paying('window-aborted@example.org')
    const page = await opened(visit)
    await visit.page.evaluate(() => window.kit?.close())
    expect(await answer).toBe(4001)
    await closed(page)
    expect(await sent(own)).toBe('0x0')
  })
})

/** Decision as the window itself would tell it: what the frame showed it last, and the hash of that. */
function decisionOf(page: Page): Promise<object> {
  return page.evaluate(async () => {
    const told = new Promise<MessageEvent>((hear) => window.addEventListener('message', hear, { once: true }))
    window.opener.postMessage({ type: 'ready' }, location.origin)
    const { order, snapshot } = (await told).data
    const text = new TextEncoder().encode(`portico proof 1\n${JSON.stringify(order)}`)
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
    const base64 = btoa(String.fromCharCode(...hash))
    const digest = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    const { number, revision } = snapshot.approval
    return { type: 'decided', approval: number, revision, digest, password: '' }
  })
}

/** Frame of the wallet in a page, which counts the decisions that reach it. */
async function counting({ page }: Visit): Promise<Frame> {
  const frame = page.frames().find((frame) => frame.url().startsWith(world.wallet))
  if (!frame) throw new Error('The page has no wallet')
  await frame.evaluate(() => {
    document.documentElement.dataset.heard = '0'
    window.addEventListener('message', ({ data }) => {
      const { dataset } = document.documentElement
      if (data?.type === 'decided') dataset.heard = String(Number(dataset.heard) + 1)
    })
  })
  return frame
}

const heard = (frame: Frame) => frame.evaluate(() => document.documentElement.dataset.heard)

it('a decision that the page or another window of the wallet forges signs nothing', async () => {
  const { visit, own, answer } = await paying('window-forged@example.org')
  const page = await opened(visit)
  await expect.poll(() => button(page, 'Sign now').isEnabled()).toBe(true)
  const decision = await decisionOf(page)
  const frame = await counting(visit)

  await visit.page.evaluate((decision) => {
    const frame = document.querySelector<HTMLIFrameElement>('#w3m-iframe')
    frame?.contentWindow?.postMessage(decision, '*')
  }, decision)
  await expect.poll(() => heard(frame)).toBe('1')

  // The page opens the wallet's page itself, which says that it is of no use.
  const [other] = await Promise.all([
    visit.context.waitForEvent('page'),
    visit.page.evaluate((address) => void window.open(address), page.url())
  ])
  await other.getByText('This page works only inside a site that uses this wallet').waitFor()
  await other.evaluate((decision) => {
    for (let index = 0; index < window.opener.length; index += 1)
      window.opener[index].postMessage(decision, location.origin)
  }, decision)
  await expect.poll(() => heard(frame)).toBe('2')

  await expect.poll(() => button(page, 'Sign now').isEnabled()).toBe(true)
  expect(await frameOf(visit.page).getByRole('status').textContent()).toContain('in the window that opened')
  expect(await sent(own)).toBe('0x0')
  // The same decision counts from the window itself.
  await page.bringToFront()
  await expect.poll(() => button(page, 'Sign now').isEnabled()).toBe(true)
  const present = await decisionOf(page)
  await page.evaluate((decision) => window.opener.postMessage(decision, location.origin), present)
  expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
})
