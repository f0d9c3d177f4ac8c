import { SiweMessage } from 'siwe'
import { verifyMessage } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { expect, it } from 'vitest'
import { ACCOUNT, connected, disconnected, open, SECOND_ACCOUNT } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const REQUIRED = '/?siwx=required'
const OPTIONAL = '/?siwx=optional'

const sign = ({ modal }: Visit) => modal.part('w3m-connecting-siwe-sign')
const cancel = ({ modal }: Visit) => modal.part('w3m-connecting-siwe-cancel')

/** Waits until the visitor can sign. */
async function asked(visit: Visit): Promise<void> {
  await expect.poll(() => visit.modal.title.textContent()).toBe('Sign In')
  await sign(visit).and(visit.page.locator(':not([aria-busy])')).waitFor()
}

/** Connects the wallet, and waits until the visitor is asked to sign in. */
async function connect(visit: Visit): Promise<void> {
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await asked(visit)
}

async function signIn(visit: Visit): Promise<void> {
  await sign(visit).click()
  await visit.wallet.approve('sign')
  await visit.modal.gone()
}

interface Session {
  readonly data: { readonly chainId: string; readonly accountAddress: `0x${string}`; readonly nonce: string }
  readonly message: string
  readonly signature: `0x${string}`
}

const sessions = ({ page }: Visit): Promise<Session[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('@appkit/siwx') ?? '[]'))

const events = ({ page }: Visit): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { seen: string[] }).seen)

/** Notes the tracked events from now on. */
const listen = ({ page }: Visit): Promise<void> =>
  page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    window.kit?.subscribeEvents(({ data }) => seen.push(data.event))
  })

it('spec_4_24_and_4_25_and_4_26_a_visitor_connects_signs_in_and_others_can_verify_it', async () => {
  const visit = await world.visit(REQUIRED)
  await listen(visit)
  await connect(visit)
  await visit.modal.says('Sign in to Halcyon Prints')
  await visit.modal.says('Sign in to see your orders.')
  await signIn(visit)
  await connected(visit)
  const [session, ...others] = await sessions(visit)
  expect(others).toEqual([])
  if (!session) throw new Error('There is no session')
  const { message, signature, data } = session
  const origin = new URL(visit.page.url()).origin
  expect(await verifyMessage({ address: ACCOUNT, message, signature })).toBe(true)
  expect(parseSiweMessage(message)).toMatchObject({
    address: ACCOUNT,
    chainId: 31337,
    domain: new URL(origin).host,
    uri: `${origin}/`,
    nonce: data.nonce,
    statement: 'Sign in to see your orders.',
    requestId: 'halcyon-1',
    resources: [`${origin}/shop.svg`]
  })
  const told = new SiweMessage(message)
  expect(told.prepareMessage()).toBe(message)
  const { success } = await told.verify({ signature, nonce: data.nonce, domain: new URL(origin).host })
  expect(success).toBe(true)
  expect(await events(visit)).toContain('SIWX_AUTH_SUCCESS')
})

it('spec_4_27_and_8_8_a_visitor_who_declines_can_sign_the_next_message', async () => {
  const visit = await world.visit(REQUIRED)
  await listen(visit)
  await connect(visit)
  const before = await visit.modal.part('siwx-message').textContent()
  await sign(visit).click()
  await visit.wallet.refuse('sign')
  await visit.modal.snacks('Signature declined')
  await asked(visit)
  expect(await visit.modal.part('siwx-message').textContent()).not.toBe(before)
  expect(await events(visit)).toContain('SIWX_AUTH_ERROR')
  await signIn(visit)
  expect(await sessions(visit)).toHaveLength(1)
})

it('spec_8_10_authenticating_is_shown_while_the_wallet_asks', async () => {
  const visit = await world.visit(REQUIRED)
  await connect(visit)
  await sign(visit).click()
  await visit.modal.snacks('Authenticating...')
  await visit.wallet.approve('sign')
  await visit.modal.gone()
})

it('spec_4_28_cancelling_a_required_sign_in_disconnects_and_leads_to_the_wallets', async () => {
  const visit = await world.visit(REQUIRED)
  await listen(visit)
  await connect(visit)
  await cancel(visit).click()
  await visit.modal.wallet().waitFor()
  expect(await visit.modal.title.textContent()).toBe('Connect Wallet')
  await visit.modal.close()
  await disconnected(visit)
  expect(await events(visit)).toContain('CLICK_CANCEL_SIWX')
})

it('spec_4_28_cancelling_an_optional_sign_in_closes_the_modal_and_keeps_the_wallet', async () => {
  const visit = await world.visit(OPTIONAL)
  await connect(visit)
  await cancel(visit).click()
  await visit.modal.gone()
  await connected(visit)
  expect(await sessions(visit)).toEqual([])
  // The page offers it again, behind a button of its own.
  await visit.page.evaluate(() => window.kit?.open({ view: 'SIWXSignMessage' }))
  await cancel(visit).waitFor()
  await cancel(visit).click()
  await visit.modal.gone()
})

it('spec_2_25_and_2_28_a_required_sign_in_shakes_instead_of_closing', async () => {
  const visit = await world.visit(REQUIRED)
  await connect(visit)
  for (const leave of [
    () => visit.page.keyboard.press('Escape'),
    () => visit.modal.closeButton.click(),
    () => visit.page.mouse.click(5, 400)
  ]) {
    await leave()
    await visit.modal.card.and(visit.page.locator('.shaking')).waitFor()
    await visit.modal.card.and(visit.page.locator(':not(.shaking)')).waitFor()
    expect(await visit.modal.title.textContent()).toBe('Sign In')
  }
  await visit.page.evaluate(() => window.kit?.close())
  await asked(visit)
})

it('spec_4_25_a_reload_asks_again_until_the_visitor_has_signed', async () => {
  const visit = await world.visit(REQUIRED)
  await connect(visit)
  await visit.page.reload()
  await asked(visit)
  await signIn(visit)
  await visit.page.reload()
  await connected(visit)
  await visit.modal.accountButton.click()
  await visit.modal.part('disconnect-button').waitFor()
})

it('spec_4_25_a_stored_session_that_nobody_signed_does_not_count', async () => {
  const visit = await world.visit(REQUIRED)
  await connect(visit)
  await signIn(visit)
  for (const forge of [
    (session: Session) => ({ ...session, signature: `0x${'11'.repeat(65)}` }),
    (session: Session) => ({ ...session, data: { ...session.data, expirationTime: '2999-01-01T00:00:00.000Z' } })
  ]) {
    const forged = JSON.stringify((await sessions(visit)).map(forge))
    await visit.page.evaluate((stored) => localStorage.setItem('@appkit/siwx', stored), forged)
    await visit.page.reload()
    await asked(visit)
    await signIn(visit)
  }
})

it('spec_4_25_another_network_or_account_signs_in_for_itself_and_disconnecting_ends_all_sessions', async () => {
  const visit = await world.visit(REQUIRED)
  await connect(visit)
  await signIn(visit)
  await visit.modal.networkButton.click()
  await visit.modal.network('Anvil Two').click()
  await visit.wallet.approve('switchChain')
  await asked(visit)
  await signIn(visit)
  await visit.control(({ switchAccount }) => switchAccount(1))
  await asked(visit)
  await signIn(visit)
  const known = (await sessions(visit)).map(({ data }) => [data.chainId, data.accountAddress])
  expect(known).toEqual([
    ['eip155:31337', ACCOUNT],
    ['eip155:31338', ACCOUNT],
    ['eip155:31338', SECOND_ACCOUNT]
  ])
  await visit.page.evaluate(() => window.kit?.disconnect())
  await disconnected(visit)
  await expect.poll(() => sessions(visit)).toEqual([])
})

it('spec_4_28_cancelling_after_a_change_of_network_goes_back_to_the_signed_one', async () => {
  const visit = await world.visit(REQUIRED)
  await listen(visit)
  await connect(visit)
  await signIn(visit)
  await visit.modal.networkButton.click()
  await visit.modal.network('Anvil Two').click()
  await visit.wallet.approve('switchChain')
  await asked(visit)
  await cancel(visit).click()
  await visit.wallet.approve('switchChain')
  await visit.modal.gone()
  await connected(visit)
  expect(await visit.page.evaluate(() => window.kit?.getCaipNetworkId())).toBe('eip155:31337')
  expect((await sessions(visit)).map(({ data }) => data.chainId)).toEqual(['eip155:31337'])
  expect(await events(visit)).toContain('CLICK_SIGN_SIWX_MESSAGE')
})

it('a session of one tab counts in the other', async () => {
  const visit = await world.visit(REQUIRED, { alone: true })
  await connect(visit)
  const second = await visit.context.newPage()
  await second.goto(visit.page.url())
  await second.getByTestId('w3m-connecting-siwe-sign').and(second.locator(':not([aria-busy])')).waitFor()
  await visit.page.bringToFront()
  await signIn(visit)
  await second.bringToFront()
  // Without a window manager both tabs are always visible: the page is told as the browser would.
  await second.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await second.getByTestId('w3m-modal-card').waitFor({ state: 'hidden' })
  await second.getByTestId('account-button').waitFor()
  const third = await visit.context.newPage()
  await third.goto(visit.page.url())
  await third.getByTestId('account-button').click()
  await third.getByTestId('disconnect-button').waitFor()
})

it('spec_8_7_a_site_that_cannot_prepare_the_sign_in_disconnects_the_visitor', async () => {
  const visit = await world.visit('/?siwx=down')
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await visit.modal.snacks('A problem occurred while trying initialize authentication')
  await visit.modal.wallet().waitFor()
  await visit.modal.warns(/siwx.getSessions: The server is down/)
  await disconnected(visit)
})

it('a page without a sign-in fetches none of its code', async () => {
  const visit = await world.visit()
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await visit.modal.gone()
  expect(visit.requests.filter((url) => /siwx|signIn/.test(url))).toEqual([])
})
