//! Passkey of a wallet whose page hands no passkeys on to its frames: a window of the wallet's own origin makes and uses it.

import type { Page } from 'playwright-core'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { type Authenticator, authenticatorOf } from './pages/authenticator.ts'
import { logIn } from './pages/login.ts'
import { SettingsPage } from './pages/settings.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: 'localhost', mailPause: 1 })

/** Changes the page before it loads. Its wallet's frame is the only one. */
function withoutPasskeys(): void {
  const { setAttribute } = HTMLIFrameElement.prototype
  HTMLIFrameElement.prototype.setAttribute = function (name, value) {
    const rights = value.split('; ').filter((right) => !right.startsWith('publickey-credentials-'))
    setAttribute.call(this, name, name === 'allow' ? rights.join('; ') : value)
  }
}

interface Opened {
  readonly page: Page
  readonly authenticator: Authenticator
}

/** Presses a button of the settings that opens a window, and gives the window an authenticator: that of a page serves no other one. */
async function opened(visit: Visit, settings: SettingsPage, name: string): Promise<Opened> {
  const [page] = await Promise.all([visit.context.waitForEvent('page'), settings.press(name)])
  await page.getByText('Continue to use your passkey').waitFor()
  const { origin, hash } = new URL(page.url())
  expect([origin, hash]).toEqual([world.wallet, '#passkey'])
  return { page, authenticator: await authenticatorOf({ ...visit, page }) }
}

/** Goes on in a window, which closes by itself. */
async function goOn({ page }: Opened): Promise<void> {
  const closed = page.waitForEvent('close')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await closed
}

/** Puts a passkey into another authenticator. Its signatures are the same; the secret of its PRF stays behind. */
async function keep(
  { debug, id }: Authenticator,
  credential: NonNullable<Parameters<typeof debug.send<'WebAuthn.addCredential'>>[1]>['credential']
): Promise<void> {
  await debug.send('WebAuthn.addCredential', { authenticatorId: id, credential })
}

type Passkey = Parameters<typeof keep>[1]

it('is made in a window, which closes, confirms in the next one, and is not made twice', async () => {
  const path = `/?login=${encodeURIComponent(world.wallet)}&testkit=off&relays=off`
  const visit = await world.visit(path, { alone: true, before: withoutPasskeys })
  const email = 'passkey-window@example.org'
  const address = await logIn(visit, world.wallet, email)
  const settings = new SettingsPage(visit, world.wallet)
  await settings.open()
  await settings.press('Add a passkey')
  await settings.confirmByMail(email)

  const left = await opened(visit, settings, 'Create passkey')
  await left.page.close()
  await settings.frame.getByText("The passkey wasn't used. Try again.").waitFor()

  const making = await opened(visit, settings, 'Create passkey')
  const { debug } = making.authenticator
  const made = new Promise<Passkey>((resolve) => {
    debug.on('WebAuthn.credentialAdded', ({ credential }) => resolve(credential))
  })
  await goOn(making)
  await settings.button('Remove: Passkey').waitFor()
  const passkey = await made

  await settings.press('Add a passkey')
  const again = await opened(visit, settings, 'Create passkey')
  await keep(again.authenticator, passkey)
  await goOn(again)
  await settings.frame.getByText('This passkey already opens your wallet').waitFor()
  await settings.press('Cancel')
  expect(await settings.button('Remove: Passkey').count()).toBe(1)

  await settings.press('Show recovery phrase and keys')
  const confirming = await opened(visit, settings, 'Confirm with passkey')
  await keep(confirming.authenticator, passkey)
  await goOn(confirming)
  await settings.frame.getByRole('heading', { name: 'Recovery phrase and keys', exact: true }).waitFor()
  expect(mnemonicToAccount(await settings.held('Recovery phrase')).address).toBe(address)
})
