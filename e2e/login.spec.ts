//! Login by e-mail from the modal to the chain: the widget, the real frame, the server, its vault and its mails.

import { type Hex, parseEther, verifyMessage } from 'viem'
import { describe, expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { connected, disconnected, open } from './pages/journey.ts'
import { codeOf, LINK, mailed } from './pages/mail.ts'
import { fill, openSend, review } from './pages/send.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: true })

const RECEIVER = '0x00000000000000000000000000000000000c0e01'

const visiting = (): Promise<Visit> =>
  world.visit(`/?login=${encodeURIComponent(wallet())}&testkit=off&relays=off`, { alone: true })

function wallet(): string {
  if (world.wallet === undefined) throw new Error('This world has no embedded wallet')
  return world.wallet
}

/** Opens the link of the mail as the visitor does, in another tab. */
async function approveDevice(visit: Visit, email: string): Promise<void> {
  const number = (await visit.modal.part('device-number').textContent()) ?? ''
  const tab = await visit.context.newPage()
  await tab.goto(await mailed(wallet(), email, LINK))
  await tab.getByText(number, { exact: true }).waitFor()
  await tab.getByRole('button', { name: 'Approve' }).click()
  await tab.getByText('Login approved').waitFor()
  await tab.close()
}

async function logIn(visit: Visit, email: string): Promise<Hex> {
  await open(visit)
  await visit.modal.part('email-input').fill(email)
  await visit.modal.part('email-continue').click()
  await visit.modal.part('device-number').waitFor()
  await approveDevice(visit, email)
  await visit.modal.part('otp-input').waitFor()
  await visit.modal.part('otp-input').fill(await codeOf(wallet(), email))
  await visit.modal.gone()
  await connected(visit)
  return (await visit.page.evaluate(() => window.kit?.getAddress())) as Hex
}

const approve = (visit: Visit): Promise<void> =>
  frameOf(visit.page).getByRole('button', { name: 'Approve' }).click({ timeout: 15_000 })

describe('a visitor without a wallet', () => {
  it('spec_1_2_and_7_14_to_7_16_logs_in_by_email_signs_sends_and_is_back_after_a_reload', async () => {
    const visit = await visiting()
    const address = await logIn(visit, 'ada@example.org')
    expect(address).toMatch(/^0x[\da-fA-F]{40}$/)
    expect(await visit.page.evaluate(() => window.kit?.getAccount()?.embeddedWalletInfo)).toMatchObject({
      user: { username: 'ada@example.org', authProvider: 'email', accountType: 'eoa', isSmartAccountDeployed: false }
    })

    const signed = visit.page.evaluate(`window.kit.getWalletProvider().request({
      method: 'personal_sign', params: ['0x68656c6c6f', '${address}']
    })`)
    await frameOf(visit.page).getByText('hello').waitFor()
    await approve(visit)
    expect(await verifyMessage({ address, message: 'hello', signature: (await signed) as Hex })).toBe(true)
    await visit.modal.gone()

    await world.one.request('anvil_setBalance', [address, `0x${parseEther('3').toString(16)}`])
    await visit.page.reload()
    await connected(visit)
    expect(await visit.page.evaluate(() => window.kit?.getAddress())).toBe(address)
    await openSend(visit)
    await fill(visit, '1.25', RECEIVER)
    await review(visit)
    await visit.modal.sendButton.click()
    await frameOf(visit.page).getByText('1.25').first().waitFor()
    await approve(visit)
    await expect.poll(() => world.one.balance(RECEIVER)).toBe(parseEther('1.25'))
    await visit.modal.snacks('Transaction confirmed')

    await visit.page.evaluate(() => window.kit?.disconnect())
    await disconnected(visit)
  })

  it('has an account of its own', async () => {
    const [one, other] = [await visiting(), await visiting()]
    expect(await logIn(one, 'bob@example.org')).not.toBe(await logIn(other, 'carol@example.org'))
  })

  it('no request leaves the page but to its own server and to the origin of the wallet', async () => {
    const visit = await visiting()
    await logIn(visit, 'dora@example.org')
    const own = [world.origin, wallet()]
    expect(visit.strangers().filter((url) => !own.some((origin) => url.startsWith(origin)))).toEqual([])
    const stored = await visit.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(stored).not.toMatch(/access|refresh|mnemonic|private/i)
  })
})
