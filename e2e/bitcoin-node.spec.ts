//! The regtest chain of the tests, over each path of its node: payments by another library, unconfirmed, confirmed and refused.

import { schnorr, secp256k1 } from '@noble/curves/secp256k1'
import { p2sh, p2tr, p2wpkh, Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REGTEST } from './world/bitcoin/shapes.ts'
import { type Bitcoin, startBitcoin } from './world/bitcoin.ts'

interface Status {
  readonly confirmed: boolean
  readonly block_height?: number
  readonly block_hash?: string
  readonly block_time?: number
}

interface Utxo {
  readonly txid: string
  readonly vout: number
  readonly value: number
  readonly status: Status
}

interface Told {
  readonly txid: string
  readonly fee: number
  readonly weight: number
  readonly size: number
  readonly vin: readonly Record<string, unknown>[]
  readonly vout: readonly Record<string, unknown>[]
  readonly status: Status
}

interface Stats {
  readonly chain_stats: Record<string, number>
  readonly mempool_stats: Record<string, number>
}

/** Receiver of all payments. */
const SHOP = p2wpkh(secp256k1.getPublicKey(new Uint8Array(32).fill(41), true), REGTEST)

let bitcoin: Bitcoin
let accounts = 0

beforeAll(async () => {
  bitcoin = await startBitcoin()
})

afterAll(() => bitcoin.stop())

/** Account of each kind, of a key that no other test has. */
function account(kind: 'p2wpkh' | 'p2tr' | 'p2sh' = 'p2wpkh') {
  accounts += 1
  const secret = new Uint8Array(32).fill(7).fill(accounts, 30)
  const key = secp256k1.getPublicKey(secret, true)
  const payment = {
    p2wpkh: () => p2wpkh(key, REGTEST),
    p2sh: () => p2sh(p2wpkh(key, REGTEST), REGTEST),
    p2tr: () => p2tr(schnorr.getPublicKey(secret), undefined, REGTEST)
  }[kind]()
  return { secret, payment, address: payment.address ?? '' }
}

type Account = ReturnType<typeof account>

interface Funds {
  readonly txid: string
  readonly vout: number
  readonly value: number
}

/** Account with 100 000 satoshis in one output. */
async function funded(kind?: 'p2wpkh' | 'p2tr' | 'p2sh') {
  const owner = account(kind)
  await bitcoin.fund(owner.address, 100_000)
  const [funds] = await bitcoin.read<Utxo[]>(`/address/${owner.address}/utxo`)
  if (!funds) throw new Error('Nothing was funded')
  return { owner, funds }
}

/** Payment to the shop of all but the fee, signed. */
function paid(
  { secret, payment }: Account,
  { txid, vout, value }: Funds,
  fee: number,
  sequence = 0xfffffffd
): Transaction {
  const transaction = new Transaction()
  transaction.addInput({
    ...payment,
    txid,
    index: vout,
    sequence,
    witnessUtxo: { amount: BigInt(value), script: payment.script }
  })
  transaction.addOutput({ amount: BigInt(value - fee), script: SHOP.script })
  transaction.sign(secret)
  transaction.finalize()
  return transaction
}

async function post(hex: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`${bitcoin.url}/tx`, { method: 'POST', body: hex })
  return { status: response.status, body: await response.text() }
}

const refused = (code: number, message: string) => ({
  status: 400,
  body: `sendrawtransaction RPC error: {"code":${code},"message":"${message}"}`
})

describe('the chain', () => {
  it('begins with the genesis block of regtest and grows when blocks are mined', async () => {
    expect(bitcoin.id).toBe('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
    expect(await bitcoin.read('/block-height/0')).toBe(
      '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'
    )
    const height = Number(await bitcoin.read('/blocks/tip/height'))
    await bitcoin.mine(3)
    expect(await bitcoin.read('/blocks/tip/height')).toBe(String(height + 3))
    expect(await bitcoin.read(`/block-height/${height + 3}`)).toBe(await bitcoin.read('/blocks/tip/hash'))
    await expect(bitcoin.read(`/block-height/${height + 4}`)).rejects.toThrow('404 Block not found')
  })

  it('has the fees that a test sets', async () => {
    expect(await bitcoin.read('/fee-estimates')).toMatchObject({ 1: 8, 144: 1.5 })
    bitcoin.setFees({ 2: 87.882 })
    expect(await bitcoin.read('/fee-estimates')).toEqual({ 2: 87.882 })
  })

  it('has nothing for unknown transactions and addresses', async () => {
    const unknown = 'ab'.repeat(32)
    for (const path of [`/tx/${unknown}`, `/tx/${unknown}/hex`])
      await expect(bitcoin.read(path)).rejects.toThrow('404 Transaction not found')
    expect(await bitcoin.read(`/tx/${unknown}/outspend/0`)).toEqual({ spent: false })
    const { address } = account()
    expect(await bitcoin.read(`/address/${address}/utxo`)).toEqual([])
    const mainnet = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    await expect(bitcoin.read(`/address/${mainnet}`)).rejects.toThrow('400 Invalid Bitcoin address')
  })
})

describe('a payment', () => {
  it('is unconfirmed until a block is mined, on every path', async () => {
    const { owner, funds } = await funded()
    expect(funds).toMatchObject({ value: 100_000, status: { confirmed: true } })
    const payment = paid(owner, funds, 500)
    expect(await post(payment.hex)).toEqual({ status: 200, body: payment.id })

    expect(await bitcoin.read(`/tx/${payment.id}/hex`)).toBe(payment.hex)
    const told = await bitcoin.read<Told>(`/tx/${payment.id}`)
    expect(told).toMatchObject({
      txid: payment.id,
      version: 2,
      locktime: 0,
      fee: 500,
      weight: payment.weight,
      size: payment.hex.length / 2,
      status: { confirmed: false }
    })
    expect(told.vin).toMatchObject([
      {
        txid: funds.txid,
        vout: funds.vout,
        sequence: 0xfffffffd,
        is_coinbase: false,
        scriptsig: '',
        prevout: { scriptpubkey_address: owner.address, scriptpubkey_type: 'v0_p2wpkh', value: 100_000 }
      }
    ])
    const hash = Buffer.from(SHOP.hash).toString('hex')
    expect(told.vout).toEqual([
      {
        scriptpubkey: `0014${hash}`,
        scriptpubkey_asm: `OP_0 OP_PUSHBYTES_20 ${hash}`,
        scriptpubkey_type: 'v0_p2wpkh',
        scriptpubkey_address: SHOP.address,
        value: 99_500
      }
    ])
    const outspend = `/tx/${funds.txid}/outspend/${funds.vout}`
    expect(await bitcoin.read(outspend)).toEqual({
      spent: true,
      txid: payment.id,
      vin: 0,
      status: { confirmed: false }
    })
    expect(await bitcoin.read(`/address/${owner.address}/utxo`)).toEqual([])
    const isReceived = ({ txid }: Utxo) => txid === payment.id
    const received = async () => (await bitcoin.read<Utxo[]>(`/address/${SHOP.address}/utxo`)).find(isReceived)
    expect(await received()).toEqual({ txid: payment.id, vout: 0, value: 99_500, status: { confirmed: false } })
    const stats = () => bitcoin.read<Stats>(`/address/${owner.address}`)
    expect(await stats()).toEqual({
      address: owner.address,
      chain_stats: { funded_txo_count: 1, funded_txo_sum: 100_000, spent_txo_count: 0, spent_txo_sum: 0, tx_count: 1 },
      mempool_stats: { funded_txo_count: 0, funded_txo_sum: 0, spent_txo_count: 1, spent_txo_sum: 100_000, tx_count: 1 }
    })
    const history = async (more = '') =>
      (await bitcoin.read<Told[]>(`/address/${owner.address}/txs${more}`)).map(({ txid }) => txid)
    expect(await history()).toEqual([payment.id, funds.txid])
    expect(await history('/chain')).toEqual([funds.txid])

    await bitcoin.mine()
    const height = Number(await bitcoin.read('/blocks/tip/height'))
    const { status } = await bitcoin.read<Told>(`/tx/${payment.id}`)
    expect(status).toMatchObject({
      confirmed: true,
      block_height: height,
      block_hash: await bitcoin.read(`/block-height/${height}`)
    })
    expect(Math.abs((status.block_time ?? 0) - Date.now() / 1000)).toBeLessThan(60)
    expect(await bitcoin.read(outspend)).toMatchObject({ spent: true, status: { confirmed: true } })
    expect((await received())?.status).toEqual(status)
    expect((await stats()).mempool_stats).toMatchObject({ spent_txo_count: 0, tx_count: 0 })
    expect((await stats()).chain_stats).toMatchObject({ spent_txo_sum: 100_000, tx_count: 2 })
    expect(await history(`/chain/${payment.id}`)).toEqual([funds.txid])
    expect(await history(`/chain/${funds.txid}`)).toEqual([])
  })

  it.each(['p2sh', 'p2tr'] as const)('can spend coins of an address of the kind %s', async (kind) => {
    const { owner, funds } = await funded(kind)
    expect(owner.address).toMatch(kind === 'p2sh' ? /^2/ : /^bcrt1p/)
    const payment = paid(owner, funds, 500)
    expect(await post(payment.hex)).toEqual({ status: 200, body: payment.id })
    await bitcoin.mine()
    expect(await bitcoin.read(`/tx/${payment.id}`)).toMatchObject({
      status: { confirmed: true },
      vin: [{ prevout: { scriptpubkey_address: owner.address } }]
    })
  })

  it('has a history of 25 confirmed transactions for each request', async () => {
    const { address } = account()
    for (let times = 0; times < 30; times += 1)
      await bitcoin.fund(address, 1000 + times, { confirmed: times % 5 === 4 })
    const first = await bitcoin.read<Told[]>(`/address/${address}/txs`)
    expect(first.length).toBe(25)
    const second = await bitcoin.read<Told[]>(`/address/${address}/txs/chain/${first.at(-1)?.txid}`)
    expect(new Set([...first, ...second].map(({ txid }) => txid)).size).toBe(30)
  })

  it('can be received unconfirmed, and forgotten by the node', async () => {
    const { address } = account()
    const txid = await bitcoin.fund(address, 5000, { confirmed: false })
    expect(await bitcoin.read(`/address/${address}`)).toMatchObject({ mempool_stats: { funded_txo_sum: 5000 } })
    bitcoin.drop(txid)
    expect(await bitcoin.read(`/address/${address}/utxo`)).toEqual([])
    await expect(bitcoin.read(`/tx/${txid}`)).rejects.toThrow('404')
  })
})

describe('a payment is refused', () => {
  it('that is no transaction', async () => {
    const message = 'TX decode failed. Make sure the tx has at least one input.'
    for (const hex of ['', 'xyz', '00', `02000000${'00'.repeat(10)}`])
      expect(await post(hex)).toEqual(refused(-22, message))
  })

  it('with a fee below the lowest one, with one that can only be a mistake, and with dust', async () => {
    const { owner, funds } = await funded()
    const { body } = await post(paid(owner, funds, 100).hex)
    expect(body).toBe(refused(-26, 'min relay fee not met, 100 < 110').body)
    const rich = account()
    await bitcoin.fund(rich.address, 10_000_000)
    const [riches] = await bitcoin.read<Utxo[]>(`/address/${rich.address}/utxo`)
    expect(await post(paid(rich, riches as Utxo, 2_000_000).hex)).toEqual(
      refused(-25, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)')
    )
    expect(await post(paid(owner, funds, 99_800).hex)).toEqual(refused(-26, 'dust'))
  })

  it('that spends what was spent in a block, or never was there', async () => {
    const { owner, funds } = await funded()
    expect((await post(paid(owner, funds, 500).hex)).status).toBe(200)
    await bitcoin.mine()
    expect(await post(paid(owner, funds, 5000).hex)).toEqual(refused(-25, 'bad-txns-inputs-missingorspent'))
    const nowhere = { ...funds, txid: 'ab'.repeat(32) }
    expect(await post(paid(owner, nowhere, 500).hex)).toEqual(refused(-25, 'bad-txns-inputs-missingorspent'))
  })

  it('that is in a block already; one that is unconfirmed is accepted again', async () => {
    const { owner, funds } = await funded()
    const payment = paid(owner, funds, 500)
    expect(await post(payment.hex)).toEqual({ status: 200, body: payment.id })
    expect(await post(payment.hex)).toEqual({ status: 200, body: payment.id })
    await bitcoin.mine()
    expect(await post(payment.hex)).toEqual(refused(-27, 'Transaction outputs already in utxo set'))
  })

  it.each(['p2wpkh', 'p2sh', 'p2tr'] as const)(
    'whose signature is of another key, for an address of the kind %s',
    async (kind) => {
      const { owner, funds } = await funded(kind)
      const other = account(kind)
      const forged = Transaction.fromRaw(paid(owner, funds, 500).toBytes(true, true), { allowUnknownInputs: true })
      const theirs = paid(other, funds, 500)
      const [signature = new Uint8Array()] = theirs.getInput(0).finalScriptWitness ?? []
      const [, ...rest] = forged.getInput(0).finalScriptWitness ?? []
      forged.updateInput(0, { finalScriptWitness: [signature, ...rest] }, true)
      expect(forged.id).toBe(paid(owner, funds, 500).id)
      const why = kind === 'p2tr' ? 'Invalid Schnorr signature' : 'Script evaluation failed'
      expect(await post(forged.hex)).toEqual(refused(-26, `mandatory-script-verify-flag-failed (${why})`))
    }
  )
})

describe('a payment that spends the coins of an unconfirmed one', () => {
  it('replaces it, and what depends on it, if it pays enough', async () => {
    const { owner, funds } = await funded()
    const first = paid(owner, funds, 500)
    expect((await post(first.hex)).status).toBe(200)
    const again = (fee: number) => post(paid(owner, funds, fee).hex)
    expect((await again(400)).body).toMatch(
      /-26.*insufficient fee, rejecting replacement .*; new feerate .* <= old feerate/
    )
    expect((await again(550)).body).toMatch(/not enough additional fees to relay; 0\.00000050 < 0\.00000110/)
    const second = paid(owner, funds, 700)
    expect(await post(second.hex)).toEqual({ status: 200, body: second.id })
    await expect(bitcoin.read(`/tx/${first.id}`)).rejects.toThrow('404 Transaction not found')
    expect(await bitcoin.read(`/tx/${funds.txid}/outspend/${funds.vout}`)).toMatchObject({ txid: second.id })
    await bitcoin.mine()
    expect(await bitcoin.read(`/tx/${second.id}`)).toMatchObject({ fee: 700, status: { confirmed: true } })
  })

  it('leaves it in place if it is not valid itself', async () => {
    const { owner, funds } = await funded()
    const first = paid(owner, funds, 500)
    expect((await post(first.hex)).status).toBe(200)
    expect(await post(paid(owner, funds, 99_800).hex)).toEqual(refused(-26, 'dust'))
    expect(await bitcoin.read(`/tx/${first.id}`)).toMatchObject({ status: { confirmed: false } })
  })
})
