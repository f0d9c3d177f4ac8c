import { formatEther } from 'viem'
import { expect, it } from 'vitest'
import { ACCOUNT, openAccount } from './pages/journey.ts'
import { confirm, fill, review } from './pages/send.ts'
import { Swap } from './pages/swap.ts'
import { useWorld } from './use-world.ts'
import { contractOf } from './world/coins.ts'
import { lastFee } from './world/market.ts'
import type { Visit } from './world/visit.ts'

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

/** Opens the activity of a connected account. */
async function activity(): Promise<Visit> {
  const visit = await world.comeBack()
  await openAccount(visit)
  await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
  await visit.modal.card.getByTestId('activity-item').first().waitFor()
  return visit
}

it('several NFTs of one id are counted in their row and in its details', async () => {
  const { modal } = await activity()
  const row = modal.card.getByTestId('activity-item').filter({ hasText: '2 × Badge #7' })
  await row.getByRole('button').click()
  await expect.poll(() => modal.card.locator('.hero strong').textContent()).toMatch(/−2 × Badge #7$/)
})

it('an approval opens its details with its spender, its amount and its token', async () => {
  const { modal } = await activity()
  await modal.card.getByTestId('activity-item').filter({ hasText: 'Approved' }).last().getByRole('button').click()
  await modal.part('detail-spender').waitFor()
  expect(await modal.part('detail-spender').textContent()).toBe(contractOf('exchange'))
  expect(await modal.part('detail-token-contract').textContent()).toBe(contractOf('usdc'))
  await modal.card.getByText('100 USDC', { exact: true }).waitFor()
})

it('a swap for an exact amount moved what left the account, and not what the router gave back', async () => {
  const visit = await world.comeBack()
  const swap = new Swap(visit)
  await swap.open()
  await swap.choose('toToken', 'USDC')
  await swap.amount('toToken').fill('50')
  await swap.exact('sourceToken', 18)
  await swap.review()
  await swap.action.click()
  const before = await world.one.balance(ACCOUNT)
  await visit.wallet.approve('send')
  await visit.modal.confirmed()
  const paid = formatEther(before - (await world.one.balance(ACCOUNT)) - (await lastFee(world.one, ACCOUNT)))
  const { card, part } = { card: visit.modal.card, part: (id: string) => visit.modal.part(id) }
  await part('swap-done').click()
  await card.getByRole('tab', { name: 'Activity' }).click()
  await card.getByTestId('activity-item').filter({ hasText: '+50.000 USDC' }).first().getByRole('button').click()
  const [left, came] = await card.locator('.hero strong bdi').allTextContents()
  expect(left).toContain(`−${paid.slice(0, '0.12345678'.length).replace(/0+$/, '')} ETH`)
  expect(came).toContain('+50.000 USDC')
  expect(await part('detail-token-contract').textContent()).toBe(contractOf('usdc'))
})

it('a network whose history the server cannot know says so, and still lists what this page paid', async () => {
  const visit = await world.comeBack()
  const { card, part } = { card: visit.modal.card, part: (id: string) => visit.modal.part(id) }
  await openAccount(visit)
  await part('w3m-account-select-network').click()
  await visit.modal.network('Anvil Two').click()
  await visit.wallet.approve('switchChain')
  await expect.poll(() => part('w3m-account-select-network').textContent()).toContain('Anvil Two')
  await card.getByRole('tab', { name: 'Activity' }).click()
  await visit.modal.says("Activity isn't available here")
  await part('wallet-features-send-button').click()
  await fill(visit, '1', '0x00000000000000000000000000000000000000A7')
  await review(visit)
  await confirm(visit)
  await visit.modal.confirmed()
  await part('send-done').click()
  await card.getByRole('tab', { name: 'Activity' }).click()
  await card.getByTestId('activity-item').filter({ hasText: '−1.000 ETH' }).waitFor()
  await part('activity-unserved').waitFor()
})
