//! Payments on Bitcoin, as a visitor makes them: from the account's Send button to a transaction in a block of a real chain.

import type { PaymentKind } from '@portico/testkit'
import { Transaction } from '@scure/btc-signer'
import { afterAll, describe, expect, it } from 'vitest'
import { accountOf, BITCOIN_WALLET, connectOnRegtest, nextLook, SATS_WALLET, stranger } from './pages/bitcoin.ts'
import { connected, openAccount } from './pages/journey.ts'
import { askToSend, confirmAndSign, fill, inState, openSend, pay, review } from './pages/send.ts'
import { useWorld } from './use-world.ts'
import { REGTEST } from './world/bitcoin/shapes.ts'
import { type Bitcoin, startBitcoin } from './world/bitcoin.ts'
import type { Visit } from './world/visit.ts'

type Mode = 'other' | 'sighash' | 'some' | 'final'

let bitcoin: Bitcoin

const world = useWorld(async () => {
  bitcoin = await startBitcoin()
  return { bitcoin }
})

afterAll(() => bitcoin?.stop())

/** Visit of somebody who has 200,000 satoshis more and connected a wallet. */
async function funded(kind: PaymentKind = 'p2wpkh', wallet = BITCOIN_WALLET): Promise<Visit> {
  await bitcoin.fund(accountOf(kind).address, 200_000)
  return connectOnRegtest(world, wallet, kind)
}

interface Stats {
  readonly funded_txo_sum: number
  readonly spent_txo_sum: number
}

async function balanceOf(address: string): Promise<number> {
  const told = await bitcoin.read<{ chain_stats: Stats; mempool_stats: Stats }>(`/address/${address}`)
  const left = ({ funded_txo_sum, spent_txo_sum }: Stats) => funded_txo_sum - spent_txo_sum
  return left(told.chain_stats) + left(told.mempool_stats)
}

/** Has the visitor sign a payment that the host asked for; resolves with the id that the host gets. */
async function sentByHost(visit: Visit, amount: string, to: string): Promise<string> {
  const told = askToSend(visit, { amount, to, namespace: 'bip122' })
  await review(visit)
  await confirmAndSign(visit)
  await inState(visit, 'pending')
  return ((await told) as { hash: string }).hash
}

const setMode = ({ page }: Visit, mode: Mode) =>
  page.evaluate((mode) => window.demoBitcoin?.controls.setMode(mode), mode)

describe('a payment on Bitcoin', () => {
  it.each([
    [BITCOIN_WALLET, 'p2wpkh'],
    [SATS_WALLET, 'p2sh'],
    [SATS_WALLET, 'p2tr']
  ] as const)('spec_1_4_coins_go_from_the_send_button_into_a_block: %s, %s', async (wallet, kind) => {
    const visit = await funded(kind, wallet)
    const before = await balanceOf(accountOf(kind).address)
    const receiver = stranger(wallet === BITCOIN_WALLET ? 91 : 92)
    const had = await balanceOf(receiver)
    await openSend(visit)
    await fill(visit, '0.0005', receiver)
    await review(visit)
    await visit.modal.says(receiver)
    await confirmAndSign(visit)
    await inState(visit, 'pending')
    expect(await balanceOf(receiver)).toBe(had + 50_000)
    await bitcoin.mine()
    await nextLook(visit)
    await inState(visit, 'confirmed')
    const spent = before - (await balanceOf(accountOf(kind).address))
    expect(spent).toBeGreaterThan(50_000)
    expect(spent).toBeLessThan(51_500)
    expect(visit.strangers()).toEqual([])
  })

  it('the visitor chooses the fee, and the maximum leaves nothing behind', async () => {
    const visit = await funded()
    const own = accountOf('p2wpkh').address
    const receiver = stranger(93)
    const before = await balanceOf(own)
    await openSend(visit)
    await visit.modal.receiver.fill(receiver)
    await visit.modal.part('send-max').click()
    await visit.modal.part('send-speed-slow').check()
    await review(visit)
    await confirmAndSign(visit)
    await inState(visit, 'pending')
    const paid = await balanceOf(receiver)
    expect(await balanceOf(own)).toBe(0)
    // At 1.5 satoshis a byte.
    expect(before - paid).toBeLessThan(1_500)
    await bitcoin.mine()
  })

  it('a receiver of another network, and too little, are refused in plain words', async () => {
    const visit = await funded()
    await openSend(visit)
    for (const [amount, receiver, words] of [
      ['0.001', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'This address is for another network'],
      ['0.001', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'another Bitcoin network'],
      ['0.001', accountOf('p2wpkh').address, 'This is your own address'],
      ['0.000001', stranger(94), 'Send at least 0.00000294']
    ] as const) {
      await fill(visit, amount, receiver)
      await visit.modal.receiver.blur()
      await visit.modal.says(words)
    }
  })

  it('a refusal in the wallet sends nothing, and the same button tries again', async () => {
    const visit = await funded()
    const receiver = stranger(95)
    await openSend(visit)
    await fill(visit, '0.0003', receiver)
    await review(visit)
    await visit.modal.sendButton.click()
    await visit.wallet.refuse('transaction')
    await visit.modal.says('You declined the transaction. Nothing was sent.')
    expect(await balanceOf(receiver)).toBe(0)
    await visit.modal.tryAgain.click()
    await visit.wallet.approve('transaction')
    await inState(visit, 'pending')
    expect(await balanceOf(receiver)).toBe(30_000)
    await bitcoin.mine()
  })

  it.each([
    ['other', 'The wallet signed another transaction'],
    ['sighash', "Your wallet didn't sign the transaction. Nothing was sent."],
    ['some', "Your wallet didn't sign the transaction. Nothing was sent."]
  ] as const)('a wallet that answers wrongly sends nothing: %s', async (mode, words) => {
    const visit = await funded()
    const receiver = stranger(96)
    await setMode(visit, mode)
    await openSend(visit)
    await pay(visit, '0.0003', receiver)
    await visit.modal.says(words)
    expect(await balanceOf(receiver)).toBe(0)
  })

  it('a wallet that answers with finished inputs has signed the payment', async () => {
    const visit = await funded()
    const receiver = stranger(102)
    await setMode(visit, 'final')
    await openSend(visit)
    await pay(visit, '0.0003', receiver)
    await inState(visit, 'pending')
    expect(await balanceOf(receiver)).toBe(30_000)
    await bitcoin.mine()
  })

  it('a payment that another wallet replaces by a dearer one is said to be replaced', async () => {
    const visit = await funded()
    const receiver = stranger(100)
    const hash = await sentByHost(visit, '0.0006', receiver)
    const other = await replace(hash)
    expect(await balanceOf(receiver)).toBe(0)
    await bitcoin.mine()
    await nextLook(visit)
    await inState(visit, 'replaced')
    // Words for a network without an explorer.
    await visit.modal.says('Check in your wallet what the new one did before you try again.')
    expect(await bitcoin.read(`/tx/${other}`)).toMatchObject({ status: { confirmed: true } })
  })

  it('a payment that spends coins in no block yet is warned of, and goes into a block after them', async () => {
    const visit = await funded()
    const own = accountOf('p2wpkh').address
    const confirmed = await balanceOf(own)
    await bitcoin.fund(own, 90_000, { confirmed: false })
    const receiver = stranger(101)
    const warning = visit.modal.card.getByText("Part of your coins isn't confirmed yet.")
    await openSend(visit)
    await fill(visit, '0.0001', receiver)
    await visit.modal.receiver.blur()
    await visit.modal.says('First time sending to this address')
    expect(await warning.count()).toBe(0)
    await visit.modal.amount.fill(((confirmed + 50_000) / 1e8).toFixed(8))
    await warning.waitFor()
    await review(visit)
    await warning.waitFor()
    await confirmAndSign(visit)
    await inState(visit, 'pending')
    await bitcoin.mine()
    await nextLook(visit)
    await inState(visit, 'confirmed')
    expect(await balanceOf(receiver)).toBe(confirmed + 50_000)
  })

  it('the host opens the form filled in and gets the id, and a payment that a node loses is sent again', async () => {
    const visit = await funded()
    const receiver = stranger(97)
    const hash = await sentByHost(visit, '0.0004', receiver)
    expect(await bitcoin.read(`/tx/${hash}`)).toMatchObject({ status: { confirmed: false } })
    // The node loses it, and it is sent again.
    bitcoin.drop(hash)
    expect(bitcoin.unconfirmed).toBe(0)
    await nextLook(visit)
    await expect.poll(() => bitcoin.unconfirmed, { timeout: 25_000 }).toBe(1)
    await bitcoin.mine()
    await nextLook(visit)
    await inState(visit, 'confirmed')
  })

  it('a payment that is in no block before a reload is on its way after it, is sent again and told once it is in one', async () => {
    const visit = await funded()
    const receiver = stranger(98)
    await openSend(visit)
    await pay(visit, '0.0007', receiver)
    await inState(visit, 'pending')
    const left = await balanceOf(accountOf('p2wpkh').address)
    await visit.page.reload()
    await connected(visit)
    await openAccount(visit)
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
    const pending = visit.modal.part('activity-pending')
    await pending.filter({ hasText: '−0.0007 BTC' }).getByRole('button').click()
    const hash = (await visit.modal.part('detail-hash').textContent()) ?? ''
    bitcoin.drop(hash)
    expect(await balanceOf(receiver)).toBe(0)
    await nextLook(visit)
    await expect.poll(() => balanceOf(receiver), { timeout: 25_000 }).toBe(70_000)
    expect(await balanceOf(accountOf('p2wpkh').address)).toBe(left)
    await bitcoin.mine()
    await nextLook(visit)
    await visit.modal.snacks('Transaction confirmed')
    await visit.page.reload()
    await connected(visit)
    await openAccount(visit)
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
    expect(await pending.count()).toBe(0)
  })
})

/** Spends the outputs that a payment spends at ten times its fee, as the account's wallet on another device could. Resolves with the id. */
async function replace(hash: string): Promise<string> {
  const { fee, vin } = await bitcoin.read<{
    fee: number
    vin: readonly { readonly txid: string; readonly vout: number; readonly prevout: { readonly value: number } }[]
  }>(`/tx/${hash}`)
  const { script, secret, address } = accountOf('p2wpkh')
  const transaction = new Transaction()
  for (const { txid, vout, prevout } of vin)
    transaction.addInput({ txid, index: vout, witnessUtxo: { amount: BigInt(prevout.value), script } })
  const sum = vin.reduce((all, { prevout }) => all + prevout.value, 0)
  transaction.addOutputAddress(address, BigInt(sum - 10 * fee), REGTEST)
  transaction.sign(secret)
  transaction.finalize()
  const answer = await fetch(`${bitcoin.url}/tx`, { method: 'POST', body: transaction.hex })
  expect(await answer.text()).toBe(transaction.id)
  return transaction.id
}
