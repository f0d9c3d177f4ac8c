//! A Polkadot extension in the page, from the list to signatures that another library verifies.

import { encodeAddress, signatureVerify } from '@polkadot/util-crypto'
import { describe, expect, it } from 'vitest'
import {
  ACCOUNT,
  choose,
  chooseAccount,
  connect,
  connectAfterRefusal,
  connected,
  disconnected,
  open,
  openAccount
} from './pages/journey.ts'
import { account, caipAddress, withProvider } from './pages/kit.ts'
import { refuseToSignIn, signButton, signIn, storedSessions } from './pages/sign-in.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const POLKADOT = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const KUSAMA = 'polkadot:b0a8d493285c2df73290dfb7e61f870f'
const WALLET = 'polkadot:demo polkadot wallet'
const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'
const BOB = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty'

const world = useWorld()

const page = (more = '', polkadot = 'polkadot') =>
  world.visit(`/?relays=off&polkadot=${polkadot}${more}`, { alone: true })

const connectPolkadot = (visit: Visit) => connect(visit, WALLET)
const provider = <T>(visit: Visit, script: string) => withProvider<T>(visit, 'polkadot', script)

/** The host switches to Kusama, where this account has an address of another spelling. */
async function toKusama(visit: Visit, account: string): Promise<void> {
  const kusama = { id: KUSAMA.slice('polkadot:'.length), caipNetworkId: KUSAMA }
  await visit.page.evaluate((network) => window.kit?.switchNetwork(network as never), kusama)
  await expect.poll(() => caipAddress(visit)).toBe(`${KUSAMA}:${encodeAddress(account, 2)}`)
}

describe('a Polkadot extension', () => {
  it('spec_1_3_connects_with_an_address_of_the_network_is_back_after_a_reload_and_disconnects', async () => {
    const visit = await page()
    await connectPolkadot(visit)
    expect(await caipAddress(visit)).toBe(`${POLKADOT}:${encodeAddress(ALICE, 0)}`)
    expect(await visit.page.evaluate(() => window.demoPolkadot?.controls.origins)).toEqual(['Halcyon Prints'])
    await visit.page.reload()
    await connected(visit)
    expect(await caipAddress(visit)).toBe(`${POLKADOT}:${encodeAddress(ALICE, 0)}`)
    expect(await visit.wallet.asks('connect').count()).toBe(0)
    await openAccount(visit)
    await visit.modal.says("Balances aren't available on this network.")
    await visit.modal.part('disconnect-button').click()
    await disconnected(visit)
    expect(await visit.page.evaluate(() => window.demoPolkadot?.controls.subscriptions)).toBe(0)
    await visit.page.reload()
    await open(visit)
    await visit.modal.wallet(WALLET).waitFor()
    expect(await visit.page.evaluate(() => window.demoPolkadot?.controls.origins)).toEqual([])
    expect(visit.strangers()).toEqual([])
  })

  it('a refusal in the extension can be tried again', async () => {
    const visit = await page()
    await connectAfterRefusal(visit, WALLET)
  })

  it('follows the account that the visitor shows to the page, and the permission that it takes away', async () => {
    const visit = await page()
    await connectPolkadot(visit)
    await visit.page.evaluate(() => window.demoPolkadot?.controls.switchAccount(1))
    await expect.poll(() => caipAddress(visit)).toBe(`${POLKADOT}:${encodeAddress(BOB, 0)}`)
    await visit.page.evaluate(() => window.demoPolkadot?.controls.revoke())
    await disconnected(visit)
  })

  it('spec_3_3_uses_the_account_that_the_visitor_chooses_of_several_also_after_a_reload_and_on_another_network', async () => {
    const visit = await page('&shares=all', 'polkadot,kusama')
    await connectPolkadot(visit)
    await chooseAccount(visit, 'Bob')
    await expect.poll(() => caipAddress(visit)).toBe(`${POLKADOT}:${encodeAddress(BOB, 0)}`)
    await visit.modal.says('Bob')
    const signed = provider<string>(visit, `return provider.signMessage({ message: 'From Bob' })`)
    await visit.wallet.approve('sign')
    expect(signatureVerify('From Bob', await signed, BOB).isValid).toBe(true)
    await visit.page.reload()
    await connected(visit)
    expect(await caipAddress(visit)).toBe(`${POLKADOT}:${encodeAddress(BOB, 0)}`)
    await toKusama(visit, BOB)
    expect(await provider(visit, 'return provider.getAccounts()')).toEqual([
      { address: encodeAddress(BOB, 2), name: 'Bob' },
      { address: encodeAddress(ALICE, 2), name: 'Alice' }
    ])
    await visit.page.reload()
    await connected(visit)
    expect(await caipAddress(visit)).toBe(`${KUSAMA}:${encodeAddress(BOB, 2)}`)
  })

  it('spec_4_25_a_chosen_account_has_to_sign_in_where_the_site_asks_for_it', async () => {
    const visit = await page('&shares=all&siwx=required')
    await choose(visit, WALLET)
    await signIn(visit)
    await chooseAccount(visit, 'Bob')
    await signIn(visit)
    const accounts = (await storedSessions(visit)).map(({ data }) => data.accountAddress)
    expect(accounts.sort()).toEqual([encodeAddress(BOB, 0), encodeAddress(ALICE, 0)].sort())
  })

  it('gives the page a provider with names of accounts, that signs what another library verifies', async () => {
    const visit = await page()
    await connectPolkadot(visit)
    const accounts = await provider(visit, 'return provider.getAccounts()')
    expect(accounts).toEqual([{ address: encodeAddress(ALICE, 0), name: 'Alice' }])
    const signed = provider<string>(visit, `return provider.signMessage({ message: 'Hello from Polkadot' })`)
    await visit.wallet.asks('sign').getByText('Hello from Polkadot').waitFor()
    await visit.wallet.approve('sign')
    expect(signatureVerify('Hello from Polkadot', await signed, ALICE).isValid).toBe(true)
    const raw = provider<{ signature: string }>(visit, `return provider.signRaw({ data: '0x48690a' })`)
    await visit.wallet.approve('sign')
    expect(signatureVerify('0x48690a', (await raw).signature, ALICE).isValid).toBe(true)
    const declined = provider<{ code: number }>(
      visit,
      `return provider.signMessage({ message: 'No' }).catch(({ code }) => ({ code }))`
    )
    await visit.wallet.refuse('sign')
    expect(await declined).toEqual({ code: 4001 })
  })

  it('spells the address in another way on another network', async () => {
    const visit = await page('', 'polkadot,kusama')
    await connectPolkadot(visit)
    await toKusama(visit, ALICE)
    await visit.page.reload()
    await connected(visit)
    expect(await caipAddress(visit)).toBe(`${KUSAMA}:${encodeAddress(ALICE, 2)}`)
  })

  it('spec_4_27_signs_in_where_the_site_asks_for_it_after_a_refusal', async () => {
    const visit = await page('&siwx=required')
    await choose(visit, WALLET)
    await refuseToSignIn(visit)
    await signIn(visit)
    const [session] = await storedSessions(visit)
    expect(session?.message).toContain(`Polkadot account:\n${encodeAddress(ALICE, 0)}\n`)
    expect(signatureVerify(session?.message ?? '', session?.signature ?? '', ALICE).isValid).toBe(true)
  })

  it('spec_4_27_refuses_a_signature_of_another_key_before_the_page_has_a_session', async () => {
    const visit = await page('&siwx=required')
    await open(visit)
    await visit.page.evaluate(() => {
      const entry = window.demoPolkadot?.entry
      const enable = entry?.enable
      if (!entry || !enable) throw new Error('The page has no such wallet')
      entry.enable = async (origin) => {
        const injected = await enable.call(entry, origin)
        let count = 0
        const signRaw: typeof injected.signer.signRaw = async (raw) => {
          const answer = await injected.signer.signRaw(raw)
          count += 1
          // The first signature has another point of the curve: the base point of sr25519.
          const point = 'e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76'
          return count > 1
            ? answer
            : { ...answer, signature: `${answer.signature.slice(0, -128)}${point}${answer.signature.slice(-64)}` }
        }
        return { ...injected, signer: { ...injected.signer, signRaw } }
      }
    })
    await visit.modal.wallet(WALLET).click()
    await visit.wallet.approve('connect')
    await signButton(visit).click()
    await visit.wallet.approve('sign')
    await visit.modal.says("The signature doesn't fit this account and message. Sign again.")
    expect(await storedSessions(visit)).toEqual([])
    await signIn(visit)
    expect(await storedSessions(visit)).toMatchObject([{ data: { accountAddress: encodeAddress(ALICE, 0) } }])
  })

  it('offers no sending, swapping or buying, and says so', async () => {
    const visit = await page()
    await connectPolkadot(visit)
    await openAccount(visit)
    await visit.modal.part('wallet-features-receive-button').waitFor()
    for (const part of ['wallet-features-send-button', 'wallet-features-swaps-button', 'wallet-features-onramp-button'])
      expect(await visit.modal.part(part).count(), part).toBe(0)
    await visit.modal.says("Sending and swapping aren't available on this network. Use your wallet.")
  })

  it('spec_4_6_comes_back_beside_an_evm_wallet_and_leaves_it_when_it_is_disconnected', async () => {
    const visit = await page()
    await connectPolkadot(visit)
    await visit.page.evaluate(() => void window.kit?.open({ namespace: 'eip155' }))
    await visit.modal.wallet().click()
    await visit.wallet.approve('connect')
    await expect.poll(async () => (await account(visit, 'eip155'))?.address).toBe(ACCOUNT)
    await visit.page.reload()
    await expect.poll(async () => (await account(visit, 'polkadot'))?.address).toBe(encodeAddress(ALICE, 0))
    await expect.poll(async () => (await account(visit, 'eip155'))?.address).toBe(ACCOUNT)
    await visit.page.evaluate(() => window.kit?.disconnect('polkadot'))
    expect((await account(visit, 'polkadot'))?.status).toBe('disconnected')
    expect((await account(visit, 'eip155'))?.status).toBe('connected')
  })

  it('is the only wallet of a page without an EVM adapter', async () => {
    const visit = await page('', 'polkadot,only')
    await open(visit)
    await visit.modal.wallet(WALLET).waitFor()
    expect(await visit.modal.wallet().count()).toBe(0)
  })
})
