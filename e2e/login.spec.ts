//! Login by e-mail from the modal to the chain: the widget, the real frame, the server, its vault and its mails.

import { type Hex, parseEther, verifyMessage } from 'viem'
import { describe, expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { connected, disconnected, open } from './pages/journey.ts'
import { logIn as logInTo } from './pages/login.ts'
import { fill, openSend, review } from './pages/send.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: true })

const RECEIVER = '0x00000000000000000000000000000000000c0e01'

const logIn = (visit: Visit, email: string): Promise<Hex> => logInTo(visit, world.wallet, email)

const approve = (visit: Visit): Promise<void> =>
  clickInFrame(frameOf(visit.page).getByRole('button', { name: 'Approve' }))

describe('a visitor without a wallet', () => {
  it('gets test coins in the shop for the empty account of a login, is told if that fails, and the balance follows', async () => {
    const visit = await world.newcomer()
    const address = await logIn(visit, 'grace@example.org')
    const shop = visit.page.getByRole('region', { name: 'Test ETH' })
    await shop.getByText('Your account on Anvil One is empty.').waitFor()
    const isSent = (body: string | null) => body?.includes('eth_sendRawTransaction') === true
    await visit.page.route(/\/v1\?/, (route) => (isSent(route.request().postData()) ? route.abort() : route.fallback()))
    await visit.press('get-test-coins')
    await shop.getByText("Couldn't get test ETH.").waitFor()
    await visit.page.unroute(/\/v1\?/)
    await shop.getByRole('button', { name: 'Try again' }).click()
    await shop.getByText('10 test ETH arrived.').waitFor()
    expect(await world.one.balance(address)).toBe(parseEther('10'))
    await visit.page.getByTestId('account-button').getByText('10.000 ETH').waitFor()
  })

  it('spec_1_2_and_4_32_and_7_12_and_7_14_to_7_16_and_7_28_logs_in_by_email_signs_sends_and_is_back_after_a_reload', async () => {
    const visit = await world.newcomer()
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
    await visit.modal.confirmed()

    await visit.page.evaluate(() => window.kit?.disconnect())
    await disconnected(visit)
  })

  it('is offered no service that the server lacks, and a host that lists one is told', async () => {
    const visit = await world.newcomer()
    const warnings: string[] = []
    visit.page.on('console', (message) => warnings.push(message.text()))
    await visit.page.evaluate(() => window.kit?.updateFeatures({ socials: ['github', 'apple'] }))
    await open(visit)
    await visit.modal.part('email-input').waitFor()
    await expect.poll(() => warnings.join('\n')).toContain("the server isn't set up for github, apple")
    expect(await visit.modal.part('social-selector-apple').count()).toBe(0)
  })

  it('has an account of its own', async () => {
    const [one, other] = [await world.newcomer(), await world.newcomer()]
    expect(await logIn(one, 'bob@example.org')).not.toBe(await logIn(other, 'carol@example.org'))
  })

  it('no request leaves the page but to its own server and to the origin of the wallet', async () => {
    const visit = await world.newcomer()
    await logIn(visit, 'dora@example.org')
    const own = [world.origin, world.wallet]
    expect(visit.strangers().filter((url) => !own.some((origin) => url.startsWith(origin)))).toEqual([])
    const stored = await visit.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(stored).not.toMatch(/access|refresh|mnemonic|private/i)
  })
})

describe('a page that pins the build of the frame', () => {
  /** Hash of the build that the server serves now. */
  async function served(): Promise<string> {
    const { headers } = await fetch(`${world.wallet}/frame/v4/latest?projectId=demo&host=x&version=4`, {
      redirect: 'manual'
    })
    return headers.get('location')?.match(/[\da-f]{64}/)?.[0] ?? ''
  }

  it('logs in with this build, and with another one says that the login cannot be loaded', async () => {
    const hash = await served()
    const visit = await world.newcomer(`&pin=${hash}`)
    expect(await logIn(visit, 'pinned@example.org')).toMatch(/^0x[\da-fA-F]{40}$/)
    const wrong = hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    const other = await world.visit(`/?login=${encodeURIComponent(world.wallet)}&testkit=off&relays=off&pin=${wrong}`, {
      alone: true,
      clock: true
    })
    await open(other)
    await other.modal.part('email-input').fill('pinned@example.org')
    await other.modal.part('email-continue').click()
    await other.page.locator('iframe').waitFor({ state: 'attached' })
    await other.page.clock.fastForward(60_000)
    await other.modal.says('Unable to load email login dependency')
  })
})
