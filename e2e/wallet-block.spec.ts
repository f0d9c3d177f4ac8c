//! A page asks again and again for what the visitor declines: they block it, and allow it again in the settings.

import { expect, it } from 'vitest'
import { connected } from './pages/journey.ts'
import { addressOf, logIn } from './pages/login.ts'
import { SettingsPage } from './pages/settings.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: 'localhost', mailPause: 1 })

const BLOCK = 'Block requests from this site'
const REFUSED = [4001, "You blocked this site's requests. Allow them in the wallet's settings."]

/** The page asks for the signature of a message; code and sentence with which it fails. */
async function asked(visit: Visit): Promise<{ answer: Promise<unknown> }> {
  const request = `{ method: 'personal_sign', params: ['0x6869', '${await addressOf(visit)}'] }`
  const failed = '({ code, message }) => [code, message]'
  return { answer: visit.page.evaluate(`window.kit.getWalletProvider().request(${request}).catch(${failed})`) }
}

it('a page that asks again is blocked, also once it is loaded anew, until the visitor allows it', async () => {
  const visit = await world.newcomer()
  await logIn(visit, world.wallet, 'block@example.org')
  const settings = new SettingsPage(visit, world.wallet)
  await settings.open()
  expect(await settings.frame.getByText('Requests from this site').count()).toBe(0)
  await settings.press('Done')
  await visit.modal.part('disconnect-button').waitFor()
  await visit.page.evaluate(() => window.kit?.close())
  await visit.modal.gone()

  const first = await asked(visit)
  await settings.button('Decline').waitFor()
  expect(await settings.button(BLOCK).count()).toBe(0)
  await clickInFrame(settings.button('Decline'))
  expect(await first.answer).toEqual([4001, 'Request was aborted'])
  await visit.modal.gone()

  const second = await asked(visit)
  await clickInFrame(settings.button(BLOCK))
  expect(await second.answer).toEqual([4001, 'Request was aborted'])
  await visit.modal.gone()

  expect(await (await asked(visit)).answer).toEqual(REFUSED)
  await visit.modal.snacks("You blocked this site's requests. Allow them in the wallet's settings.")
  await visit.modal.gone()
  const read = `window.kit.getWalletProvider().request({ method: 'eth_chainId' })`
  expect(await visit.page.evaluate(read)).toMatch(/^0x/)

  await visit.page.reload()
  await connected(visit)
  expect(await (await asked(visit)).answer).toEqual(REFUSED)
  await visit.modal.gone()

  await settings.open()
  await settings.frame.getByRole('heading', { name: 'Requests from this site' }).waitFor()
  await settings.press('Allow again: Requests from this site')
  await settings.button('Allow again: Requests from this site').waitFor({ state: 'detached' })
  await settings.press('Done')
  await visit.modal.part('disconnect-button').waitFor()
  await visit.page.evaluate(() => window.kit?.close())
  await visit.modal.gone()

  const last = await asked(visit)
  await clickInFrame(settings.button('Approve'))
  expect(await last.answer).toMatch(/^0x[0-9a-f]{130}$/)
})
