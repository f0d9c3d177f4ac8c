//! The first steps of a visitor in Firefox: a browser wallet, and logins by e-mail and at a service, with a signature and payments.

import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core'
import { type Hex, parseEther, verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { ACCOUNT } from './pages/journey.ts'
import { codeOf, LINK, mailed } from './pages/mail.ts'
import { balanceBefore, paid, paymentOf } from './pages/payment.ts'
import { useWorld } from './use-world.ts'

const world = useWorld({ wallet: true, socials: true })

const RECEIVER = '0x00000000000000000000000000000000000c0e06'

let browser: Browser
let page: Page
let errors: string[]

beforeAll(async () => {
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true
  })
})

afterAll(() => browser?.close())

beforeEach(async () => {
  errors = []
  page = await (await browser.createBrowserContext()).newPage()
  page.on('pageerror', (error) => errors.push(String(error)))
})

afterEach(async () => {
  await page.browserContext().close()
  expect(errors).toEqual([])
})

/** Middle of an element, also in shadow trees; null while it is not there, or moves. */
async function middle(where: Page | Frame, selector: string): Promise<{ x: number; y: number } | null> {
  return where.evaluate(async (selector) => {
    const within = (root: Document | ShadowRoot): Element | null => {
      const own = root.querySelector(selector)
      if (own) return own
      for (const { shadowRoot } of root.querySelectorAll('*')) {
        const found = shadowRoot && within(shadowRoot)
        if (found) return found
      }
      return null
    }
    const place = () => {
      const box = within(document)?.getBoundingClientRect()
      return box?.width ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null
    }
    within(document)?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    const first = place()
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    const then = place()
    return first?.x === then?.x && first?.y === then?.y ? then : null
  }, selector)
}

/** Clicks with the mouse. Puppeteer's own way compiles texts in the page, which the policy of the pages forbids. */
async function click(selector: string, where: Page | Frame = page, on = page): Promise<void> {
  let place: { x: number; y: number } | null = null
  await expect
    .poll(async () => {
      place = await middle(where, selector)
      return place
    })
    .not.toBeNull()
  const around = await on.evaluate((inFrame) => {
    const box = inFrame ? document.querySelector('#w3m-iframe')?.getBoundingClientRect() : undefined
    return { x: box?.x ?? 0, y: box?.y ?? 0 }
  }, where !== on)
  const { x, y } = place as unknown as { x: number; y: number }
  await on.mouse.click(around.x + x, around.y + y)
}

const byId = (id: string): string => `[data-testid="${id}"]:not(:disabled)`

async function fill(id: string, text: string): Promise<void> {
  await click(byId(id))
  await page.keyboard.type(text)
}

/** Window that a click opened, by its address. */
async function windowOf(page: Page, isIts: (url: string) => boolean): Promise<Page> {
  let found: Page | undefined
  await expect
    .poll(async () => {
      found = (await page.browserContext().pages()).find((one) => isIts(one.url()))
      return found
    })
    .toBeDefined()
  return found as Page
}

const address = (): Promise<Hex> => page.evaluate('window.kit?.getAddress()') as Promise<Hex>

async function frame(): Promise<Frame> {
  let found: Frame | undefined
  await expect
    .poll(() => {
      found = page.frames().find((one) => one.url().startsWith(`${world.wallet}/frame/`))
      return found
    })
    .toBeDefined()
  return found as Frame
}

it('a browser wallet is connected', async () => {
  await page.goto(world.origin)
  await click(byId('connect-button'))
  await click(byId('wallet-selector-test.portico.demo'))
  await click(byId('demo-wallet-approve'))
  await expect.poll(address).toBe(ACCOUNT)
})

it('a visitor logs in by e-mail, signs a message, is back after a reload, pays, and confirms a large payment in a window', async () => {
  const wallet = world.wallet
  await page.goto(`${world.origin}/?login=${encodeURIComponent(wallet)}&testkit=off&relays=off`)
  await click(byId('connect-button'))
  await fill('email-input', 'fox@example.org')
  await click(byId('email-continue'))
  const tab = await page.browserContext().newPage()
  await tab.goto(await mailed(wallet, 'fox@example.org', LINK))
  await click('button[value=approve]', tab, tab)
  await expect.poll(() => tab.title()).toContain('Login approved')
  await tab.close()
  await fill('otp-input', await codeOf(wallet, 'fox@example.org'))
  await expect.poll(address).toMatch(/^0x/)
  const own = await address()
  const signed = page.evaluate(
    `window.kit.getWalletProvider().request({ method: 'personal_sign', params: ['0x68656c6c6f', '${own}'] })`
  )
  await click('button.primary:enabled', await frame())
  expect(await verifyMessage({ address: own, message: 'hello', signature: (await signed) as Hex })).toBe(true)
  await page.reload()
  await expect.poll(address).toBe(own)

  await world.one.request('anvil_setBalance', [own, `0x${parseEther('3').toString(16)}`])
  const before = await balanceBefore(world.one)
  const sent = page.evaluate(paymentOf(own)) as Promise<Hex>
  await click('button.primary:enabled', await frame())
  await paid(world.one, await sent, before)

  // Firefox does not tell what covers the frame: a large payment is confirmed in a window.
  const call = { from: own, to: RECEIVER, value: `0x${parseEther('2').toString(16)}` }
  const large = page.evaluate(
    `window.kit.getWalletProvider().request(${JSON.stringify({ method: 'eth_sendTransaction', params: [call] })})`
  )
  await click('button.primary:enabled', await frame())
  const popup = await windowOf(page, (url) => url.endsWith('#decision'))
  await click('.again button.primary:enabled', popup, popup)
  const hash = await large
  await expect.poll(() => popup.isClosed()).toBe(true)
  await expect
    .poll(async () => (await world.one.request('eth_getTransactionReceipt', [hash])) as { status: Hex } | null)
    .toMatchObject({ status: '0x1' })
})

it('a visitor logs in at a service in a window, and pays', async () => {
  const service = world.identities?.origin('google') ?? ''
  await page.goto(`${world.origin}/?login=${encodeURIComponent(world.wallet)}&testkit=off&relays=off`)
  await click(byId('connect-button'))
  await click(byId('social-selector-google'))
  const popup = await windowOf(page, (url) => url.startsWith(service))
  await popup.bringToFront()
  for (const name of ['login', 'password']) {
    await click(`input[name=${name}]`, popup, popup)
    await popup.keyboard.type('fay')
  }
  await popup.keyboard.press('Enter')
  // The service's page, on which a script may press the button: it may still move while it loads.
  const consent = 'form:not(:has(input[name=login])) button[type=submit]'
  await expect.poll(() => middle(popup, consent)).not.toBeNull()
  await popup.evaluate((selector) => document.querySelector<HTMLElement>(selector)?.click(), consent)
  await expect.poll(address).toMatch(/^0x/)
  expect(popup.isClosed()).toBe(true)
  const own = await address()
  await world.one.request('anvil_setBalance', [own, `0x${parseEther('3').toString(16)}`])
  const before = await balanceBefore(world.one)
  const sent = page.evaluate(paymentOf(own)) as Promise<Hex>
  await click('button.primary:enabled', await frame())
  await paid(world.one, await sent, before)
})
