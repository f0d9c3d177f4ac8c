//! Login by e-mail as a visitor does it: the modal, the mail's link in another tab, the code.

import type { Request } from 'playwright-core'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import type { Visit } from '../world/visit.ts'
import { mailsOf } from '../world/wallet.ts'
import { connected, disconnected, open } from './journey.ts'
import { codeOf, LINK, mailed } from './mail.ts'

/** Opens the link of the mail in another tab, whose page shows the number, and presses this button. */
export async function decide(visit: Visit, link: string, number: string, button: string): Promise<void> {
  const tab = await visit.context.newPage()
  await tab.goto(link)
  await tab.getByText(number, { exact: true }).waitFor()
  await tab.getByRole('button', { name: button }).click()
  await tab.getByRole('button', { name: button }).waitFor({ state: 'detached' })
  await tab.close()
}

/** Opens the modal, and logs in there. */
export async function logInAs(visit: Visit, wallet: string, email: string): Promise<void> {
  await open(visit)
  await logInHere(visit, wallet, email)
}

/** Types the address in the open modal, approves the device if it is a new one, and types the code. */
export async function logInHere(visit: Visit, wallet: string, email: string): Promise<void> {
  await visit.modal.part('email-input').fill(email)
  await visit.modal.part('email-continue').click()
  const [number, code] = [visit.modal.part('device-number'), visit.modal.part('otp-input')]
  await number.or(code).waitFor()
  if (await number.isVisible()) {
    const link = await mailed(wallet, email, LINK)
    await decide(visit, link, (await number.textContent()) ?? '', 'Approve')
    await code.waitFor()
  }
  await code.fill(await codeOf(wallet, email))
}

/** Goes from a fresh page to a connected account; its address. */
export async function logIn(visit: Visit, wallet: string, email: string): Promise<Hex> {
  await logInAs(visit, wallet, email)
  await visit.modal.gone()
  await connected(visit)
  return addressOf(visit)
}

export async function addressOf(visit: Visit): Promise<Hex> {
  return (await visit.page.evaluate(() => window.kit?.getAddress())) as Hex
}

/** Waits until a login or a change of the address may ask for another mail to this address, in a world with this pause between mails, in seconds. */
export async function cooled(wallet: string, email: string, pause: number): Promise<void> {
  const asked = ['Approve your login', 'Your login code', 'Your code to change your email']
  const mails = (await mailsOf(wallet)).filter(({ to, subject }) => to === email && asked.includes(subject))
  const last = mails.map(({ at }) => at)
  const free = Math.max(0, ...last) + pause * 1_000
  await expect.poll(() => Date.now() > free, { timeout: pause * 1_000 + 5_000, interval: 100 }).toBe(true)
}

/** The modal waits 30 seconds between two mails by itself (spec 9.11), by a time that it stores. Here that time has passed. */
export async function rested(visit: Visit): Promise<void> {
  await visit.page.evaluate(() => localStorage.removeItem('@appkit-wallet/LAST_EMAIL_LOGIN_TIME'))
  await visit.page.reload()
}

/** Signs out, and waits until the server knows. */
export async function signOut(visit: Visit): Promise<void> {
  const end = (request: Request) => request.url().endsWith('/wallet/v1/session/end')
  const ended = visit.context.waitForEvent('requestfinished', end)
  await visit.page.evaluate(() => window.kit?.disconnect())
  await disconnected(visit)
  await ended
}
