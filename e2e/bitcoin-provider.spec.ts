//! Transactions that a host has a Bitcoin wallet send through the page's provider, on a real chain.

import type { BitcoinKey, PaymentKind } from '@portico/testkit'
import { base64 } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { afterAll, describe, expect, it } from 'vitest'
import { accountOf, connectOnRegtest, SATS_WALLET, stranger } from './pages/bitcoin.ts'
import { useWorld } from './use-world.ts'
import { REGTEST } from './world/bitcoin/shapes.ts'
import { type Bitcoin, startBitcoin } from './world/bitcoin.ts'
import type { Visit } from './world/visit.ts'

let bitcoin: Bitcoin

const world = useWorld(async () => {
  bitcoin = await startBitcoin()
  return { bitcoin }
})

afterAll(() => bitcoin?.stop())

/** Visit of somebody whose account has 60,000 satoshis more and who connected a wallet of sats-connect. */
async function funded(kind: PaymentKind): Promise<{ visit: Visit; own: BitcoinKey }> {
  const own = accountOf(kind)
  await bitcoin.fund(own.address, 60_000)
  return { visit: await connectOnRegtest(world, SATS_WALLET, kind), own }
}

/** Calls a method of the provider that the page receives. */
const call = <T>({ page }: Visit, method: string, given: unknown): Promise<T> =>
  page.evaluate(`window.kit.getProvider('bip122').${method}(${JSON.stringify(given)})`)

interface Told {
  readonly status: { readonly confirmed: boolean }
  readonly vin: readonly { readonly prevout: { readonly scriptpubkey_address: string } }[]
  readonly vout: readonly { readonly scriptpubkey_address: string; readonly value: number }[]
}

describe.each(['p2wpkh', 'p2sh', 'p2tr'] as const)('a wallet with payments to %s', (kind) => {
  it('sends satoshis by sendTransfer, and the chain has the transaction of the id', async () => {
    const { visit, own } = await funded(kind)
    const recipient = stranger(71, 'p2tr')
    const sent = call<string>(visit, 'sendTransfer', { recipient, amount: '25000' })
    await visit.wallet.asks('transaction').getByText('25000 satoshis').waitFor()
    await visit.wallet.approve('transaction')
    const told = await bitcoin.read<Told>(`/tx/${await sent}`)
    expect(told.vout[0]).toMatchObject({ scriptpubkey_address: recipient, value: 25_000 })
    expect(new Set(told.vin.map(({ prevout }) => prevout.scriptpubkey_address))).toEqual(new Set([own.address]))
    await bitcoin.mine()
    expect(await bitcoin.read(`/tx/${await sent}`)).toMatchObject({ status: { confirmed: true } })
    expect(visit.strangers()).toEqual([])
  })

  it('sends a transaction that it signs by signPSBT, and the chain has that one', async () => {
    const { visit, own } = await funded(kind)
    const transaction = await paying(own, kind)
    const { id } = transaction
    const sent = call<{ psbt: string; txid: string }>(visit, 'signPSBT', {
      psbt: base64.encode(transaction.toPSBT()),
      signInputs: Array.from({ length: transaction.inputsLength }, (_, index) => ({ index, address: own.address })),
      broadcast: true
    })
    await visit.wallet.approve('transaction')
    const { psbt, txid } = await sent
    expect(Transaction.fromPSBT(base64.decode(psbt)).id).toBe(txid)
    // The id of a nested account's transaction includes the scripts of its inputs, which are not there before.
    if (kind !== 'p2sh') expect(txid).toBe(id)
    expect(await bitcoin.read(`/tx/${txid}`)).toMatchObject({
      status: { confirmed: false },
      vout: [{ scriptpubkey_address: stranger(72), value: 30_000 }, {}]
    })
    await bitcoin.mine()
  })
})

/** Payment of 30,000 satoshis from all outputs of an account, which another library writes. */
async function paying(own: BitcoinKey, kind: PaymentKind): Promise<Transaction> {
  const funds = await bitcoin.read<{ txid: string; vout: number; value: number }[]>(`/address/${own.address}/utxo`)
  const plain = accountOf('p2wpkh')
  const more = { p2wpkh: {}, p2sh: { redeemScript: plain.script }, p2tr: { tapInternalKey: own.publicKey } }[kind]
  const transaction = new Transaction()
  for (const { txid, vout, value } of funds)
    transaction.addInput({ txid, index: vout, witnessUtxo: { amount: BigInt(value), script: own.script }, ...more })
  const sum = funds.reduce((all, { value }) => all + BigInt(value), 0n)
  transaction.addOutputAddress(stranger(72), 30_000n, REGTEST)
  transaction.addOutputAddress(own.address, sum - 32_000n, REGTEST)
  return transaction
}
