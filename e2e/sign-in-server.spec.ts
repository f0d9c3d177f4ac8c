//! Sign-in at the server, from the click to a back end that verifies the session by the server's published keys.

import { encodeAddress } from '@polkadot/util-crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, it } from 'vitest'
import { ACCOUNT, connected, open } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const SOLANA = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const POLKADOT = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'

const world = useWorld()

const sign = ({ modal }: Visit) => modal.part('w3m-connecting-siwe-sign')

/** Token that the page would send to its back end. */
const token = ({ page }: Visit): Promise<string | undefined> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('@portico/siwx') ?? '[]')[0]?.token)

async function signIn(visit: Visit): Promise<void> {
  await sign(visit).and(visit.page.locator(':not([aria-busy])')).click()
  await visit.wallet.approve('sign')
  await visit.modal.gone()
}

it('spec_4_25_and_4_26_a_visitor_signs_in_at_the_server_and_a_back_end_verifies_the_session', async () => {
  const visit = await world.visit('/?siwx=server')
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await expect.poll(() => visit.modal.title.textContent()).toBe('Sign In')
  await signIn(visit)
  await connected(visit)
  const { origin, host } = new URL(visit.page.url())
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', origin))
  const verified = await jwtVerify((await token(visit)) ?? '', keys, { audience: 'demo', algorithms: ['ES256'] })
  expect(verified.payload).toMatchObject({ sub: `eip155:31337:${ACCOUNT}`, domain: host, uri: origin })
  // After a reload the server knows the session, so the visitor is not asked again.
  const asked = visit.page.waitForResponse((response) => response.url().includes('/auth/v1/me'))
  await visit.page.reload()
  expect((await asked).status()).toBe(200)
  await connected(visit)
  // The session ends elsewhere: after the next reload the visitor is asked to sign in, once.
  await endElsewhere(visit)
  await visit.page.reload()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Sign In')
  expect(await token(visit)).toBeUndefined()
  await signIn(visit)
  expect(await token(visit)).toBeDefined()
})

it('spec_4_25_a_session_in_a_cookie_leaves_no_token_in_the_page', async () => {
  const visit = await world.visit('/?siwx=server&cookie', { alone: true })
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await signIn(visit)
  await connected(visit)
  const stored = () => visit.page.evaluate(() => JSON.stringify(localStorage))
  const cookies = await visit.context.cookies()
  const [cookie, ...others] = cookies.filter(({ name }) => name === '__Host-portico-session')
  expect([cookie?.httpOnly, cookie?.secure, others]).toEqual([true, true, []])
  expect(await stored()).not.toContain(cookie?.value)
  expect(await stored()).not.toMatch(/eyJ/)
  const asked = visit.page.waitForResponse((response) => response.url().includes('/auth/v1/me'))
  await visit.page.reload()
  expect((await asked).status()).toBe(200)
  expect((await asked).request().headers()).not.toHaveProperty('authorization')
  await connected(visit)
  await visit.page.evaluate(() => window.kit?.disconnect())
  await expect.poll(async () => (await visit.context.cookies()).length).toBe(cookies.length - 1)
  expect(await visit.page.evaluate(() => localStorage.getItem('@portico/siwx'))).toBeNull()
})

/** Ends the session on the server, as another device would. */
async function endElsewhere(visit: Visit): Promise<void> {
  const { origin } = new URL(visit.page.url())
  const authorization = `Bearer ${await token(visit)}`
  const headers = { authorization, origin }
  const ended = await fetch(`${origin}/auth/v1/sign-out?projectId=demo`, { method: 'POST', headers })
  expect(ended.status).toBe(204)
}

it('spec_4_25_a_session_that_ends_while_the_page_is_open_is_renewed_there', async () => {
  const visit = await world.visit('/?siwx=server', { clock: true })
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await signIn(visit)
  // The back end refused the token, so the page asks for the sign-in.
  const first = await token(visit)
  await endElsewhere(visit)
  await visit.page.evaluate(() => window.kit?.open({ view: 'SIWXSignMessage' }))
  await visit.modal.says("You're signed out. Sign again to continue.")
  await visit.page.keyboard.press('Escape')
  await visit.modal.card.and(visit.page.locator('.shaking')).waitFor()
  await signIn(visit)
  const second = await token(visit)
  expect(second).toBeDefined()
  expect(second).not.toBe(first)
  // The visitor comes back to the page a minute later.
  await endElsewhere(visit)
  await visit.page.clock.fastForward(60_000)
  await visit.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await visit.modal.says("You're signed out. Sign again to continue.")
  expect(await token(visit)).toBeUndefined()
})

it.each([
  ['fast', 3_600_000],
  ['late', -3_600_000]
] as const)('spec_4_27_a_visitor_whose_clock_is_an_hour_%s_is_told_so', async (_, off) => {
  const visit = await world.visit('/?siwx=server', {
    alone: true,
    prepare: ({ clock }) => clock.install({ time: Date.now() + off })
  })
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await sign(visit).and(visit.page.locator(':not([aria-busy])')).click()
  await visit.wallet.approve('sign')
  await visit.modal.says("Check this device's date and time, then sign again.")
  expect(await token(visit)).toBeUndefined()
})

it('spec_4_27_a_visitor_who_takes_twelve_minutes_to_sign_hears_that_the_message_is_too_old', async () => {
  const visit = await world.visit('/?siwx=server', {
    alone: true,
    prepare: ({ clock }) => clock.install({ time: Date.now() - 720_000 })
  })
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await sign(visit).and(visit.page.locator(':not([aria-busy])')).click()
  await visit.wallet.asks('sign').waitFor()
  await visit.page.clock.fastForward(720_000)
  await visit.wallet.approve('sign')
  await visit.modal.says('That took too long. Sign again.')
  expect(await visit.modal.card.textContent()).not.toContain("Check this device's date and time")
  expect(await token(visit)).toBeUndefined()
})

/** Account that the server tells for the session of this page. */
async function me(visit: Visit): Promise<{ sub: string; chainNamespace: string }> {
  const authorization = `Bearer ${await token(visit)}`
  return visit.page.evaluate(async (header) => {
    const answer = await fetch('/auth/v1/me?projectId=demo', { headers: { authorization: header } })
    return answer.json()
  }, authorization)
}

it.each([
  ['a Bitcoin wallet of the Wallet Standard', 'bitcoin:demo bitcoin wallet', 'demoBitcoin'],
  ['a Bitcoin wallet of sats-connect', 'bitcoin:demo sats wallet', 'demoSats']
] as const)('spec_4_25_and_4_26_%s_signs_in_at_the_server', async (_way, wallet, demo) => {
  const visit = await world.visit('/?relays=off&siwx=server&bitcoin=mainnet', { alone: true })
  await open(visit)
  await visit.modal.wallet(wallet).click()
  await visit.wallet.approve('connect')
  await signIn(visit)
  await connected(visit)
  const address = await visit.page.evaluate((name) => window[name]?.controls.addresses[0] ?? '', demo)
  expect(address).toMatch(/^bc1q/)
  expect(await me(visit)).toMatchObject({ sub: `${MAINNET}:${address}`, chainNamespace: 'bip122' })
  await visit.page.reload()
  await connected(visit)
  expect(await visit.wallet.asks('sign').count()).toBe(0)
})

it('spec_4_25_and_4_26_a_solana_wallet_connects_and_signs_in_at_the_server_by_one_approval', async () => {
  const visit = await world.visit(`/?relays=off&siwx=server&solana=${SOLANA}`, { alone: true })
  await open(visit)
  await visit.modal.wallet('solana:demo solana wallet').click()
  await visit.wallet.asks('sign').getByText('Chain ID: solana:mainnet').waitFor()
  await visit.wallet.refuse('sign')
  await visit.modal.says('Request declined')
  await visit.modal.card.getByRole('button', { name: 'Try again' }).click()
  await visit.wallet.approve('sign')
  await visit.modal.gone()
  await connected(visit)
  const address = await visit.page.evaluate(() => window.demoSolana?.controls.addresses[0])
  expect(await me(visit)).toMatchObject({ sub: `solana:${SOLANA}:${address}`, chainNamespace: 'solana' })
  await visit.page.reload()
  await connected(visit)
  expect(await visit.wallet.asks('sign').count()).toBe(0)
})

it('spec_4_25_and_4_26_a_polkadot_extension_signs_in_at_the_server_and_again_for_another_account', async () => {
  const visit = await world.visit('/?relays=off&siwx=server&polkadot=polkadot', { alone: true })
  await open(visit)
  await visit.modal.wallet('polkadot:demo polkadot wallet').click()
  await visit.wallet.approve('connect')
  await sign(visit).and(visit.page.locator(':not([aria-busy])')).click()
  await visit.wallet.asks('sign').getByText('wants you to sign in with your Polkadot account:').waitFor()
  await visit.wallet.approve('sign')
  await visit.modal.gone()
  await connected(visit)
  const [alice = '', bob = ''] = await visit.page.evaluate(() => window.demoPolkadot?.controls.addresses ?? [])
  expect(await me(visit)).toMatchObject({ sub: `${POLKADOT}:${encodeAddress(alice, 0)}`, chainNamespace: 'polkadot' })
  // The signature of one account is none of the other.
  const forged = await visit.page.evaluate(
    async ([own, other]) => {
      const [{ session }] = JSON.parse(localStorage.getItem('@portico/siwx') ?? '[]')
      const { nonce } = await (await fetch('/auth/v1/nonce?projectId=demo')).json()
      const message = session.message.replace(own, other).replace(/^Nonce: .*$/m, `Nonce: ${nonce}`)
      const body = JSON.stringify({ message, signature: session.signature })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/auth/v1/authenticate?projectId=demo', { method: 'POST', headers, body })
      return [answer.status, (await answer.json()).reasons[0].field]
    },
    [encodeAddress(alice, 0), encodeAddress(bob, 0)] as const
  )
  expect(forged).toEqual([422, 'signature'])
  await visit.page.evaluate(() => window.demoPolkadot?.controls.switchAccount(1))
  await expect.poll(() => visit.modal.title.textContent()).toBe('Sign In')
  await signIn(visit)
  const tokens = await visit.page.evaluate(() => JSON.parse(localStorage.getItem('@portico/siwx') ?? '[]'))
  const last = tokens.map(
    ({ session }: { session: { data: { accountAddress: string } } }) => session.data.accountAddress
  )
  expect(last).toContain(encodeAddress(bob, 0))
})
