import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** Account for which the server fails to return one list, until `found` is called. */
async function without(path: RegExp, options?: { readonly clock?: boolean }) {
  const prepare = (page: Page) => page.route(path, (route) => route.fulfill({ status: 503, body: '' }))
  const visit = await world.comeBack('/', { ...options, prepare })
  await openAccount(visit)
  return { visit, found: () => visit.page.unroute(path) }
}

function rows({ modal }: Visit) {
  return modal.card.getByRole('tabpanel').getByRole('listitem')
}

describe('what the server could not tell of an account', () => {
  it('spec_8_6_activity_is_said_to_be_missing_and_comes_when_it_is_asked_for_again', async () => {
    const { visit, found } = await without(/\/history\?/)
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
    await visit.modal.snacks('Failed to fetch transactions')
    await visit.modal.says("Couldn't load activity")
    await found()
    await visit.modal.card.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => rows(visit).count()).toBeGreaterThan(3)
    expect(await visit.modal.card.getByText("Couldn't load activity").count()).toBe(0)
  })

  it('NFTs are said to be missing and come when they are asked for again', async () => {
    const { visit, found } = await without(/\/nfts\?/)
    await visit.modal.card.getByRole('tab', { name: 'NFTs' }).click()
    await visit.modal.says("Couldn't load NFTs")
    await found()
    await visit.modal.card.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => rows(visit).count()).toBeGreaterThan(0)
  })

  it('spec_4_31_tokens_are_said_to_be_missing_once_and_nobody_is_asked_again_for_half_a_minute', async () => {
    const { visit, found } = await without(/\/balance\?/, { clock: true })
    await visit.modal.says("Couldn't load tokens")
    expect(await visit.modal.snack.count()).toBe(0)
    await found()
    await visit.modal.card.getByRole('button', { name: 'Try again' }).click()
    const asked = () => visit.requests.filter((url) => url.includes('/balance?')).length
    const before = asked()
    await visit.page.clock.fastForward(29_000)
    await visit.page.waitForLoadState('networkidle')
    expect(asked()).toBe(before)
    await visit.page.clock.fastForward(2_000)
    await visit.modal.says('USD Coin')
    expect(await visit.modal.card.getByText("Couldn't load tokens").count()).toBe(0)
  })
})
