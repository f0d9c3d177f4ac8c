import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { serveFrame, walletBeside } from './pages/frame.ts'
import { connected, open, openAccount } from './pages/journey.ts'
import { Modal } from './pages/modal.ts'
import { useWorld } from './use-world.ts'
import { openSeller, PURCHASE, type Seller } from './world/seller.ts'
import type { Visit, VisitOptions } from './world/visit.ts'

let seller: Seller
const world = useWorld(async () => {
  seller = await openSeller()
  return { windows: true, seller: seller.url }
})
afterEach(() => seller.relent())
afterAll(() => seller.stop())

async function providers(options: VisitOptions = {}): Promise<Visit> {
  const visit = await world.comeBack('/', options)
  // The provider's real page is not requested in tests.
  await visit.context.route(`${PURCHASE}**`, (route) => route.fulfill({ body: 'The page of a purchase' }))
  await openAccount(visit)
  await visit.modal.part('wallet-features-onramp-button').click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Choose Provider')
  return visit
}

/** Opens the page of a purchase, as the click does in a new tab. */
async function buy(visit: Visit): Promise<Page> {
  const opened = visit.context.waitForEvent('page')
  await visit.modal.part('onramp-provider-meld').click()
  const page = await opened
  await expect.poll(() => page.url()).toContain(PURCHASE)
  await visit.modal.part('onramp-done').waitFor()
  return page
}

it('spec_6_5_a_host_that_names_no_features_has_email_wallets_all_wallets_the_four_features_history_and_analytics', async () => {
  const wallet = walletBeside(world.origin)
  const prepare = (page: Page) => serveFrame(page, wallet)
  const visit = await world.visit(`/?login=${encodeURIComponent(wallet)}`, { alone: true, prepare })
  await open(visit)
  for (const part of ['email-input', 'all-wallets']) await visit.modal.part(part).waitFor()
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await connected(visit)
  await openAccount(visit)
  for (const feature of ['onramp', 'swaps', 'receive', 'send'])
    await visit.modal.part(`wallet-features-${feature}-button`).waitFor()
  await visit.modal.card.getByRole('tab', { name: 'Activity' }).waitFor()
  await expect.poll(() => visit.requests.map((url) => new URL(url).pathname)).toContain('/e')
})

describe('buying', () => {
  it("a failure of a provider is told in the page's language, and in the server's words to the developer alone", async () => {
    seller.refuse()
    const visit = await world.comeBack('/?dir=rtl&locale=ar')
    const console: string[] = []
    visit.page.on('console', (message) => console.push(message.text()))
    await openAccount(visit)
    await visit.modal.part('wallet-features-onramp-button').click()
    await visit.modal.part('onramp-provider-meld').click()
    await expect
      .poll(() => visit.modal.card.textContent())
      .toMatch(/لا يستجيب .{1,3}Meld.+حاول مجددًا أو اختر مزودًا آخر/)
    const english = /Meld.* (isn't|doesn't|is busy)/
    await expect.poll(() => console.join()).toMatch(english)
    expect(await visit.modal.card.textContent()).not.toMatch(english)
  })

  it('a provider that refused may be asked again', async () => {
    seller.refuse()
    const visit = await providers()
    await visit.modal.part('onramp-provider-meld').click()
    await visit.modal.says("Couldn't open Meld")
    seller.relent()
    await visit.modal.part('onramp-retry').click()
    await visit.modal.part('onramp-done').waitFor()
  })

  it('an amount that is none is said beside its field', async () => {
    const visit = await providers()
    for (const [amount, words] of [
      ['fifty', 'Enter a number, such as 50'],
      ['0', 'Enter more than zero'],
      ['1.234', 'Use at most 2 decimals']
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
    const page = await buy(visit)
    expect(await page.evaluate(() => window.opener)).toBeNull()
    await page.close()
    await visit.modal.part('onramp-done').click()
    await expect.poll(() => visit.modal.title.textContent()).not.toBe('Buy')
  })

  it('where the browser opens no tab by itself the visitor follows a link to the page', async () => {
    const visit = await providers({ before: () => Object.assign(window, { open: () => null }) })
    await visit.modal.part('onramp-provider-meld').click()
    const link = visit.modal.card.locator('a[data-testid=onramp-open]')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    const opened = visit.context.waitForEvent('page')
    await link.click()
    const page = await opened
    await expect.poll(() => page.url()).toContain(PURCHASE)
    await visit.modal.says('Pay in the other tab')
    expect(await link.count()).toBe(0)
  })

  it('a visitor who looks is told that nothing is known of the purchase yet', async () => {
    const visit = await providers()
    await buy(visit)
    await visit.modal.part('onramp-check').click()
    await visit.modal.says('No purchase seen yet')
    expect(await violations(visit.page)).toEqual([])
  })

  it('a visitor whom the provider leads back sees in that tab what became of the purchase', async () => {
    const visit = await providers()
    const page = await buy(visit)
    seller.tell('SETTLING')
    expect(new URL(seller.wayBack()).origin).toBe(world.origin)
    await page.goto(seller.wayBack())
    const back = new Modal(page)
    await back.says('Purchase in progress')
    await back.says('Meld.io is processing your payment')
    expect(new URL(page.url()).search).toBe('')
    await back.part('onramp-done').click()
    await back.part('disconnect-button').waitFor()
  })

  it('the visitor says in which country and state they are, and finds it so after a reload', async () => {
    const visit = await providers({ timezoneId: 'Europe/Berlin' })
    await expect.poll(() => visit.modal.part('onramp-country').textContent()).toContain('Germany')
    expect(await violations(visit.page)).toEqual([])
    await visit.modal.part('onramp-country').click()
    await visit.modal.part('onramp-country-BR').click()
    await expect.poll(() => visit.modal.part('onramp-country').textContent()).toContain('Brazil')
    await visit.page.reload()
    await openAccount(visit)
    await visit.modal.part('wallet-features-onramp-button').click()
    await expect.poll(() => visit.modal.part('onramp-country').textContent()).toContain('Brazil')
  })

  it('spec_6_10_in_a_restricted_time_zone_the_visitor_is_asked_where_they_are', async () => {
    const visit = await providers({ timezoneId: 'Asia/Shanghai' })
    await visit.modal.says('Prices vary by country. Choose yours.')
    await expect.poll(() => visit.modal.part('onramp-country').textContent()).toContain('Choose country')
  })
})
