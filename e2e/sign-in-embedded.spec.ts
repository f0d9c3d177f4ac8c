//! Sign-in with the embedded wallet: the visitor approves the message in the frame, while the modal stays open.

import { type Hex, verifyMessage } from 'viem'
import { expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { connected } from './pages/journey.ts'
import { addressOf, logInAs } from './pages/login.ts'
import { useWorld } from './use-world.ts'

const world = useWorld({ wallet: true })

it('spec_2_25_and_4_26_a_visitor_with_the_embedded_wallet_signs_in_and_cannot_close_the_approval', async () => {
  const wallet = world.wallet ?? ''
  const path = `/?login=${encodeURIComponent(wallet)}&testkit=off&relays=off&siwx=required`
  const visit = await world.visit(path, { alone: true })
  await logInAs(visit, wallet, 'sign-in@example.org')
  const sign = visit.modal.part('w3m-connecting-siwe-sign').and(visit.page.locator(':not([aria-busy])'))
  await sign.click()
  await frameOf(visit.page).getByText('Sign in to see your orders.').first().waitFor()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Approve Transaction')
  await visit.modal.closeButton.click()
  await visit.modal.card.and(visit.page.locator('.shaking')).waitFor()
  expect(await visit.modal.title.textContent()).toBe('Approve Transaction')
  // The click that gives the frame the focus back approves nothing, and the frame then has to stand still for a moment.
  const approve = frameOf(visit.page).getByRole('button', { name: 'Approve' })
  const press = async () => {
    await approve.and(frameOf(visit.page).locator(':enabled')).waitFor()
    const { x, y, width, height } = (await approve.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await visit.page.mouse.click(x + width / 2, y + height / 2)
  }
  await press()
  await approve.and(frameOf(visit.page).locator(':disabled')).waitFor()
  await press()
  await visit.modal.gone()
  await connected(visit)
  const [session] = await visit.page.evaluate(() => JSON.parse(localStorage.getItem('@appkit/siwx') ?? '[]'))
  const { message, signature } = session as { message: string; signature: Hex }
  expect(await verifyMessage({ address: await addressOf(visit), message, signature })).toBe(true)
})
