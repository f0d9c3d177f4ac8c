//! A host with a form of its own: login, account and change of the address by the methods of the embedded wallet's provider, through the real
//! frame, the server, its vault and its mails.

import type { Hex } from 'viem'
import { verifyMessage } from 'viem'
import { describe, expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { connected, disconnected, open, openAccount } from './pages/journey.ts'
import { cooled, decide } from './pages/login.ts'
import { codeOf, LINK, mailed } from './pages/mail.ts'
import { call, heard, listening, OURS, refusal } from './pages/provider.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: true, mailPause: 1 })

/** A visit whose provider's events are heard. */
async function heardVisit(): Promise<Visit> {
  const visit = await world.newcomer()
  await listening(visit)
  return visit
}

async function logIn(visit: Visit, email: string): Promise<void> {
  const step = await call<{ action: string; number: string }>(visit, 'connectEmail', { email })
  expect(step).toEqual({ action: 'VERIFY_DEVICE', number: expect.stringMatching(/^\d\d$/) })
  const approved = call(visit, 'connectDevice')
  await decide(visit, await mailed(world.wallet, email, LINK), step.number, 'Approve')
  await approved
  await call(visit, 'connectOtp', { otp: await codeOf(world.wallet, email) })
}

/** Code of a mail about a change of the address. */
async function changeCodeOf(email: string): Promise<string> {
  const text = await mailed(world.wallet, email, /code to change the email[\s\S]*?\d{3} ?\d{3}/)
  return text.slice(-7).replace(/\D/g, '')
}

describe('a host with a form of its own', () => {
  it('spec_8_22_methods_about_an_account_say_that_there_is_none', async () => {
    const visit = await heardVisit()
    const said = 'Address or auth connector not found'
    expect(await refusal(visit, 'getUser')).toBe(said)
    expect(await refusal(visit, 'connect')).toBe(said)
    expect(await refusal(visit, 'updateEmail', { email: 'b@example.org' })).toBe(said)
    expect(await refusal(visit, 'updateEmailPrimaryOtp', { otp: '123456' })).toBe(said)
    expect(await refusal(visit, 'setPreferredAccount', 'eoa')).toBe(said)
    expect(await call(visit, 'isConnected')).toEqual({ isConnected: false })
    expect(await heard(visit, 'NotConnected', 'IsConnected', 'Connect')).toEqual([
      ['NotConnected', null],
      ['NotConnected', null]
    ])
  })

  it('spec_4_32_and_7_12_and_7_14_to_7_16_logs_its_visitor_in_by_the_providers_methods', async () => {
    const visit = await heardVisit()
    const email = 'erin@example.org'
    expect(await refusal(visit, 'connectEmail', { email: 'erin@example' })).toBe('Use a valid email address')
    expect(await refusal(visit, 'connectOtp', { otp: '123456' })).toBe('Finish the previous step first')
    const step = await call<{ number: string }>(visit, 'connectEmail', { email })
    expect(await refusal(visit, 'connectOtp', { otp: '123456' })).toBe('Finish the previous step first')
    const approved = call(visit, 'connectDevice')
    await decide(visit, await mailed(world.wallet, email, LINK), step.number, 'Approve')
    await approved
    const otp = await codeOf(world.wallet, email)
    const wrong = otp === '000000' ? '000001' : '000000'
    expect(await refusal(visit, 'connectOtp', { otp: wrong })).toMatch(/code/i)
    expect(await visit.page.evaluate('window.kit.getIsConnectedState()')).toBe(false)
    await call(visit, 'connectOtp', { otp })
    await connected(visit)
    expect(await visit.page.evaluate('window.kit.isOpen()')).toBe(false)

    const address = (await visit.page.evaluate('window.kit.getAddress()')) as Hex
    expect(await call(visit, 'getUser')).toMatchObject({ email, address, chainId: 31337, preferredAccountType: 'eoa' })
    expect(await visit.page.evaluate(`window.kit.getProvider('eip155') === ${OURS}`)).toBe(true)
    const known = ['getEmail', 'getLoginEmailUsed', 'getLastUsedChainId', 'getUsername']
    expect(await Promise.all(known.map((method) => call(visit, method)))).toEqual([email, true, 31337, undefined])
    expect(await call(visit, 'isConnected')).toEqual({ isConnected: true })
    expect(await refusal(visit, 'connectEmail', { email })).toBe('Embedded wallet already connected')
    expect(await refusal(visit, 'setPreferredAccount', 'smartAccount')).toBe("Smart accounts aren't set up")
    expect(await call(visit, 'setPreferredAccount', 'eoa')).toEqual({ type: 'eoa', address })
    expect(await call(visit, 'getSmartAccountEnabledNetworks')).toEqual({ smartAccountEnabledNetworks: [] })
    expect(await heard(visit, 'Connect')).toEqual([['Connect', expect.objectContaining({ email, address })]])
    expect(await heard(visit, 'SetPreferredAccount')).toEqual([['SetPreferredAccount', { type: 'eoa', address }]])

    await call(visit, 'reload')
    expect(await call(visit, 'getUser')).toMatchObject({ address })
  })

  it('spec_4_23_and_8_54_a_host_chooses_the_kind_of_account_and_what_the_wallet_lacks_falls_back_to_eoa', async () => {
    const visit = await heardVisit()
    await logIn(visit, 'ivan@example.org')
    await connected(visit)
    const choose = (type: string) =>
      visit.page.evaluate(
        (type) => window.kit?.setPreferredAccountType(type as 'eoa', 'eip155').then(() => type, String),
        type
      )
    const preferred = () =>
      visit.page.evaluate(() => [
        window.kit?.getPreferredAccountType('eip155'),
        localStorage.getItem('@appkit-wallet/PREFERRED_ACCOUNT_TYPE')
      ])
    const tracked = () =>
      visit.page.evaluate(() => {
        const told = window.kit?.getEvent()
        return [told?.event, told?.properties]
      })
    expect(await preferred()).toEqual(['smartAccount', null])
    expect(await choose('smartAccount')).toContain("Smart accounts aren't set up")
    expect(await preferred()).toEqual(['eoa', 'eoa'])
    expect((await tracked())[0]).not.toBe('SET_PREFERRED_ACCOUNT_TYPE')
    expect(await choose('eoa')).toBe('eoa')
    expect(await tracked()).toMatchObject([
      'SET_PREFERRED_ACCOUNT_TYPE',
      { accountType: 'eoa', network: 'eip155:31337' }
    ])
    await visit.page.reload()
    await connected(visit)
    expect(await preferred()).toEqual(['eoa', 'eoa'])
  })

  it('spec_5_26_a_mistyped_address_in_the_modal_is_told_and_the_login_of_the_host_goes_on', async () => {
    const visit = await heardVisit()
    const email = 'hal@example.org'
    const step = await call<{ number: string }>(visit, 'connectEmail', { email })
    const approved = call(visit, 'connectDevice')
    await open(visit)
    const { modal } = visit
    await modal.part('email-input').fill('hal@example')
    await modal.part('email-input').press('Enter')
    await modal.card.locator('[data-testid="email-input"][aria-invalid="true"]').waitFor()
    expect(await refusal(visit, 'connectEmail', { email: 'hal@example' })).toBe('Use a valid email address')
    await visit.page.keyboard.press('Escape')
    await modal.gone()
    await decide(visit, await mailed(world.wallet, email, LINK), step.number, 'Approve')
    await approved
    expect(await refusal(visit, 'connectOtp', { otp: '12345' })).toBe('Check the parameters of this request')
    await call(visit, 'connectOtp', { otp: await codeOf(world.wallet, email) })
    await connected(visit)
    expect(await call(visit, 'getUser')).toMatchObject({ email })
  })

  it('a host that waits for a connection gets the account of a corrected address and code', async () => {
    const visit = await heardVisit()
    const { modal } = visit
    const email = 'ida@example.org'
    await visit.page.evaluate('void (window.waited = window.kit.connect().then(({ address }) => address, String))')
    await modal.ready()
    await modal.part('email-input').fill('ida@example')
    await modal.part('email-input').press('Enter')
    await modal.card.locator('[data-testid="email-input"][aria-invalid="true"]').waitFor()
    await modal.part('email-input').fill(email)
    await modal.part('email-input').press('Enter')
    const number = (await modal.part('device-number').textContent()) ?? ''
    await decide(visit, await mailed(world.wallet, email, LINK), number, 'Approve')
    const otp = await codeOf(world.wallet, email)
    await modal.part('otp-input').fill(otp === '000000' ? '000001' : '000000')
    await modal.card.locator('#code-fault', { hasText: /code/i }).waitFor()
    await modal.part('otp-input').fill(otp)
    await connected(visit)
    expect(await visit.page.evaluate('window.waited')).toBe(await visit.page.evaluate('window.kit.getAddress()'))
  })

  it('spec_7_13_and_7_28_switches_the_network_and_hears_of_signatures_that_are_approved_and_refused', async () => {
    const visit = await heardVisit()
    await logIn(visit, 'fay@example.org')
    await connected(visit)
    const chains = await call<number[]>(visit, 'getAvailableChainIds')
    const other = chains.find((chain) => chain !== 31337) as number
    expect(await call(visit, 'switchNetwork', { chainId: other })).toEqual({ chainId: other })
    await expect.poll(() => visit.page.evaluate('window.kit.getChainId()')).toBe(other)
    expect(await call(visit, 'getChainId')).toEqual({ chainId: other })
    expect(await call(visit, 'getUser', { chainId: 31337 })).toMatchObject({ chainId: 31337 })
    await expect.poll(() => visit.page.evaluate('window.kit.getChainId()')).toBe(31337)
    expect(await refusal(visit, 'switchNetwork', { chainId: 7 })).toBe('Chain is not supported')

    const address = (await visit.page.evaluate('window.kit.getAddress()')) as Hex
    const sign = { method: 'personal_sign', params: ['0x68656c6c6f', address] }
    await visit.page.evaluate('window.heard.length = 0')
    const signed = call<Hex>(visit, 'request', sign)
    const frame = frameOf(visit.page)
    await clickInFrame(frame.getByRole('button', { name: 'Approve' }))
    expect(await verifyMessage({ address, message: 'hello', signature: await signed })).toBe(true)
    await visit.modal.gone()
    const declined = refusal(visit, 'request', sign)
    await clickInFrame(frame.getByRole('button', { name: 'Decline' }))
    expect(await declined).toBe('Request was aborted')
    await visit.modal.gone()
    const withdrawn = refusal(visit, 'request', sign)
    await frame.getByRole('button', { name: 'Approve' }).waitFor()
    await call(visit, 'rejectRpcRequests')
    expect(await withdrawn).toBe('Request was aborted')
    await visit.modal.gone()

    const signatures = (await heard(visit, 'RpcRequest', 'RpcSuccess', 'RpcError')).filter(
      ([event, told, request]) => event === 'RpcError' || [told, request].some((one) => isOf('personal_sign', one))
    )
    expect(signatures.map(([event]) => event)).toEqual([
      'RpcRequest',
      'RpcSuccess',
      'RpcRequest',
      'RpcError',
      'RpcRequest',
      'RpcError'
    ])
  })

  it('spec_7_29_and_7_30_and_4_37_changes_the_address_and_disconnects', async () => {
    const visit = await heardVisit()
    const [email, changed] = ['gus@example.org', 'gus.new@example.org']
    await logIn(visit, email)
    await connected(visit)
    expect(await refusal(visit, 'updateEmailSecondaryOtp', { otp: '123456' })).toBe('Finish the previous step first')
    expect(await call(visit, 'updateEmail', { email: changed })).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
    await call(visit, 'updateEmailPrimaryOtp', { otp: await changeCodeOf(email) })
    expect(await call(visit, 'updateEmailSecondaryOtp', { otp: await changeCodeOf(changed) })).toEqual({
      newEmail: changed
    })
    expect(await call(visit, 'getEmail')).toBe(changed)
    expect(await call(visit, 'getUser')).toMatchObject({ email: changed })
    expect(await visit.page.evaluate('window.kit.getAccount().embeddedWalletInfo.user.username')).toBe(changed)

    await visit.page.reload()
    await connected(visit)
    await call(visit, 'disconnect')
    await disconnected(visit)
    expect(await call(visit, 'isConnected')).toEqual({ isConnected: false })
    expect(await call(visit, 'getLoginEmailUsed')).toBe(false)
    await open(visit)
    await visit.modal.part('email-input').waitFor()
  })

  it('goes on with its change of the address while the visitor looks at the form, and is told of the change that replaces it', async () => {
    const visit = await heardVisit()
    const { modal, page } = visit
    const [email, changed, other] = ['hope@example.org', 'hope.new@example.org', 'hope.own@example.org']
    await logIn(visit, email)
    await connected(visit)
    await call(visit, 'updateEmail', { email: changed })
    await openAccount(visit)
    await modal.part('w3m-account-email-update').click()
    const told = `This site is changing your email to ${changed}.`
    await modal.part('new-email-hosted').getByText(told).waitFor()
    await modal.part('header-back').click()
    await modal.part('disconnect-button').waitFor()
    await call(visit, 'updateEmailPrimaryOtp', { otp: await changeCodeOf(email) })

    await modal.part('w3m-account-email-update').click()
    await modal.part('new-email-hosted').getByText(told).waitFor()
    await cooled(world.wallet, email, 1)
    await modal.part('new-email-input').fill(other)
    await modal.part('new-email-continue').click()
    await modal.part('otp-input').waitFor()
    await modal.says(email)
    const refused = await refusal(visit, 'updateEmailSecondaryOtp', { otp: await changeCodeOf(changed) })
    expect(refused).toBe('The visitor began this in the modal')
    expect(await refusal(visit, 'updateEmail', { email: changed })).toBe('Finish the open request first')
    await page.keyboard.press('Escape')
    await modal.gone()
    expect(await call(visit, 'getUser')).toMatchObject({ email })
  })
})

function isOf(method: string, request: unknown): boolean {
  return (request as { readonly method?: string } | undefined)?.method === method
}
