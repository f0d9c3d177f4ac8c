import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { connect, openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import { openSeller, PURCHASE, type Seller } from './world/seller.ts'
import type { Visit } from './world/visit.ts'

let seller: Seller
const world = useWorld(async () => {
  seller = await openSeller()
  return { seller: seller.url }
})
afterEach(() => seller.relent())
afterAll(() => seller.stop())

async function providers(): Promise<Visit> {
  const visit = await world.visit()
  // Theirs is not asked from here.
  await visit.context.route(`${PURCHASE}**`, (route) => route.fulfill({ body: 'The page of a purchase' }))
  await connect(visit)
  await openAccount(visit)
  await visit.modal.part('wallet-features-onramp-button').click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Choose Provider')
  return visit
}

describe('buying', () => {
  it('a provider that refuses is told in its words, and may be asked again', async () => {
    seller.refuse()
    const visit = await providers()
    await visit.modal.part('onramp-provider-meld').click()
    await visit.modal.says('Could not open Meld')
    seller.relent()
    await visit.modal.part('onramp-retry').click()
    await visit.modal.part('onramp-open').waitFor()
  })

  it('an amount that is none is said beside its field', async () => {
    const visit = await providers()
    for (const [amount, words] of [
      ['fifty', 'Enter a number such as 0.5'],
      ['0', 'Enter more than zero'],
      ['1.234', 'At most 2 decimals']
    ] as const) {
      await visit.modal.part('onramp-amount').fill(amount)
      await visit.modal.says(words)
    }
  })

  it('spec_9_8_a_visitor_chooses_a_provider_by_its_price_and_buys_on_its_own_page', async () => {
    const visit = await providers()
    const row = visit.modal.part('onramp-provider-meld')
    await visit.modal.says('Fee 1–2%')
    await visit.modal.part('onramp-amount').fill('100')
    await expect.poll(() => row.textContent()).toContain('0.03')
    await row.click()
    const opened = visit.context.waitForEvent('page')
    await visit.modal.part('onramp-open').click()
    const page = await opened
    await expect.poll(() => page.url()).toContain(PURCHASE)
    expect(await page.evaluate(() => window.opener)).toBeNull()
    await page.close()
    await visit.modal.part('onramp-done').click()
    await expect.poll(() => visit.modal.title.textContent()).not.toBe('Buy')
  })
})
