import { describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { connected } from './pages/journey.ts'
import { code } from './pages/remote.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** A visitor who clicked while the core is still on its way. */
async function clicked(path = '/'): Promise<{ visit: Visit; deliver(): void }> {
  const visit = await world.visit(path)
  let deliver = () => {}
  const delivered = new Promise<void>((resolve) => {
    deliver = resolve
  })
  await visit.page.route('**/*.wasm', (route) => delivered.then(() => route.continue()))
  await visit.modal.connectButton.click()
  await visit.modal.shown()
  return { visit, deliver }
}

const rows = ({ modal }: Visit) => modal.card.locator('[data-testid^="wallet-selector-"]')

const list = (visit: Visit) =>
  rows(visit).evaluateAll((found) =>
    found.map((row) => {
      const { x, y, width, height } = row.getBoundingClientRect()
      const name = row.querySelector('bdi')?.textContent ?? row.textContent
      return { id: row.getAttribute('data-testid'), name, x, y: Math.round(y), width, height: Math.round(height) }
    })
  )

describe('the first frame', () => {
  it.each([
    ['the wallets', '/?relays=off&wallets=2', 2],
    ['the wallets, and the way to remote ones before them,', '/?wallets=2', 3]
  ])('lists %s where and as the core does', async (_, path, count) => {
    const { visit, deliver } = await clicked(path)
    const before = await list(visit)
    expect(before.length).toBe(count)
    expect(await violations(visit.page)).toEqual([])
    deliver()
    await visit.modal.ready()
    await expect.poll(() => list(visit)).toEqual(before)
  })

  it('takes the choice of a wallet, and the core asks that wallet when it is there', async () => {
    const { visit, deliver } = await clicked()
    await visit.modal.wallet().click()
    expect(await rows(visit).first().isDisabled()).toBe(true)
    deliver()
    await visit.wallet.approve('connect')
    await connected(visit)
    expect(visit.errors).toEqual([])
  })

  it('leads to remote wallets: their code is there when the core is', async () => {
    const { visit, deliver } = await clicked()
    await visit.modal.wallet('walletconnect').click()
    deliver()
    await code(visit).waitFor()
  })

  it('is walked through with the keyboard', async () => {
    const { visit, deliver } = await clicked('/?relays=off')
    await visit.page.keyboard.press('Tab')
    await visit.page.keyboard.press('Enter')
    deliver()
    await visit.wallet.asks('connect').waitFor()
  })
})
