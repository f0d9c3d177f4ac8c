//! Sign-in with the embedded wallet: a login signs the message of its page in the same step; later the visitor approves it in the frame, while the
//! modal stays open.

import { type Hex, verifyMessage } from 'viem'
import { expect, it } from 'vitest'
import { BackEnd } from './pages/back-end.ts'
import { frameOf } from './pages/frame.ts'
import { connected } from './pages/journey.ts'
import { addressOf, logInAs } from './pages/login.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: true })

/** Checks the session that the site stored. */
async function signedIn(visit: Visit): Promise<void> {
  await visit.modal.gone()
  await connected(visit)
  const [session] = await visit.page.evaluate(() => JSON.parse(localStorage.getItem('@appkit/siwx') ?? '[]'))
  const { message, signature } = session as { message: string; signature: Hex }
  expect(message).toContain(`${new URL(visit.page.url()).host} wants you to sign in`)
  expect(await verifyMessage({ address: await addressOf(visit), message, signature })).toBe(true)
}

it('spec_4_26_and_7_21_a_login_signs_the_message_of_its_page_and_asks_nothing_more', async () => {
  const visit = await world.newcomer('&siwx=required')
  await logInAs(visit, world.wallet, 'one-step@example.org')
  await signedIn(visit)
})

it('spec_4_26_and_7_21_a_login_signs_the_message_of_a_siweConfig_for_its_back_end', async () => {
  const host = new BackEnd()
  const visit = await world.newcomer('&siwe=')
  await host.serve(visit.page)
  await logInAs(visit, world.wallet, 'back-end@example.org')
  await visit.modal.gone()
  await connected(visit)
  expect(host.session).toEqual({ address: await addressOf(visit), chainId: 31337 })
  expect(host.asked).toEqual(['nonce', 'verify'])
})

it('spec_2_25_and_4_26_a_visitor_whose_login_is_over_approves_the_message_and_cannot_close_the_approval', async () => {
  const visit = await world.newcomer('&siwx=required')
  await logInAs(visit, world.wallet, 'sign-in@example.org')
  await signedIn(visit)
  // The site forgot the session; the login goes on after a reload, and is no act of the visitor.
  await visit.page.evaluate(() => localStorage.removeItem('@appkit/siwx'))
  await visit.page.reload()
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
  await signedIn(visit)
})
