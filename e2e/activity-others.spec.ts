//! Activity of accounts on Solana and Bitcoin, after payments on real chains behind the real server.

import { ed25519 } from '@noble/curves/ed25519'
import { SOLANA_TEST_KEYS } from '@portico/testkit'
import { base58 } from '@scure/base'
import type { Locator } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { accountOf, BITCOIN_WALLET, connectOnRegtest, stranger } from './pages/bitcoin.ts'
import { connect, openAccount } from './pages/journey.ts'
import { chooseToken, inState, openSend, pay } from './pages/send.ts'
import { useWorld } from './use-world.ts'
import { type Bitcoin, startBitcoin } from './world/bitcoin.ts'
import { giveToken, type Solana, startSolana } from './world/solana.ts'
import type { Visit } from './world/visit.ts'

let solana: Solana
let bitcoin: Bitcoin

const world = useWorld(async () => {
  ;[solana, bitcoin] = await Promise.all([startSolana(), startBitcoin()])
  return { solana, bitcoin }
})

afterAll(() => Promise.all([solana?.stop(), bitcoin?.stop()]))

/** Visit of somebody with two coins and 100 of a token on Solana. */
async function onSolana(): Promise<{ visit: Visit; address: string }> {
  const visit = await world.visit(`/?relays=off&solana=${solana.id.slice('solana:'.length)}`, { alone: true })
  const [address = ''] = await visit.page.evaluate(() => window.demoSolana?.controls.addresses ?? [])
  await solana.rpc('requestAirdrop', address, 2_000_000_000)
  await giveToken(solana, address)
  await connect(visit, 'solana:demo solana wallet')
  return { visit, address }
}

/** Pays, and goes from the receipt back to the account. */
async function payAndReturn(visit: Visit, amount: string, receiver: string, state: string): Promise<void> {
  await pay(visit, amount, receiver)
  await inState(visit, state)
  await visit.modal.part('send-done').click()
}

/** Rows of the activity with this text. */
function rows({ modal }: Visit, text: string): Locator {
  return modal.card.getByTestId('activity-item').filter({ hasText: text })
}

async function openActivity({ modal }: Visit): Promise<void> {
  await modal.card.getByRole('tab', { name: 'Activity' }).click()
}

/** Month of a time in seconds, as a heading says it. */
const monthOf = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString('en-US', { month: 'long', year: 'numeric' })

/** Signature of the last transaction of an account on Solana. */
async function lastSignature(address: string): Promise<string> {
  type Listed = readonly { readonly signature: string }[]
  const listed = await solana.rpc<Listed>('getSignaturesForAddress', address, { limit: 1, commitment: 'confirmed' })
  return listed[0]?.signature ?? ''
}

/** Time of a transaction as the node tells it. Surfpool's is not in seconds, so its months are in 1970. */
async function timeOf(signature: string): Promise<number> {
  type Told = { readonly blockTime: number }
  const how = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  return (await solana.rpc<Told>('getTransaction', signature, how)).blockTime
}

const solanaStranger = (byte: number) => base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(byte)))

/** Sends a transaction of one instruction, which the account of a test key signs and pays for. */
async function order(key: Uint8Array, accounts: readonly string[], program: string, data: Uint8Array): Promise<void> {
  const own = ed25519.getPublicKey(key)
  const { value } = await solana.rpc<{ value: { blockhash: string } }>('getLatestBlockhash')
  const keys = [own, ...[...accounts, program].map((account) => base58.decode(account))]
  const places = [0, ...accounts.map((_, at) => at + 1)]
  const called = [1, keys.length - 1, places.length, ...places, data.length, ...data]
  const header = [1, 0, 1, keys.length, ...keys.flatMap((key) => [...key])]
  const message = Uint8Array.from([...header, ...base58.decode(value.blockhash), ...called])
  const signed = Buffer.from([1, ...ed25519.sign(message, key), ...message]).toString('base64')
  await solana.rpc('sendTransaction', signed, { encoding: 'base64', skipPreflight: true })
}

it('a payment on solana that failed and a transaction that cost only its fee are told as such', async () => {
  const { visit } = await onSolana()
  const { modal } = visit
  const key = SOLANA_TEST_KEYS[0] as Uint8Array
  const friend = solanaStranger(124)
  const transfer = Buffer.alloc(12)
  transfer.writeUInt32LE(2)
  transfer.writeBigUInt64LE(900_000_000_000n, 4)
  await order(key, [friend], '11111111111111111111111111111111', transfer)
  const units = Uint8Array.of(2, 64, 13, 3, 0)
  await order(key, [], 'ComputeBudget111111111111111111111111111111', units)
  await openAccount(visit)
  await openActivity(visit)
  const called = rows(visit, 'Program call')
  await called.waitFor()
  expect(await called.textContent()).not.toMatch(/Failed|SOL/)
  await rows(visit, 'Failed').getByRole('button').click()
  await modal.says('Network fee')
  await modal.says('0.000005 SOL')
  expect(await modal.part('detail-other').textContent()).toBe(friend)
  expect(await modal.card.locator('.hero').textContent()).toBe('Failed')
})

it('spec_2_9_payments_on_solana_of_coins_and_of_a_token_are_in_the_activity_with_their_details', async () => {
  const { visit, address } = await onSolana()
  const { modal } = visit
  const [friend, other] = [solanaStranger(121), solanaStranger(122)]
  await openSend(visit)
  await payAndReturn(visit, '0.5', friend, 'confirmed')
  await openActivity(visit)
  await rows(visit, '−0.500 SOL').waitFor()
  const month = monthOf(await timeOf(await lastSignature(address)))
  expect(await modal.part('group-title').allTextContents()).toEqual([month])
  await modal.part('wallet-features-send-button').click()
  await chooseToken(visit, 'USDC', 'USD Coin')
  await payAndReturn(visit, '40.5', other, 'confirmed')
  // The list is the one that was shown before: it is asked for anew.
  const paid = rows(visit, '−40.500 USDC')
  await paid.waitFor()
  expect((await modal.part('activity-item').allTextContents()).slice(0, 2)).toMatchObject([
    expect.stringContaining('−40.500 USDC'),
    expect.stringContaining('−0.500 SOL')
  ])
  expect(await rows(visit, '+2.000 SOL').first().textContent()).toContain('Received')
  await paid.getByRole('button').click()
  await expect.poll(() => modal.title.textContent()).toBe('Transaction')
  expect(await modal.part('detail-other').textContent()).toBe(other)
  expect(await modal.part('detail-token-contract').textContent()).toMatch(/^EPjF/)
  await modal.says('USDC address')
  await modal.says(/^0\.00000\d+ SOL$/)
  const signature = await modal.part('detail-hash').textContent()
  expect(await lastSignature(address)).toBe(signature)
  expect(visit.strangers()).toEqual([])
})

it('spec_2_9_a_payment_on_bitcoin_is_in_the_activity_before_and_after_its_block_beside_what_was_received', async () => {
  const own = accountOf('p2wpkh').address
  const shop = stranger(123)
  await bitcoin.fund(own, 200_000)
  await bitcoin.fund(own, 70_000, { confirmed: false })
  const visit = await connectOnRegtest(world, BITCOIN_WALLET, 'p2wpkh')
  const { modal } = visit
  await openAccount(visit)
  await openActivity(visit)
  const received = rows(visit, '+0.002 BTC')
  await received.waitFor()
  expect(await received.textContent()).toMatch(/^(?!.*Pending).*Received/)
  expect(await rows(visit, '+0.0007 BTC').textContent()).toContain('Pending')
  await modal.part('wallet-features-send-button').click()
  await payAndReturn(visit, '0.0005', shop, 'pending')
  await modal.part('activity-pending').filter({ hasText: '−0.0005 BTC' }).waitFor()
  const sent = rows(visit, '−0.0005 BTC')
  expect(await sent.count()).toBe(0)
  await bitcoin.mine()
  await sent.filter({ hasNotText: 'Pending' }).waitFor()
  await rows(visit, '+0.0007 BTC').filter({ hasNotText: 'Pending' }).waitFor()
  expect(await modal.part('activity-pending').count()).toBe(0)
  expect(await modal.part('group-title').first().textContent()).toBe(monthOf(Date.now() / 1000))
  await sent.getByRole('button').click()
  await modal.says('Transaction ID')
  expect(await modal.part('detail-other').textContent()).toBe(shop)
  const id = await modal.part('detail-hash').textContent()
  expect(await bitcoin.read(`/tx/${id}`)).toMatchObject({ status: { confirmed: true } })
  expect(visit.strangers()).toEqual([])
})
