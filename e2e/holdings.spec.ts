import { describe, expect, it } from 'vitest'
import { openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

async function account(): Promise<Visit> {
  const visit = await world.comeBack()
  await openAccount(visit)
  return visit
}

function panel({ modal }: Visit) {
  return modal.card.getByRole('tabpanel')
}

describe('what an account holds, from a real chain by the server', () => {
  it('spec_3_12_and_7_5_tokens_come_with_amounts_and_worth', async () => {
    const visit = await account()
    await expect.poll(() => panel(visit).textContent()).toMatch(/USD Coin.*\d/s)
    expect(await panel(visit).textContent()).toContain('DAI')
    expect(visit.requests.filter((url) => url.includes('/balance?'))).toHaveLength(1)
  })

  it('tokens that have a picture, and NFTs, show it', async () => {
    const visit = await account()
    // An image that the server refuses is replaced by a letter.
    const drawn = (row: string) =>
      panel(visit)
        .locator(`${row} img`)
        .evaluateAll((pictures) => {
          const widths = pictures.map((picture) => (picture as HTMLImageElement).naturalWidth)
          return widths.length > 0 && widths.every((width) => width > 0)
        })
    await expect.poll(() => drawn('[data-testid^=account-token]')).toBe(true)
    await visit.modal.card.getByRole('tab', { name: 'NFTs' }).click()
    await expect.poll(() => drawn('.nft')).toBe(true)
  })

  it('spec_5_12_a_token_without_decimals_is_not_shown', async () => {
    const visit = await account()
    await expect.poll(() => panel(visit).textContent()).toContain('USD Coin')
    expect(await panel(visit).textContent()).not.toContain('Ticket')
  })

  it('spec_3_15_2_9_and_2_13_activity_is_listed_by_month_with_signs', async () => {
    const visit = await account()
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
    await expect.poll(() => panel(visit).getByRole('listitem').count()).toBeGreaterThan(3)
    await expect.poll(() => panel(visit).textContent()).toMatch(/\+\s?\d/)
    expect(await panel(visit).getByRole('heading').count()).toBeGreaterThan(0)
  })

  it('NFTs are shown with their names', async () => {
    const visit = await account()
    await visit.modal.card.getByRole('tab', { name: 'NFTs' }).click()
    await expect.poll(() => panel(visit).getByRole('listitem').count()).toBeGreaterThan(0)
  })
})
