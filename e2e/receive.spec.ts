import { expect, it } from 'vitest'
import { ACCOUNT, openAccount, SECOND_ACCOUNT } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

async function receive(visit: Visit): Promise<void> {
  await openAccount(visit)
  await visit.modal.part('wallet-features-receive-button').click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Receive')
}

it('spec_1_4_a_visitor_shows_an_address_as_a_code_and_copies_it', async () => {
  const visit = await world.comeBack('/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await receive(visit)
  await visit.modal.card.locator(`wui-qr-code[uri="${ACCOUNT}"] path`).first().waitFor()
  expect(await visit.modal.part('receive-address').textContent()).toBe(ACCOUNT)
  await visit.modal.part('receive-address-copy-button').click()
  await visit.modal.part('receive-address-copy-button').getByText('Copied').waitFor({ state: 'attached' })
  expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toBe(ACCOUNT)
})

it('says on which network the address is good, and which others of its kind have it', async () => {
  const visit = await world.comeBack('/?networks=31337,31339')
  await receive(visit)
  await visit.modal.says('Send only assets on Anvil One or a network listed here.')
  await visit.modal.part('receive-networks').locator('summary').click()
  await visit.modal.part('receive-networks').getByText('Chain 31339').waitFor()
})

it('names one network alone where the others are for tests', async () => {
  const visit = await world.comeBack()
  await receive(visit)
  await visit.modal.says('Send only assets on Anvil One to this address.')
  expect(await visit.modal.part('receive-networks').count()).toBe(0)
})

it('another account in the wallet is another code', async () => {
  const visit = await world.comeBack()
  await receive(visit)
  await visit.control(({ switchAccount }) => switchAccount(1))
  await visit.modal.card.locator(`wui-qr-code[uri="${SECOND_ACCOUNT}"] path`).first().waitFor()
  expect(await visit.modal.part('receive-address').textContent()).toBe(SECOND_ACCOUNT)
})
