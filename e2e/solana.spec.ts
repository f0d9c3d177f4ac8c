//! A browser wallet of Solana, from the list to a mined transaction, on a real node behind the real server.

import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { afterAll, describe, expect, it } from 'vitest'
import {
  choose,
  chooseAccount,
  connect,
  connectAfterRefusal,
  connected,
  disconnected,
  open,
  openAccount
} from './pages/journey.ts'
import { caipAddress, withProvider } from './pages/kit.ts'
import { refuseToSignIn, signButton, signIn, storedSessions } from './pages/sign-in.ts'
import { useWorld } from './use-world.ts'
import { type Solana, startSolana } from './world/solana.ts'
import type { Visit } from './world/visit.ts'

const WALLET = 'solana:demo solana wallet'

let solana: Solana

const world = useWorld(async () => {
  solana = await startSolana()
  return { solana }
})

afterAll(() => solana?.stop())

const reference = () => solana.id.slice('solana:'.length)
const page = (more = '') => world.visit(`/?relays=off&solana=${reference()}${more}`, { alone: true })

/** Connects the wallet; resolves with the account's address. */
async function connectSolana(visit: Visit): Promise<string> {
  await connect(visit, WALLET)
  return (await visit.page.evaluate(() => window.demoSolana?.controls.addresses[0])) as string
}

const provider = <T>(visit: Visit, script: string) => withProvider<T>(visit, 'solana', script)

/** Transaction of one transfer without its signature, in base64: its form is that of the network's documentation. */
function transfer(from: string, to: Uint8Array, lamports: bigint, block: string): string {
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(lamports)
  const keys = [...base58.decode(from), ...to, ...new Uint8Array(32)]
  const message = [1, 0, 1, 3, ...keys, ...base58.decode(block), 1, 2, 2, 0, 1, 12, 2, 0, 0, 0, ...amount]
  return Buffer.from([1, ...new Uint8Array(64), ...message]).toString('base64')
}

describe('a browser wallet of Solana', () => {
  it('spec_1_3_connects_beside_evm_wallets_shows_its_balance_and_is_back_after_a_reload', async () => {
    const visit = await page()
    const [address] = await visit.page.evaluate(() => window.demoSolana?.controls.addresses ?? [])
    await solana.rpc('requestAirdrop', address, 2_500_000_000)
    expect(await connectSolana(visit)).toBe(address)
    expect(await caipAddress(visit)).toBe(`${solana.id}:${address}`)
    expect(await visit.page.evaluate('window.kit.getWalletInfo().type')).toBe('ANNOUNCED')
    await openAccount(visit)
    await visit.modal.says('2.5')
    await visit.modal.says('SOL')
    await visit.page.reload()
    await connected(visit)
    expect(await caipAddress(visit)).toBe(`${solana.id}:${address}`)
    expect(await visit.wallet.asks('connect').count()).toBe(0)
    await openAccount(visit)
    await visit.modal.part('disconnect-button').click()
    await disconnected(visit)
    expect(await visit.page.evaluate(() => window.demoSolana?.standard.accounts.length)).toBe(0)
  })

  it('spec_3_3_shows_and_signs_with_the_account_that_the_visitor_chooses_also_after_a_reload', async () => {
    const visit = await page('&shares=all')
    const [, second = ''] = await visit.page.evaluate(() => window.demoSolana?.controls.addresses ?? [])
    await solana.rpc('requestAirdrop', second, 3_250_000_000)
    await connectSolana(visit)
    await chooseAccount(visit, second.slice(-6))
    await expect.poll(() => caipAddress(visit)).toBe(`${solana.id}:${second}`)
    await visit.modal.says('3.25')
    await visit.page.reload()
    await connected(visit)
    expect(await caipAddress(visit)).toBe(`${solana.id}:${second}`)
    const signed = provider<number[]>(visit, `return [...await provider.signMessage(new TextEncoder().encode('gm'))]`)
    await visit.wallet.approve('sign')
    const signature = Uint8Array.from(await signed)
    expect(ed25519.verify(signature, new TextEncoder().encode('gm'), base58.decode(second))).toBe(true)
  })

  it('a refusal in the wallet can be tried again', async () => {
    const visit = await page()
    await connectAfterRefusal(visit, WALLET)
  })

  it('follows the account that the visitor selects in the wallet, and the permission that it takes away', async () => {
    const visit = await page()
    await connectSolana(visit)
    const second = await visit.page.evaluate(() => {
      window.demoSolana?.controls.switchAccount(1)
      return window.demoSolana?.controls.addresses[1]
    })
    await expect.poll(() => visit.page.evaluate('window.kit.getAddress()')).toBe(second)
    await visit.page.evaluate(() => window.demoSolana?.controls.revoke())
    await disconnected(visit)
  })

  it('gives the page a provider that signs a message and sends a transaction that is mined', async () => {
    const visit = await page()
    const address = await connectSolana(visit)
    await solana.rpc('requestAirdrop', address, 2_000_000_000)
    const signed = provider<number[]>(
      visit,
      `return [...await provider.signMessage(new TextEncoder().encode('Hello from Solana'))]`
    )
    await visit.wallet.asks('sign').getByText('Hello from Solana').waitFor()
    await visit.wallet.approve('sign')
    const message = new TextEncoder().encode('Hello from Solana')
    expect(ed25519.verify(Uint8Array.from(await signed), message, base58.decode(address))).toBe(true)

    const receiver = ed25519.getPublicKey(new Uint8Array(32).fill(77))
    const { value } = await solana.rpc<{ value: { blockhash: string } }>('getLatestBlockhash')
    const bytes = transfer(address, receiver, 1_500_000_000n, value.blockhash)
    const sent = provider<string>(
      visit,
      `return provider.signAndSendTransaction(Uint8Array.from(atob('${bytes}'), (one) => one.charCodeAt(0)))`
    )
    await visit.wallet.approve('transaction')
    expect(await sent).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/)
    const balance = async () => (await solana.rpc<{ value: number }>('getBalance', base58.encode(receiver))).value
    await expect.poll(balance).toBe(1_500_000_000)
  })

  it('spec_4_25_and_4_26_signs_in_where_the_site_asks_for_it_and_cannot_pass_by_closing', async () => {
    const visit = await page('&siwx=required')
    await choose(visit, WALLET)
    await signButton(visit).waitFor()
    await visit.page.keyboard.press('Escape')
    await refuseToSignIn(visit)
    await signIn(visit)
    const [session] = await storedSessions(visit)
    const address = session?.data.accountAddress as string
    expect(session?.data.chainId).toBe(solana.id)
    expect(session?.message).toContain('wants you to sign in with your Solana account:')
    const message = new TextEncoder().encode(session?.message)
    expect(ed25519.verify(base58.decode(session?.signature as string), message, base58.decode(address))).toBe(true)
  })

  it('is the only wallet of a page without an EVM adapter', async () => {
    const visit = await page(',only')
    await open(visit)
    await visit.modal.wallet(WALLET).waitFor()
    expect(await visit.modal.wallet().count()).toBe(0)
  })

  it('is one row with the wallet of its name in another namespace, and connects the one that the visitor chooses', async () => {
    const visit = await page('&solanaWallet=Demo Wallet')
    await open(visit)
    const row = visit.modal.card.getByText('Demo Wallet', { exact: true })
    await row.click()
    await expect.poll(() => visit.modal.title.textContent()).toBe('Select Chain')
    await visit.modal.part('multi-chain-solana').click()
    await visit.wallet.approve('connect')
    await visit.modal.gone()
    await connected(visit)
    expect(await caipAddress(visit)).toContain(solana.id)
    await openAccount(visit)
    await visit.modal.part('disconnect-button').click()
    await disconnected(visit)
    await open(visit)
    await row.waitFor()
    expect(await row.count()).toBe(1)
  })
})
