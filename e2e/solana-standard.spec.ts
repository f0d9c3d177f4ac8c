//! The embedded wallet's Solana account as a wallet of the Wallet Standard: a host page signs and pays with Solana's own library, through the
//! real frame, server, vault and node.

import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { connected, openAccount } from './pages/journey.ts'
import { logIn, logInHere } from './pages/login.ts'
import { fill, openSend, review } from './pages/send.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import { type Solana, startSolana } from './world/solana.ts'
import type { Visit } from './world/visit.ts'

let solana: Solana
let script: string

const world = useWorld(async () => {
  const entry = join(import.meta.dirname, 'pages/solana-host.ts')
  const bundle = await build({ entryPoints: [entry], bundle: true, format: 'iife', write: false, logLevel: 'error' })
  script = bundle.outputFiles[0]?.text ?? ''
  solana = await startSolana()
  return { wallet: true, mailPause: 1, solana }
})

afterAll(() => solana?.stop())

const PROVIDER = `window.kit.getProvider('solana')`
const ADDRESS = `${PROVIDER}?.publicKey?.toBase58()`

/** Waits until the page has the provider with its account; the address. */
async function provided({ page }: Visit): Promise<string> {
  await expect.poll(() => page.evaluate(ADDRESS)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  return (await page.evaluate(ADDRESS)) as string
}

/** Host page on EVM chains and Solana. */
const visiting = (): Promise<Visit> => world.newcomer(`&solana=${solana.id.slice('solana:'.length)}`)

/** Host page whose visitor logged in by the modal. */
async function loggedIn(email: string): Promise<{ visit: Visit; account: string }> {
  const visit = await visiting()
  await logIn(visit, world.wallet, email)
  await visit.page.evaluate(script)
  return { visit, account: await provided(visit) }
}

/** Calls a function of the host's code with the wallet of the provider. */
function host<T>({ page }: Visit, name: string, ...given: readonly unknown[]): Promise<T> {
  const all = [`${PROVIDER}.wallet`, ...given.map((one) => JSON.stringify(one))]
  return page.evaluate(`window.host.${name}(${all.join()})`) as Promise<T>
}

/** Approves the request that shows this text. */
async function approve({ page }: Visit, text: string): Promise<void> {
  const frame = frameOf(page)
  await frame.getByText(text, { exact: true }).waitFor()
  await clickInFrame(frame.getByRole('button', { name: 'Approve' }))
}

/** Account of the page on Solana, as a host reads it. */
const told = ({ page }: Visit) =>
  page.evaluate(`(({ caipAddress, address, status, embeddedWalletInfo }) => ({
    caipAddress, address, status, kind: embeddedWalletInfo?.accountType, username: embeddedWalletInfo?.user.username
  }))(window.kit.getAccount('solana'))`)

const balanceOf = async (account: string) => (await solana.rpc<{ value: number }>('getBalance', account)).value

describe('the embedded wallet for libraries of Solana', () => {
  it('spec_5_31_signs_messages_that_the_visitor_approves_one_by_one_and_an_independent_library_verifies_them', async () => {
    const { visit, account } = await loggedIn('kit@example.org')
    const texts = ['Hello from kit', 'Hello again']
    const signed = host<string[]>(visit, 'signTexts', ...texts)
    for (const text of texts) await approve(visit, text)
    const signatures = await signed
    await visit.modal.gone()
    expect(signatures).toHaveLength(2)
    for (const [index, signature] of signatures.entries()) {
      const bytes = new TextEncoder().encode(texts[index])
      expect(ed25519.verify(base58.decode(signature), bytes, base58.decode(account))).toBe(true)
    }
    const declined = host(visit, 'signTexts', 'Hello').then(
      () => undefined,
      ({ message }: Error) => message
    )
    await clickInFrame(frameOf(visit.page).getByRole('button', { name: 'Decline' }))
    expect(await declined).toContain('Request was aborted')
    await visit.modal.gone()
  })

  it('spec_4_35_a_host_that_waits_for_an_account_on_solana_gets_that_of_the_visitor_who_logs_in', async () => {
    const visit = await visiting()
    const { page, modal } = visit
    const asked = page.evaluate(`window.kit.connect({ namespace: 'solana' })`)
    await modal.ready()
    await logInHere(visit, world.wallet, 'waiting@example.org')
    const { address, caipNetworkId, connectorId } = (await asked) as Record<string, string>
    expect({ caipNetworkId, connectorId }).toEqual({ caipNetworkId: solana.id, connectorId: 'AUTH' })
    expect(await provided(visit)).toBe(address)
    expect(await page.evaluate('window.kit.getActiveChainNamespace()')).toBe('solana')
    expect(await page.evaluate(`window.kit.getAddress('eip155')`)).toMatch(/^0x/)
    await modal.gone()
  })

  it('spec_1_2_and_1_3_a_host_is_told_the_account_beside_the_evm_one_and_the_modal_shows_it_on_the_network', async () => {
    const email = 'both@example.org'
    const { visit, account } = await loggedIn(email)
    const { page, modal } = visit
    expect(await told(visit)).toEqual({
      caipAddress: `${solana.id}:${account}`,
      address: account,
      status: 'connected',
      kind: 'eoa',
      username: email
    })
    expect(await page.evaluate(`window.kit.getProviderType('solana')`)).toBe('AUTH')
    expect(await page.evaluate('window.kit.getActiveChainNamespace()')).toBe('eip155')
    await solana.rpc('requestAirdrop', account, 1_500_000_000)
    await expect.poll(() => balanceOf(account)).toBe(1_500_000_000)
    await openAccount(visit)
    await modal.part('w3m-account-select-network').click()
    await modal.network(String(await page.evaluate(`window.kit.getCaipNetworks("solana")[0].name`))).click()
    await expect.poll(() => page.evaluate('window.kit.getAccount().address')).toBe(account)
    await modal.card.getByText(account.slice(-6)).first().waitFor()
    await modal.balance.filter({ hasText: '1.5' }).waitFor()
    const reconnected = page.evaluate(
      `new Promise((done) => window.kit.subscribeAccount(({ status }) => status === 'disconnected' && done(status), 'solana'))`
    )
    await page.evaluate(`window.kit.disconnect('solana')`)
    expect(await reconnected).toBe('disconnected')
    expect(await page.evaluate(`[window.kit.getAccount('eip155')?.address, window.kit.getProvider('solana')]`)).toEqual(
      [undefined, undefined]
    )
  })

  it('spec_2_26_and_1_4_the_visitor_sends_from_the_modal_and_approves_in_the_frame', async () => {
    const { visit, account } = await loggedIn('sender@example.org')
    const { page, modal } = visit
    await solana.rpc('requestAirdrop', account, 2_000_000_000)
    await page.evaluate(`window.kit.switchNetwork(window.kit.getCaipNetworks('solana')[0])`)
    await expect.poll(() => page.evaluate('window.kit.getAccount().address')).toBe(account)
    const receiver = base58.encode(ed25519.getPublicKey(ed25519.utils.randomPrivateKey()))
    await openSend(visit)
    await fill(visit, '0.5', receiver)
    await review(visit)
    await modal.sendButton.click()
    await approve(visit, '0.5 SOL')
    await expect.poll(() => balanceOf(receiver)).toBe(500_000_000)
    await modal.part('send-sent').and(modal.card.locator('[data-state="confirmed"]')).waitFor()
  })

  it('spec_5_31_sends_a_payment_that_a_real_node_confirms_under_the_signature_that_the_page_gets', async () => {
    const { visit, account } = await loggedIn('payer@example.org')
    await solana.rpc('requestAirdrop', account, 2_000_000_000)
    await expect.poll(() => balanceOf(account)).toBe(2_000_000_000)
    const receiver = base58.encode(ed25519.getPublicKey(ed25519.utils.randomPrivateKey()))
    const node = `/v1?chainId=${solana.id}&projectId=demo`
    const sent = host<string>(visit, 'pay', 'solana:localnet', node, receiver, 1_250_000_000)
    await approve(visit, '1.25 SOL')
    const signature = await sent
    await visit.modal.gone()
    await expect.poll(() => balanceOf(receiver)).toBe(1_250_000_000)
    expect(await balanceOf(account)).toBe(749_995_000)
    const encoding = { encoding: 'base64', maxSupportedTransactionVersion: 0 }
    type Told = { transaction: [string, string]; meta: { err: unknown } }
    const { transaction, meta } = await solana.rpc<Told>('getTransaction', signature, encoding)
    expect(meta.err).toBeNull()
    const bytes = Buffer.from(transaction[0], 'base64')
    expect(base58.encode(bytes.subarray(1, 65))).toBe(signature)
    expect(ed25519.verify(base58.decode(signature), bytes.subarray(65), base58.decode(account))).toBe(true)
  })

  it('spec_5_31_sends_payments_of_web3_js_in_both_forms_by_the_provider', async () => {
    const { visit, account } = await loggedIn('web3@example.org')
    await solana.rpc('requestAirdrop', account, 2_000_000_000)
    await expect.poll(() => balanceOf(account)).toBe(2_000_000_000)
    const node = `/v1?chainId=${solana.id}&projectId=demo`
    for (const form of ['legacy', 'v0']) {
      const receiver = base58.encode(ed25519.getPublicKey(ed25519.utils.randomPrivateKey()))
      const given = [form, node, receiver, 250_000_000].map((one) => JSON.stringify(one))
      const sent = visit.page.evaluate(`window.host.payByWeb3(${[PROVIDER, ...given].join()})`)
      await approve(visit, '0.25 SOL')
      const signature = await sent
      await visit.modal.gone()
      await expect.poll(() => balanceOf(receiver)).toBe(250_000_000)
      const { value } = await solana.rpc<{ value: ({ err: unknown } | null)[] }>('getSignatureStatuses', [signature])
      expect(value[0]?.err).toBeNull()
    }
  })

  it('is seen by the host alone, is back after a reload, and ends with the session', async () => {
    const { visit, account } = await loggedIn('back@example.org')
    const { page } = visit
    expect(await page.evaluate(`${PROVIDER}.wallet.name`)).toBe('Embedded wallet')
    expect(await page.evaluate('window.host.found()')).not.toContain('Embedded wallet')
    expect(await page.evaluate('window.kit.getAddress()')).toMatch(/^0x/)
    await page.reload()
    await connected(visit)
    expect(await provided(visit)).toBe(account)
    expect(await told(visit)).toMatchObject({ address: account, status: 'connected' })
    await page.evaluate(`{
      const { wallet } = window.kept = ${PROVIDER}
      window.told = []
      window.account = wallet.accounts[0]
      wallet.features['standard:events'].on('change', ({ accounts }) => window.told.push(accounts))
    }`)
    await page.evaluate('window.kit.disconnect()')
    await expect.poll(() => page.evaluate(`${PROVIDER} === undefined`)).toBe(true)
    expect(await page.evaluate('window.told')).toEqual([[]])
    const late = `window.kept.wallet.features['solana:signMessage'].signMessage({ account: window.account, message: Uint8Array.of(1) })`
    expect(await page.evaluate(`${late}.then(() => 'signed', ({ code }) => code)`)).toBe(4900)
  })
})
