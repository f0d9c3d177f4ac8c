//! A password of the embedded wallet: set, changed, guessed. A file of its own, because a server takes twenty logins of one visitor in ten minutes.

import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { connected } from './pages/journey.ts'
import { addressOf, cooled, logIn, logInAs, rested, signOut } from './pages/login.ts'
import { pay } from './pages/payment.ts'
import { SettingsPage } from './pages/settings.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

/** Seconds between two mails to an address: these tests log in again. */
const PAUSE = 1

const world = useWorld({ wallet: 'localhost', mailPause: PAUSE })

const settingsOf = (visit: Visit): SettingsPage => new SettingsPage(visit, world.wallet)

const makes = (visit: Visit): number => visit.requests.filter((url) => url.endsWith('/wallet/v1/wallet')).length

/** How often the module of the password was loaded. */
const loads = (visit: Visit): number => visit.requests.filter((url) => /\/password-[^/]*\.wasm$/.test(url)).length

describe('a password', () => {
  const password = 'correct horse battery'

  it('opens the wallet in a new browser where recovery by login was removed, and is in no request', async () => {
    const sent: string[] = []
    const listen = (visit: Visit) => visit.context.on('request', (request) => sent.push(request.postData() ?? ''))
    const first = await world.newcomer()
    listen(first)
    const email = 'password@example.org'
    const address = await logIn(first, world.wallet, email)
    expect(loads(first)).toBe(0)
    const settings = settingsOf(first)
    await settings.open()
    await settings.press('Set a password')
    await settings.confirmByMail(email)
    await settings.typePassword('New password', 'too short', 'Save password')
    await settings.frame.getByRole('alert').filter({ hasText: 'Use at least 12 characters' }).waitFor()
    expect(loads(first)).toBe(0)
    await settings.typePassword('New password', password, 'Save password')
    await settings.button('Remove: Password').waitFor()
    expect(loads(first)).toBe(1)
    await settings.removeRecovery()

    await cooled(world.wallet, email, PAUSE)
    const second = await world.newcomer()
    listen(second)
    await logInAs(second, world.wallet, email)
    const locked = settingsOf(second)
    await locked.frame.getByText('Open your wallet').waitFor()
    await locked.typePassword('Password', `${password}!`, 'Open with password')
    await locked.frame.getByText('This password is wrong').waitFor()
    expect(await addressOf(second)).toBeUndefined()
    await locked.typePassword('Password', password, 'Open with password')
    await connected(second)
    expect(await addressOf(second)).toBe(address)
    expect(makes(second)).toBe(0)
    expect(sent.filter((body) => body.includes('"request"'))).toHaveLength(3)
    expect(sent.join()).not.toContain(password)
    await pay(second, world.one)
  })

  it('is changed and removed', async () => {
    const visit = await world.newcomer()
    const email = 'changed@example.org'
    const address = await logIn(visit, world.wallet, email)
    const settings = settingsOf(visit)
    await settings.open()
    await settings.setPassword(email, password)
    await settings.press('Change password')
    await settings.press('Choose password')
    await settings.typePassword('New password', 'another horse battery', 'Save password')
    await settings.button('Remove: Password').waitFor()
    await settings.removeRecovery()
    expect(await settings.button('Remove: Password').count()).toBe(0)
    await settings.press('Done')
    await visit.modal.part('disconnect-button').waitFor()

    await signOut(visit)
    await rested(visit)
    await cooled(world.wallet, email, PAUSE)
    await logInAs(visit, world.wallet, email)
    await settings.typePassword('Password', password, 'Open with password')
    await settings.frame.getByText('This password is wrong').waitFor()
    await settings.typePassword('Password', 'another horse battery', 'Open with password')
    await connected(visit)
    expect(await addressOf(visit)).toBe(address)

    await settings.open()
    await settings.press('Turn on recovery by login')
    await settings.confirmByMail(email)
    await settings.press('Remove: Password')
    await settings.press('Remove')
    await settings.button('Set a password').waitFor()
  })

  it('is asked for after the mailbox before the keys are shown, and a wrong one shows none', async () => {
    const visit = await world.newcomer()
    const email = 'shown@example.org'
    const address = await logIn(visit, world.wallet, email)
    const settings = settingsOf(visit)
    await settings.open()
    await settings.setPassword(email, password)
    await settings.press('Show recovery phrase and keys')
    await settings.confirmByMail(email)
    await settings.typePassword('Password', 'wrong horse battery', 'Continue')
    await settings.frame.getByText('This password is wrong').waitFor()
    expect(await settings.frame.locator('[data-secret]').count()).toBe(0)
    expect(visit.requests.filter((url) => url.endsWith('/wallet/v1/export'))).toEqual([])
    await settings.typePassword('Password', password, 'Continue')
    await settings.frame.getByRole('heading', { name: 'Recovery phrase and keys', exact: true }).waitFor()
    expect(mnemonicToAccount(await settings.held('Recovery phrase')).address).toBe(address)
  })

  it('is tried five times, and then the visitor is told when to try again', async () => {
    const visit = await world.newcomer()
    const email = 'guessed@example.org'
    await logIn(visit, world.wallet, email)
    const settings = settingsOf(visit)
    await settings.open()
    await settings.setPassword(email, password)
    await settings.removeRecovery()
    await settings.press('Done')
    await signOut(visit)
    await rested(visit)
    await cooled(world.wallet, email, PAUSE)
    await logInAs(visit, world.wallet, email)
    for (let tried = 0; tried < 5; tried += 1) {
      const answered = visit.page.waitForResponse((response) => response.url().endsWith('/wallet/v1/password'))
      await settings.typePassword('Password', `wrong ${tried}`, 'Open with password')
      expect((await answered).status()).toBe(200)
      await settings.frame.getByText('This password is wrong').waitFor()
    }
    await settings.typePassword('Password', password, 'Open with password')
    await settings.frame.getByText(/^Please try again after \d+ minutes$/).waitFor()
    expect(await addressOf(visit)).toBeUndefined()
  })
})
