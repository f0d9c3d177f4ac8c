//! Social login at Google, GitHub and Apple of the package `emulate`, from the modal to a mined transaction.

import { expect, it } from 'vitest'
import { connected, open } from './pages/journey.ts'
import { pay } from './pages/payment.ts'
import { choose, userOf } from './pages/social.ts'
import { useWorld } from './use-world.ts'
import { PERSON } from './world/emulated.ts'

const world = useWorld({ windows: true, wallet: true, socials: 'emulated' })

it.each([
  ['google', PERSON.name],
  ['github', PERSON.login],
  ['apple', PERSON.email]
])('spec_1_2_logs_in_at_%s_as_another_program_has_it_and_sends', async (service, username) => {
  const visit = await world.newcomer()
  await visit.page.evaluate((service) => window.kit?.updateFeatures({ socials: [service] as never }), service)
  await open(visit)
  const popup = await choose(visit, service)
  await popup.getByRole('button', { name: PERSON.email }).click()
  await visit.modal.gone()
  await connected(visit)
  expect(await userOf(visit)).toMatchObject({ username, authProvider: service, accountType: 'eoa' })
  await pay(visit, world.one)
})
