//! Further logins of a wallet: an address, Farcaster, and the login of the host's own site. A file of its own, because the vault limits the logins of a visitor, and all
//! visitors of a world have one address.

import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { connected, open } from './pages/journey.ts'
import { logIn as logInByMail } from './pages/login.ts'
import { codeOf, mailed } from './pages/mail.ts'
import { call, refusal } from './pages/provider.ts'
import { SettingsPage } from './pages/settings.ts'
import { addressOf, logIn } from './pages/social.ts'
import { useWorld } from './use-world.ts'
import { approveInApp, deployRegistries, register } from './world/farcaster.ts'
import type { Visit } from './world/visit.ts'
import { mailsOf } from './world/wallet.ts'

const world = useWorld({ windows: true, wallet: true, socials: true, mailPause: 1 })

describe('a visitor who came by Google', () => {
  it('adds an address by its code, has the same account by mail in another browser, and removes it', async () => {
    const [one, two, three] = [await world.newcomer(), await world.newcomer(), await world.newcomer()]
    const email = 'nina@mail.example'
    const own = await logIn(one, 'google', 'nina')
    const settings = new SettingsPage(one, world.wallet)
    await settings.open()
    await settings.press('Add email')
    await settings.confirmByMail('nina@example.org')
    await settings.frame.getByLabel('Email address').fill(email)
    await settings.frame.getByLabel('Email address').press('Enter')
    const field = settings.frame.getByLabel('Code', { exact: true })
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    const code = await codeOf(world.wallet, email)
    await field.fill(code === '000000' ? '000001' : '000000')
    await settings.frame.getByText("This code isn't right. Check the email.").waitFor()
    await field.fill(code)
    await settings.button(`Remove: Email · ${email}`).waitFor()
    expect(await settings.button('Add email').count()).toBe(0)
    expect(await mailed(world.wallet, 'nina@example.org', /An email address was added/)).toBeTruthy()

    expect(await logInByMail(two, world.wallet, email)).toBe(own)
    await settings.press(`Remove: Email · ${email}`)
    await settings.press('Remove')
    await settings.button('Add email').waitFor()
    const removed = (await mailsOf(world.wallet)).filter(({ to }) => to === email).map(({ subject }) => subject)
    expect(removed).toContain('Security notice for your wallet')
    expect(await logInByMail(three, world.wallet, email)).not.toBe(own)
  })
})

describe('a visitor who came by mail', () => {
  const email = 'olga@mail.example'

  it('adds Farcaster by its app, has the same account by it in another browser, and removes it', async () => {
    const relay = world.relay
    if (!relay) throw new Error('This world has no relay of Farcaster')
    await deployRegistries(world.one.request)
    const key = generatePrivateKey()
    await register(world.one.request, privateKeyToAddress(key), 77)
    const person = { key, fid: 77, username: 'olga' }
    const [one, two] = [await world.newcomer(), await world.newcomer()]
    const own = await logInByMail(one, world.wallet, email)
    const settings = new SettingsPage(one, world.wallet)
    await settings.open()
    await settings.press('Add Farcaster')
    await settings.confirmByMail(email)
    const link = settings.frame.getByRole('link', { name: 'Open Farcaster' })
    await settings.frame.getByRole('img', { name: 'QR code for Farcaster' }).waitFor()
    const url = String(await link.getAttribute('href'))
    expect(new URL(url).searchParams.get('domain')).toBe(new URL(world.wallet).host)
    await approveInApp(relay, url, person)
    await settings.button('Remove: Farcaster · olga').waitFor()
    expect(await mailed(world.wallet, email, /A login with another service was added/)).toBeTruthy()

    await open(two)
    await two.modal.part('social-selector-farcaster').click()
    const code = two.modal.part('wui-qr-code')
    await expect.poll(() => code.getAttribute('uri'), { timeout: 15_000 }).toContain('channelToken')
    await approveInApp(relay, String(await code.getAttribute('uri')), person)
    await connected(two)
    expect(await addressOf(two)).toBe(own)

    await settings.press('Remove: Farcaster · olga')
    await settings.press('Remove')
    await settings.button('Remove: Farcaster · olga').waitFor({ state: 'detached' })
  })

  it('adds the login of the site by its token, and the host learns of one that is left', async () => {
    const [one, two] = [await world.newcomer(), await world.newcomer()]
    const own = await logInByMail(one, world.wallet, 'pia@mail.example')
    const token = (name: string, jti: string) => world.shop?.token(name, { jti }) ?? ''
    const settings = new SettingsPage(one, world.wallet)
    const added = call(one, 'addLogin', { jwt: token('pia', 'one') })
    await settings.frame.getByText('Whoever runs ', { exact: false }).waitFor()
    await settings.confirmByMail('pia@mail.example')
    await settings.button('Remove: Login of this site · pia').waitFor()
    await settings.press('Done')
    await added

    const logInBy = (visit: Visit, jwt: string) =>
      visit.page.evaluate((jwt) => window.kit?.connect({ connectorId: 'AUTH', jwt }).then(String, String), jwt)
    await logInBy(two, token('pia', 'two'))
    expect(await addressOf(two)).toBe(own)

    const again = refusal(one, 'addLogin', { jwt: token('quin', 'three') })
    await settings.frame.getByText('Whoever runs ', { exact: false }).waitFor()
    await settings.press('Cancel')
    await settings.press('Done')
    expect(await again).toBe('Request was aborted')
  })
})
