import { describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { open } from './pages/journey.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

describe('a view whose file cannot be fetched', () => {
  it('says so, tries again, and is there once the page was loaded anew', async () => {
    const visit = await world.visit('/?testkit=off')
    const { page, modal } = visit
    await page.route(/AllWalletsView/, (route) => route.abort('internetdisconnected'))
    await open(visit)
    await modal.part('all-wallets').click()
    await modal.part('load-again').waitFor()
    expect(await modal.part('empty-state-text').textContent()).toBe("Couldn't load this view")
    expect(await modal.part('reload-page').count()).toBe(0)
    // Some browsers request the module again, others return the cached failure: it fails in both cases.
    await modal.part('load-again').click()
    await modal.part('reload-page').waitFor()
    await page.unroute(/AllWalletsView/)
    await modal.part('reload-page').click()
    await expect.poll(() => modal.card.count()).toBe(0)
    await open(visit)
    await modal.part('all-wallets').click()
    await modal.part('wallet-list').waitFor()
  })
})

describe('the first click without a connection', () => {
  it('says what to do in a styled dialog, and goes on once there is a connection', async () => {
    const visit = await world.visit('/?testkit=off')
    const { page, modal } = visit
    await page.route('**/*.wasm', (route) => route.abort('internetdisconnected'))
    await modal.connectButton.click()
    const alert = modal.card.getByRole('alert')
    await expect.poll(() => alert.textContent()).toBe("Couldn't load the widgetCheck your connection and try again.")
    expect(await violations(page)).toEqual([])
    await page.unroute('**/*.wasm')
    await modal.card.getByRole('button', { name: 'Try again' }).click()
    await modal.ready()
  })
})
