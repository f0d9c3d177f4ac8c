//! An address as a further login of a wallet that began at a service. A file of its own, because the vault limits the logins of a visitor, and all
//! visitors of a world have one address.

import { describe, expect, it } from 'vitest'
import { logIn as logInByMail } from './pages/login.ts'
import { codeOf, mailed } from './pages/mail.ts'
import { SettingsPage } from './pages/settings.ts'
import { logIn } from './pages/social.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'
import { mailsOf } from './world/wallet.ts'

const world = useWorld({ wallet: true, socials: true, mailPause: 1 })

const wallet = (): string => world.wallet ?? ''

const visiting = (): Promise<Visit> =>
  world.visit(`/?login=${encodeURIComponent(wallet())}&testkit=off&relays=off`, { alone: true })

describe('a visitor who came by Google', () => {
  it('adds an address by its code, has the same account by mail in another browser, and removes it', async () => {
    const [one, two, three] = [await visiting(), await visiting(), await visiting()]
    const email = 'nina@mail.example'
    const own = await logIn(one, 'google', 'nina')
    const settings = new SettingsPage(one, wallet())
    await settings.open()
    await settings.press('Add Email')
    await settings.confirmByMail('nina@example.org')
    await settings.frame.getByLabel('Email address').fill(email)
    await settings.frame.getByLabel('Email address').press('Enter')
    const field = settings.frame.getByLabel('Code', { exact: true })
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    const code = await codeOf(wallet(), email)
    await field.fill(code === '000000' ? '000001' : '000000')
    await settings.frame.getByText("This code isn't right. Check the email.").waitFor()
    await field.fill(code)
    await settings.button(`Remove: Email · ${email}`).waitFor()
    expect(await settings.button('Add Email').count()).toBe(0)
    expect(await mailed(wallet(), 'nina@example.org', /An email address was added/)).toBeTruthy()

    expect(await logInByMail(two, wallet(), email)).toBe(own)
    await settings.press(`Remove: Email · ${email}`)
    await settings.press('Remove')
    await settings.button('Add Email').waitFor()
    const removed = (await mailsOf(wallet())).filter(({ to }) => to === email).map(({ subject }) => subject)
    expect(removed).toContain('Your email was changed')
    expect(await logInByMail(three, wallet(), email)).not.toBe(own)
  })
})
