//! Main journeys, each step in the windows of phones and at a zoom of 200 %.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { connected, open, openAccount } from './pages/journey.ts'
import { layoutFaults } from './pages/layout.ts'
import { fill, review } from './pages/send.ts'
import { Swap } from './pages/swap.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** Windows in CSS pixels: phones, then a phone of 390 × 844 and a desktop of 1280 × 860 at a zoom of 200 %. */
const WINDOWS = [
  [320, 568],
  [360, 640],
  [390, 844],
  [195, 422],
  [640, 430]
] as const

const WIDE = { width: 1280, height: 860 }
/** Address without an owner. */
const RECEIVER = '0x00000000000000000000000000000000000c0d0a'

/** Faults of the open view, once it rests in the page's window. */
function faultsIn(page: Page): Promise<string[]> {
  return page.evaluate(`(async () => {
    const find = ${layoutFaults}
    const frame = () => new Promise(requestAnimationFrame)
    await frame()
    const shadow = document.querySelector('w3m-modal').shadowRoot
    let faults = find(shadow)
    // Titles of cut texts and the styles of narrow windows are files of their own.
    for (let waits = 0; faults.length > 0 && waits < 30; waits += 1) {
      await frame()
      faults = find(shadow)
    }
    return faults
  })()`)
}

/** Faults of this step in every window. Restores the wide one. */
async function faultsOf(page: Page, step: string): Promise<string[]> {
  const found: string[] = []
  for (const [width, height] of WINDOWS) {
    await page.setViewportSize({ width, height })
    found.push(...(await faultsIn(page)).map((fault) => `${step}, ${width} × ${height}: ${fault}`))
  }
  await page.setViewportSize(WIDE)
  return found
}

/** Expects that this step has room in every window. */
async function fits(visit: Visit, step: string): Promise<void> {
  expect(await faultsOf(visit.page, step)).toEqual([])
}

it('a view that is wider than its window is found', async () => {
  // A page of its own, because every fault of a visit fails its test.
  const page = await world.browser.newPage({ viewport: WIDE, reducedMotion: 'reduce' })
  await page.goto(`${world.origin}/gallery.html?stage`)
  await page.waitForFunction(() => 'showCase' in window)
  await page.evaluate(`showCase('Account.tokens.ready')`)
  await page.getByTestId('balance-amount').evaluate((balance) => {
    Object.assign((balance as HTMLElement).style, { minWidth: '360px' })
  })
  const found = await faultsOf(page, 'balance')
  await page.context().close()
  expect(found.join('\n')).toMatch(/balance, 320 × 568: /)
})

it('connecting and the account have room in small windows', async () => {
  const visit = await world.visit()
  await open(visit)
  await fits(visit, 'wallets')
  await visit.modal.wallet().click()
  await visit.wallet.asks('connect').waitFor()
  await fits(visit, 'waiting for the wallet')
  await visit.wallet.approve('connect')
  await connected(visit)
  await openAccount(visit)
  await visit.modal.says('USD Coin')
  await fits(visit, 'tokens')
  await visit.modal.part('hidden-tokens').click()
  await visit.modal.says('Suspicious name')
  await fits(visit, 'hidden tokens')
  await visit.modal.card.getByRole('tab', { name: 'NFTs' }).click()
  await visit.modal.says('Badge #7')
  await fits(visit, 'NFTs')
  await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
  const rows = visit.modal.card.getByTestId('activity-item')
  await rows.first().waitFor()
  await fits(visit, 'activity')
  // The history has the token whose name is markup; it is told as in the list of tokens, and is no gain.
  const spam = rows.filter({ hasText: 'Suspicious name' })
  expect(await spam.locator('.gain').count()).toBe(0)
  await spam.first().getByRole('button').click()
  await visit.modal.part('detail-warning').waitFor()
  await fits(visit, 'a transaction')
})

it('sending has room in small windows, from the form to the receipt', async () => {
  const visit = await world.comeBack()
  await openAccount(visit)
  await visit.modal.part('wallet-features-send-button').click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Send')
  await fits(visit, 'empty form')
  await fill(visit, '0.5', RECEIVER)
  await expect.poll(() => visit.modal.reviewButton.isEnabled()).toBe(true)
  await fits(visit, 'filled form')
  await review(visit)
  await fits(visit, 'preview')
  await visit.modal.sendButton.click()
  await visit.wallet.asks('send').waitFor()
  await fits(visit, 'waiting for the wallet')
  // The wallet's own dialog breaks an address in two halves, not before its last character.
  await visit.page.setViewportSize({ width: 390, height: 844 })
  const halves = await visit.page.getByText(/^0x[\da-fA-F]{40}$/).evaluateAll((addresses) =>
    addresses
      .filter((address) => address.matches('dd.hex'))
      .map((address) => {
        const text = document.createRange()
        text.selectNodeContents(address)
        const lines = [...text.getClientRects()].map(({ width }) => width)
        return [lines.length, (lines.at(-1) ?? 0) > (lines[0] ?? 0) * 0.8]
      })
  )
  expect(halves).toEqual([
    [2, true],
    [2, true]
  ])
  await visit.page.setViewportSize(WIDE)
  await visit.wallet.approve('send')
  await visit.modal.part('send-done').waitFor()
  await visit.modal.confirmed()
  // The receipt says it, so no snack does.
  expect(await visit.modal.snack.filter({ hasText: 'confirmed' }).count()).toBe(0)
  await fits(visit, 'receipt')
})

it('a long amount to send stays on one line, with its number whole, at a zoom of 200 %', async () => {
  const visit = await world.comeBack()
  await openAccount(visit)
  await visit.modal.part('wallet-features-send-button').click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Send')
  await fill(visit, '1234.5678901234', RECEIVER)
  await review(visit)
  await visit.page.setViewportSize({ width: 195, height: 422 })
  const lines = await visit.modal.card.locator('.amount bdi').evaluate((amount) => {
    const number = document.createRange()
    number.selectNode(amount.firstChild as Node)
    return new Set([...number.getClientRects()].map(({ top }) => top)).size
  })
  expect(lines).toBe(1)
  await visit.page.setViewportSize(WIDE)
})

it('swapping has room in small windows, from the form to the receipt', async () => {
  const visit = await world.comeBack()
  const swap = new Swap(visit)
  await swap.open()
  await fits(visit, 'empty form')
  await swap.token('toToken').click()
  await visit.modal.part('swap-select-token-search-input').waitFor()
  await fits(visit, 'list of tokens')
  await visit.modal.part('header-back').click()
  await swap.choose('toToken', 'USDC')
  await swap.quote('0.5', 6)
  await fits(visit, 'quote')
  await swap.review()
  await fits(visit, 'preview')
  await swap.action.click()
  await visit.wallet.approve('send')
  await visit.modal.confirmed()
  await visit.modal.says('Swapped')
  await fits(visit, 'receipt')
})

it('phones at a zoom of 200 % show the page and the whole text of its button', async () => {
  const visit = await world.visit()
  const button = visit.page.locator('appkit-button button')
  for (const width of [160, 180, 195]) {
    await visit.page.setViewportSize({ width, height: 422 })
    // The rules of narrow buttons are a file of their own, which the first narrow window loads.
    await expect.poll(() => visit.page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    const cut = () =>
      button.evaluate((button) => {
        const text = document.createRange()
        text.selectNodeContents(button)
        const { width } = text.getBoundingClientRect()
        if (width === 0) return 'empty'
        return width > button.clientWidth ? 'cut' : 'whole'
      })
    await expect.poll(cut).toBe('whole')
  }
  await visit.page.setViewportSize(WIDE)
})

it('a page that is written from the right does not scroll sideways where the address gives way to the picture', async () => {
  const visit = await world.comeBack()
  const name = visit.page.locator('appkit-button button > [dir=auto]')
  await name.waitFor()
  await visit.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await visit.page.setViewportSize({ width: 150, height: 422 })
  await expect.poll(() => name.getAttribute('class')).toBe('unseen')
  const box = await name.boundingBox()
  expect([box?.width, box?.height]).toEqual([1, 1])
  await visit.page.setViewportSize(WIDE)
})

it('at a zoom of 200 % the address in the account button is whole, or the picture stands in its place', async () => {
  const visit = await world.comeBack()
  const name = visit.page.locator('appkit-button button > [dir=auto]')
  await name.waitFor()
  for (const width of [160, 180, 195, 240]) {
    await visit.page.setViewportSize({ width, height: 422 })
    // The rules of narrow buttons are a file of their own, which the first narrow window loads.
    const how = () =>
      name.evaluate((name) => {
        if (name.className !== 'unseen') return name.scrollWidth > name.clientWidth ? 'cut' : 'whole'
        const picture = name.previousElementSibling?.getBoundingClientRect()
        const button = name.parentElement?.getBoundingClientRect()
        return picture && button && picture.right <= button.right && picture.left >= button.left ? 'picture' : 'nothing'
      })
    await expect.poll(how).toMatch(width < 195 ? /whole|picture/ : /whole/)
  }
  await visit.page.setViewportSize(WIDE)
})

it.each(['WalletSend', 'SolanaSend', 'Swap'])(
  'at a zoom of 200 % the values of the receipt of %s begin at one edge',
  async (kind) => {
    const page = await world.browser.newPage({ viewport: { width: 195, height: 422 }, reducedMotion: 'reduce' })
    await page.goto(`${world.origin}/gallery.html?case=${kind}Confirmed.confirmed`)
    const values = page.locator('.sent dd')
    const edges = () =>
      values.evaluateAll((all) => [
        all.length > 4,
        ...new Set(all.map((one) => Math.round(one.firstElementChild?.getBoundingClientRect().left ?? 0)))
      ])
    // The styles of narrow windows are a file of their own.
    await expect.poll(edges).toEqual([true, expect.any(Number)])
    await page.context().close()
  }
)

it("the explorer's numbers are whole at a zoom of 200 %", async () => {
  const page = await world.browser.newPage({ viewport: { width: 195, height: 422 } })
  await page.goto(`${world.explorer}/address/0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266`)
  const numbers = await page.locator('.card .number').evaluateAll((all) =>
    all.map((number) => {
      const [inner, outer] = [number, number.closest('.card') as Element].map((one) => one.getBoundingClientRect())
      return inner && outer && inner.width > 0 && inner.right <= outer.right ? 'whole' : number.textContent
    })
  )
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(195)
  await page.context().close()
  expect(new Set(numbers)).toEqual(new Set(['whole']))
})
