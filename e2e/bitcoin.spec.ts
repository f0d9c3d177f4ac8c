//! Browser wallets of Bitcoin, one of the Wallet Standard and one of sats-connect, from the list to signatures that other libraries verify.

import { base64 } from '@scure/base'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import { describe, expect, it } from 'vitest'
import {
  ACCOUNT,
  choose,
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

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const SIGNET = 'bip122:00000008819873e925422c1ff0f99f7c'

const WALLETS = [
  ['Wallet Standard', 'bitcoin:demo bitcoin wallet', 'demoBitcoin'],
  ['sats-connect', 'bitcoin:demo sats wallet', 'demoSats']
] as const

type Demo = (typeof WALLETS)[number][2]

const world = useWorld()

const page = (more = '', bitcoin = 'mainnet') => world.visit(`/?relays=off&bitcoin=${bitcoin}${more}`, { alone: true })

/** Connects a Bitcoin wallet. Resolves with its payment address. */
async function connectBitcoin(visit: Visit, wallet: string, demo: Demo): Promise<string> {
  await connect(visit, wallet)
  return addressOf(visit, demo)
}

function addressOf({ page }: Visit, demo: Demo, index = 0): Promise<string> {
  return page.evaluate(([name, at]) => window[name]?.controls.addresses[at] ?? '', [demo, index] as const)
}

const provider = <T>(visit: Visit, script: string) => withProvider<T>(visit, 'bip122', script)

describe.each(WALLETS)('a Bitcoin wallet of %s', (_way, wallet, demo) => {
  it('spec_1_3_connects_with_a_payment_address_is_back_after_a_reload_and_disconnects', async () => {
    const visit = await page()
    const address = await connectBitcoin(visit, wallet, demo)
    expect(await caipAddress(visit)).toBe(`${MAINNET}:${address}`)
    expect(await visit.page.evaluate('window.kit.getWalletInfo().type')).toBe('ANNOUNCED')
    await visit.page.reload()
    await connected(visit)
    expect(await caipAddress(visit)).toBe(`${MAINNET}:${address}`)
    expect(await visit.wallet.asks('connect').count()).toBe(0)
    await openAccount(visit)
    await visit.modal.says("Balances aren't available on this network.")
    await visit.modal.part('disconnect-button').click()
    await disconnected(visit)
    expect(await visit.page.evaluate((name) => window[name]?.controls.connected, demo)).toBe(false)
    expect(visit.strangers()).toEqual([])
  })

  it('spec_3_6_has_a_payment_account_and_tells_its_ordinal_address_to_the_page_alone', async () => {
    const visit = await page()
    const address = await connectBitcoin(visit, wallet, demo)
    const accounts = await visit.page.evaluate(`window.kit.getAccount('bip122').allAccounts`)
    expect(accounts).toMatchObject([{ namespace: 'bip122', address, type: 'payment' }])
    const own = await provider<{ address: string; purpose: string }[]>(visit, 'return provider.getAccountAddresses()')
    expect(own.map(({ purpose }) => purpose)).toEqual(['payment', 'ordinal'])
    expect(own[1]?.address).toMatch(/^bc1p/)
  })

  it('a refusal in the wallet can be tried again', async () => {
    const visit = await page()
    await connectAfterRefusal(visit, wallet)
  })

  it('follows the account that the visitor selects in the wallet, and the permission that it takes away', async () => {
    const visit = await page()
    await connectBitcoin(visit, wallet, demo)
    await visit.page.evaluate((name) => window[name]?.controls.switchAccount(1), demo)
    await expect.poll(() => visit.page.evaluate('window.kit.getAddress()')).toBe(await addressOf(visit, demo, 1))
    await visit.page.evaluate((name) => window[name]?.controls.revoke(), demo)
    await disconnected(visit)
  })

  it('gives the page a provider that signs messages and transactions, which other libraries verify', async () => {
    const visit = await page()
    const address = await connectBitcoin(visit, wallet, demo)
    const signed = provider<string>(visit, `return provider.signMessage({ message: 'Hello from Bitcoin' })`)
    await visit.wallet.asks('sign').getByText('Hello from Bitcoin').waitFor()
    await visit.wallet.approve('sign')
    expect(Verifier.verifySignature(address, 'Hello from Bitcoin', await signed)).toBe(true)

    const [first] = await provider<{ publicKey: string }[]>(visit, 'return provider.getAccountAddresses()')
    const { script } = p2wpkh(Uint8Array.from(Buffer.from(first?.publicKey ?? '', 'hex')))
    const transaction = new Transaction()
    transaction.addInput({ txid: 'cd'.repeat(32), index: 1, witnessUtxo: { amount: 20_000n, script } })
    transaction.addOutput({ amount: 19_500n, script })
    const psbt = base64.encode(transaction.toPSBT())
    const answer = provider<{ psbt: string }>(
      visit,
      `return provider.signPSBT({ psbt: '${psbt}', signInputs: [{ index: 0, address: '${address}' }] })`
    )
    await visit.wallet.approve('transaction')
    const whole = Transaction.fromPSBT(base64.decode((await answer).psbt))
    whole.finalize()
    expect(whole.isFinal).toBe(true)
    expect(whole.getOutput(0).amount).toBe(19_500n)

    const declined = provider<{ code: number }>(
      visit,
      `return provider.signMessage({ message: 'No' }).catch(({ code }) => ({ code }))`
    )
    await visit.wallet.refuse('sign')
    expect(await declined).toEqual({ code: 4001 })
  })

  it('spec_4_25_and_4_26_signs_in_where_the_site_asks_for_it', async () => {
    const visit = await page('&siwx=required')
    await choose(visit, wallet)
    await signButton(visit).waitFor()
    await visit.page.keyboard.press('Escape')
    await refuseToSignIn(visit)
    await signIn(visit)
    const [session] = await storedSessions(visit)
    expect(session?.data.chainId).toBe(MAINNET)
    expect(session?.message).toContain('wants you to sign in with your Bitcoin account:')
    const { accountAddress = '' } = session?.data ?? {}
    expect(Verifier.verifySignature(accountAddress, session?.message ?? '', session?.signature ?? '')).toBe(true)
  })

  it('switches to another network of Bitcoin, where its address is another', async () => {
    const visit = await page('', 'mainnet,signet')
    const address = await connectBitcoin(visit, wallet, demo)
    const signet = { id: SIGNET.slice('bip122:'.length), caipNetworkId: SIGNET }
    await visit.page.evaluate((network) => window.kit?.switchNetwork(network as never), signet)
    await expect.poll(() => caipAddress(visit)).toContain(`${SIGNET}:tb1q`)
    await visit.page.reload()
    await connected(visit)
    expect(await caipAddress(visit)).toContain(`${SIGNET}:tb1q`)
    const own = provider<string>(visit, `return provider.signMessage({ message: 'Hello' , address: '${address}' })`)
    await expect(own).rejects.toThrow("isn't connected with this account")
  })
})

describe('Bitcoin wallets beside an EVM wallet', () => {
  it('spec_4_6_each_namespace_comes_back_alone_and_one_disconnected_leaves_the_other', async () => {
    const visit = await page()
    const [, wallet, demo] = WALLETS[0]
    const address = await connectBitcoin(visit, wallet, demo)
    await visit.page.evaluate(() => void window.kit?.open({ namespace: 'eip155' }))
    await visit.modal.wallet().click()
    await visit.wallet.approve('connect')
    await expect.poll(async () => (await account(visit, 'eip155'))?.address).toBe(ACCOUNT)
    await visit.page.reload()
    await expect.poll(async () => (await account(visit, 'bip122'))?.address).toBe(address)
    await expect.poll(async () => (await account(visit, 'eip155'))?.address).toBe(ACCOUNT)
    await visit.page.evaluate(() => window.kit?.disconnect('bip122'))
    expect((await account(visit, 'bip122'))?.status).toBe('disconnected')
    expect((await account(visit, 'eip155'))?.status).toBe('connected')
    await visit.page.reload()
    await expect.poll(async () => (await account(visit, 'eip155'))?.address).toBe(ACCOUNT)
    expect((await account(visit, 'bip122'))?.status).toBe('disconnected')
  })

  it('shows the balance of the source that the page names, and asks no other', async () => {
    const visit = await page(`&utxos=${encodeURIComponent(`${world.origin}/utxos`)}`)
    const asked: string[] = []
    await visit.page.route('**/utxos/**', (route) => {
      asked.push(new URL(route.request().url()).pathname)
      return route.fulfill({
        json: [
          { txid: 'aa', vout: 0, value: 123_000_000 },
          { txid: 'bb', vout: 0, value: 456_000 }
        ]
      })
    })
    const [, wallet, demo] = WALLETS[1]
    const address = await connectBitcoin(visit, wallet, demo)
    await openAccount(visit)
    await visit.modal.says('1.234')
    await visit.modal.says('BTC')
    expect(new Set(asked)).toEqual(new Set([`/utxos/address/${address}/utxo`]))
    expect(visit.strangers()).toEqual([])
  })

  it('offers no sending, swapping or buying of Bitcoin', async () => {
    const visit = await page()
    const [, wallet, demo] = WALLETS[0]
    await connectBitcoin(visit, wallet, demo)
    await openAccount(visit)
    for (const part of ['wallet-features-send-button', 'wallet-features-swaps-button', 'wallet-features-onramp-button'])
      expect(await visit.modal.part(part).count(), part).toBe(0)
    await visit.modal.part('wallet-features-receive-button').waitFor()
    await visit.page.evaluate(() => void window.kit?.open({ view: 'Swap' }))
    await visit.modal.says('No swaps on Bitcoin')
  })

  it('are the only wallets of a page without an EVM adapter', async () => {
    const visit = await page('', 'mainnet,only')
    await open(visit)
    for (const [, wallet] of WALLETS) await visit.modal.wallet(wallet).waitFor()
    expect(await visit.modal.wallet().count()).toBe(0)
  })
})
