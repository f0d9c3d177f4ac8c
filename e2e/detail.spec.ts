import { expect, it } from 'vitest'
import { openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

it('a token opens its details, its contract is copied, and back leads to the same place of the list', async () => {
  const visit = await world.comeBack('/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await openAccount(visit)
  const { card, part } = { card: visit.modal.card, part: (id: string) => visit.modal.part(id) }
  const rows = card.locator('[data-testid^="account-token-eip155"]')
  await rows.first().waitFor()
  const body = card.locator('.body')
  const place = await body.evaluate((element) => {
    element.scrollTop = element.scrollHeight
    return element.scrollTop
  })
  await rows.last().click()
  const contract = await part('detail-contract').textContent()
  expect(contract).toMatch(/^0x[0-9a-fA-F]{40}$/)
  await part('detail-contract-copy').click()
  await expect.poll(() => part('detail-contract-copy').getAttribute('data-done')).toBe('true')
  expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toBe(contract)
  await part('header-back').click()
  await rows.first().waitFor()
  await expect.poll(() => body.evaluate((element) => element.scrollTop)).toBe(place)
})

it('a transaction opens its details with its whole hash and its page on the explorer', async () => {
  const visit = await world.comeBack()
  await openAccount(visit)
  await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
  await visit.modal.card.getByTestId('activity-item').first().getByRole('button').click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Transaction')
  expect(await visit.modal.part('detail-hash').textContent()).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await visit.modal.part('detail-hash-copy').count()).toBe(1)
})

it('an NFT opens its details', async () => {
  const visit = await world.comeBack()
  await openAccount(visit)
  await visit.modal.card.getByRole('tab', { name: 'NFTs' }).click()
  await visit.modal.card.locator('.nft button').first().click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Badge #7')
  expect(await visit.modal.part('detail-contract').textContent()).toMatch(/^0x[0-9a-fA-F]{40}$/)
})
