//! Logins beside those of the modal: the host's own, and one that is added to a wallet. A file of its own, because the vault limits the logins of a
//! visitor, and all visitors of a world have one address.

import { type Hex, verifyMessage } from 'viem'
import { describe, expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { SettingsPage } from './pages/settings.ts'
import { addressOf, cutOff, focus, logIn, logInAgain, logInAt, userOf } from './pages/social.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ windows: true, wallet: true, socials: true })

describe("a visitor of the host's own login", () => {
  it('has an account by the token of the host and signs, and a token is good once', async () => {
    const [visit, other] = [await world.newcomer(), await world.newcomer()]
    const logInBy = (visit: Visit, token: string) =>
      visit.page.evaluate(
        (jwt) => window.kit?.connect({ connectorId: 'AUTH', jwt }).then(String, (error) => error.message),
        token
      )
    const token = world.shop?.token('kim') ?? ''
    await logInBy(visit, token)
    const own = await addressOf(visit)
    expect(own).toMatch(/^0x[\da-fA-F]{40}$/)
    expect(await userOf(visit)).toMatchObject({ username: 'kim', authProvider: 'jwt' })
    const signed = visit.page.evaluate(`window.kit.getWalletProvider().request({
      method: 'personal_sign', params: ['0x68656c6c6f', '${own}']
    })`)
    await clickInFrame(frameOf(visit.page).getByRole('button', { name: 'Approve' }))
    expect(await verifyMessage({ address: own, message: 'hello', signature: (await signed) as Hex })).toBe(true)

    expect(await logInBy(other, token)).toBe("The site's login wasn't accepted. Log in to the site again.")
    await logInBy(other, world.shop?.token('kim', { jti: 'another' }) ?? '')
    expect(await addressOf(other)).toBe(own)
  })
})

describe('a visitor with several logins', () => {
  it('adds a service in the settings, and it opens the same wallet in another browser', async () => {
    const [one, two] = [await world.newcomer(), await world.newcomer()]
    // A service that tells no address: the login itself confirms.
    const own = await logIn(one, 'x', 'mia')
    const settings = new SettingsPage(one, world.wallet)
    await settings.open()
    await settings.press('Add GitHub')
    const [popup] = await Promise.all([one.page.waitForEvent('popup'), settings.press('Go to login')])
    await logInAt(popup, 'mia-at-work')
    await settings.button('Remove: GitHub · mia-at-work').waitFor()
    await two.page.evaluate(() => window.kit?.updateFeatures({ socials: ['github'] }))
    expect(await logInAgain(two, 'github', 'mia-at-work')).toBe(own)
  })

  it('adds a service that cuts its window off from the settings', async () => {
    const visit = await world.newcomer()
    await logIn(visit, 'x', 'noa')
    await cutOff(visit, world.identities?.origin('github'))
    const settings = new SettingsPage(visit, world.wallet)
    await settings.open()
    await settings.press('Add GitHub')
    const frame = visit.page.frames().find((frame) => frame.url().startsWith(world.wallet))
    if (frame) await focus(frame, false)
    const [popup] = await Promise.all([visit.page.waitForEvent('popup'), settings.press('Go to login')])
    const closed = popup.waitForEvent('close')
    await logInAt(popup, 'noa-at-work')
    await closed
    await settings.button('Remove: GitHub · noa-at-work').waitFor()
  })
})
