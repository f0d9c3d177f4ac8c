//! What a visitor gives beside the click: the passkey or the password before each signature, and a second click for a large value.

import { type Hex, parseEther, verifyMessage } from 'viem'
import { describe, expect, it } from 'vitest'
import { authenticatorOf, usesOf, verifies } from './pages/authenticator.ts'
import { connected } from './pages/journey.ts'
import { addressOf, logIn } from './pages/login.ts'
import { SettingsPage } from './pages/settings.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: 'localhost', mailPause: 1 })

const settingsOf = (visit: Visit): SettingsPage => new SettingsPage(visit, world.wallet)

/** The page asks for the signature of a message; what comes of it. */
async function asked(visit: Visit): Promise<{ address: Hex; signature: Promise<Hex> }> {
  const address = await addressOf(visit)
  const request = `window.kit.getWalletProvider().request({ method: 'personal_sign', params: ['0x6869', '${address}'] })`
  return { address, signature: visit.page.evaluate(request) as Promise<Hex> }
}

/** Releases of the keys so far. */
const unlocks = (visit: Visit): number => visit.requests.filter((url) => url.endsWith('/wallet/v1/unlock')).length

/** Closes the settings, and waits until the page has its room again. */
async function done(visit: Visit, settings: SettingsPage): Promise<void> {
  await settings.press('Done')
  await visit.modal.part('disconnect-button').waitFor()
  await visit.page.evaluate(() => window.kit?.close())
  await visit.modal.gone()
}

describe('asking before each signature', () => {
  it('takes the passkey for each, and the keys are locked in between', async () => {
    const visit = await world.newcomer()
    const email = 'strict@example.org'
    const key = await authenticatorOf(visit)
    await logIn(visit, world.wallet, email)
    const settings = settingsOf(visit)
    await settings.open()
    expect(await settings.button('Turn on: Ask before each signature').count()).toBe(0)
    await settings.press('Add a passkey')
    await settings.confirmByMail(email)
    await settings.press('Create passkey')
    await settings.press('Turn on: Ask before each signature')
    await settings.press('Turn on')
    await settings.button('Turn off: Ask before each signature').waitFor()
    await done(visit, settings)

    for (let round = 0; round < 2; round += 1) {
      const [uses, before] = [await usesOf(key), unlocks(visit)]
      const { address, signature } = await asked(visit)
      await clickInFrame(settings.button('Approve'))
      expect(await verifyMessage({ address, message: 'hi', signature: await signature })).toBe(true)
      expect([await usesOf(key), unlocks(visit)]).toEqual([uses + 1, before + 1])
    }

    // An authenticator that did not know its owner signs nothing, and the request stays to try again.
    await verifies(key, false)
    const { address, signature } = await asked(visit)
    await clickInFrame(settings.button('Approve'))
    await settings.frame.getByRole('alert').filter({ hasText: "This passkey doesn't open the wallet" }).waitFor()
    await verifies(key, true)
    await clickInFrame(settings.button('Approve'))
    expect(await verifyMessage({ address, message: 'hi', signature: await signature })).toBe(true)

    // A page that is loaded anew is asked too, and the setting ends by the passkey alone.
    await visit.page.reload()
    await connected(visit)
    const again = await asked(visit)
    const uses = await usesOf(key)
    await clickInFrame(settings.button('Approve'))
    await again.signature
    expect(await usesOf(key)).toBe(uses + 1)
    await settings.open()
    await verifies(key, false)
    await settings.press('Turn off: Ask before each signature')
    await settings.press('Turn off')
    await settings.frame.getByRole('alert').filter({ hasText: "This passkey doesn't open the wallet" }).waitFor()
    await verifies(key, true)
    await settings.press('Turn off')
    await settings.button('Turn on: Ask before each signature').waitFor()
  })

  it('takes the password where there is no passkey', async () => {
    const visit = await world.newcomer()
    const email = 'strict-password@example.org'
    await logIn(visit, world.wallet, email)
    const settings = settingsOf(visit)
    await settings.open()
    await settings.setPassword(email, 'correct horse battery')
    await settings.press('Turn on: Ask before each signature')
    await settings.press('Turn on')
    await settings.typePassword('Password', 'correct horse battery', 'Continue')
    await settings.button('Turn off: Ask before each signature').waitFor()
    await done(visit, settings)
    const { address, signature } = await asked(visit)
    await clickInFrame(settings.button('Approve'))
    await settings.typePassword('Password', 'wrong horse battery', 'Sign now')
    await settings.frame.getByText('This password is wrong').waitFor()
    await settings.typePassword('Password', 'correct horse battery', 'Sign now')
    expect(await verifyMessage({ address, message: 'hi', signature: await signature })).toBe(true)
  })
})

it('a large payment takes a second click at another place, and then the passkey', async () => {
  const visit = await world.newcomer()
  const email = 'large@example.org'
  const key = await authenticatorOf(visit)
  const own = await logIn(visit, world.wallet, email)
  const to = '0x00000000000000000000000000000000000c0e04'
  const settings = settingsOf(visit)
  /** Pays six of ten ether; the hash. */
  const pays = async (): Promise<Hex> => {
    await world.one.request('anvil_setBalance', [own, `0x${parseEther('10').toString(16)}`])
    const value = `0x${parseEther('6').toString(16)}`
    const sent = visit.page.evaluate(
      `window.kit.getWalletProvider().request({ method: 'eth_sendTransaction', params: [{ from: '${own}', to: '${to}', value: '${value}' }] })`
    ) as Promise<Hex>
    const first = settings.button('Approve')
    await settings.frame.getByText('This is a large amount').waitFor()
    const below = (await first.boundingBox())?.y ?? 0
    await clickInFrame(first)
    const second = settings.button('Sign now')
    await second.waitFor()
    expect(await first.count()).toBe(0)
    const box = await second.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(below)
    await clickInFrame(second)
    return sent
  }
  const mined = (hash: Hex) =>
    expect
      .poll(
        async () => ((await world.one.request('eth_getTransactionReceipt', [hash])) as { status: Hex } | null)?.status
      )
      .toBe('0x1')
  await mined(await pays())
  expect(await usesOf(key)).toBe(0)

  await settings.open()
  await settings.press('Add a passkey')
  await settings.confirmByMail(email)
  await settings.press('Create passkey')
  await settings.button('Turn on: Ask before each signature').waitFor()
  await done(visit, settings)
  const uses = await usesOf(key)
  await mined(await pays())
  expect(await usesOf(key)).toBe(uses + 1)
})
