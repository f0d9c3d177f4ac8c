//! The server's JSON-RPC for Bitcoin, on the regtest chain: payments of another library, from their coins to their confirmation.

import { base64 } from '@scure/base'
import { p2sh, p2tr, p2wpkh, Transaction } from '@scure/btc-signer'
import { afterAll, expect, it } from 'vitest'
import { accountOf, connectOnRegtest, SATS_WALLET } from './pages/bitcoin.ts'
import { caipAddress, withProvider } from './pages/kit.ts'
import { useWorld } from './use-world.ts'
import { type Bitcoin, startBitcoin } from './world/bitcoin.ts'

interface Utxo {
  readonly txid: string
  readonly outputIndex: number
  readonly satoshis: number
  readonly height?: number
}

let bitcoin: Bitcoin

const world = useWorld(async () => {
  bitcoin = await startBitcoin()
  return { bitcoin }
})

afterAll(() => bitcoin?.stop())

async function rpc<T>(method: string, ...params: readonly unknown[]): Promise<T> {
  const response = await fetch(`${world.origin}/v1?chainId=${bitcoin.id}&projectId=demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  })
  const { result, error } = (await response.json()) as { result: T; error?: { code: number; message: string } }
  if (error) throw Object.assign(new Error(error.message), { code: error.code })
  return result
}

it('has the coins of an account, takes a payment once, and tells when it is confirmed', async () => {
  const { address, script, secret } = accountOf('p2wpkh')
  const funds = await bitcoin.fund(address, 100_000)
  const height = await rpc<number>('getblockcount')
  expect(await rpc('getblockhash', 0)).toMatch(new RegExp(`^${bitcoin.id.slice('bip122:'.length)}`))
  const utxos = await rpc<Utxo[]>('getaddressutxos', { addresses: [address] })
  expect(utxos).toMatchObject([{ txid: funds, satoshis: 100_000, height }])
  expect(await rpc('getaddressbalance', { addresses: [address] })).toMatchObject({ balance: 100_000 })
  bitcoin.setFees({ 2: 12.5, 144: 2 })
  expect(await rpc('estimatesmartfee', 6)).toEqual({ feerate: 0.000125, blocks: 2 })

  const pay = (fee: bigint) => {
    const transaction = new Transaction()
    for (const { txid, outputIndex, satoshis } of utxos)
      transaction.addInput({ txid, index: outputIndex, witnessUtxo: { amount: BigInt(satoshis), script } })
    transaction.addOutput({ amount: 100_000n - fee, script })
    transaction.sign(secret)
    transaction.finalize()
    return transaction
  }
  await expect(rpc('sendrawtransaction', pay(50n).hex)).rejects.toMatchObject({
    code: -26,
    message: 'min relay fee not met, 50 < 110'
  })
  const payment = pay(1000n)
  expect(await rpc('sendrawtransaction', payment.hex)).toBe(payment.id)
  expect(await rpc('getrawtransaction', payment.id)).toBe(payment.hex)
  expect(await rpc('getrawtransaction', payment.id, true)).toEqual({ txid: payment.id })
  const [{ outputIndex: vout = 0 } = {}] = utxos
  expect(await rpc('gettxspendingprevout', [{ txid: funds, vout }])).toEqual([
    { txid: funds, vout, spendingtxid: payment.id }
  ])
  await bitcoin.mine()
  await expect
    .poll(() => rpc('getrawtransaction', payment.id, true))
    .toMatchObject({ txid: payment.id, blockheight: height + 1, blockhash: await rpc('getblockhash', height + 1) })
  expect(await rpc('getaddressbalance', { addresses: [address] })).toMatchObject({ balance: 99_000 })
  await expect(rpc('sendrawtransaction', pay(2000n).hex)).rejects.toMatchObject({ code: -25 })
  await expect(rpc('getrawtransaction', 'ab'.repeat(32), true)).rejects.toMatchObject({ code: -5 })
})

it.each(['p2wpkh', 'p2sh', 'p2tr'] as const)(
  'a host pays with a wallet whose address is of the kind %s',
  async (kind) => {
    const visit = await connectOnRegtest(world, SATS_WALLET, kind)
    const { address, publicKey, script } = accountOf(kind)
    expect(await caipAddress(visit)).toBe(`${bitcoin.id}:${address}`)

    const txid = await bitcoin.fund(address, 70_000)
    const coins = await rpc<Utxo[]>('getaddressutxos', { addresses: [address] })
    const index = coins.find((coin) => coin.txid === txid)?.outputIndex ?? -1
    const spend = { p2wpkh: p2wpkh, p2sh: (key: Uint8Array) => p2sh(p2wpkh(key)), p2tr: p2tr }[kind](publicKey)
    const payment = new Transaction()
    payment.addInput({ ...spend, txid, index, witnessUtxo: { amount: 70_000n, script } })
    payment.addOutput({ amount: 69_000n, script })
    const psbt = base64.encode(payment.toPSBT())
    const given = JSON.stringify({ psbt, signInputs: [{ index: 0, address }], broadcast: true })
    const answer = withProvider<{ txid: string }>(visit, 'bip122', `return provider.signPSBT(${given})`)
    await visit.wallet.approve('transaction')
    const { txid: sent } = await answer
    expect(await bitcoin.read(`/tx/${sent}`)).toMatchObject({ fee: 1000, status: { confirmed: false } })
    expect(visit.strangers()).toEqual([])
  }
)
