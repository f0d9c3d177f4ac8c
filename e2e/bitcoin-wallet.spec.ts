//! The demo wallets of Bitcoin on the regtest chain: which of their signatures it accepts, and in which ways they are wrong.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type BitcoinWallet, type BitcoinWalletMode, createBitcoinWallet, type PaymentKind } from '@portico/testkit'
import { base64, hex } from '@scure/base'
import { p2sh, p2tr, p2wpkh, SigHash, Transaction } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { REGTEST } from './world/bitcoin/shapes.ts'
import { type Bitcoin, startBitcoin } from './world/bitcoin.ts'

const SHOP = p2wpkh(new Uint8Array(33).fill(2), REGTEST)

let bitcoin: Bitcoin
let node: Server
let wallets = 0

beforeAll(async () => {
  vi.stubGlobal('location', { origin: 'http://shop.test' })
  bitcoin = await startBitcoin()
  // Sends transactions to the chain as the server's JSON-RPC does.
  node = createServer(async (request, response) => {
    const { params } = JSON.parse(await text(request)) as { params: [string] }
    const answer = await fetch(`${bitcoin.url}/tx`, { method: 'POST', body: params[0] })
    const said = await answer.text()
    response.end(JSON.stringify(answer.ok ? { result: said } : { error: { message: said } }))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  vi.unstubAllGlobals()
  node.close()
  await bitcoin.stop()
})

interface SatsAddress {
  readonly address: string
  readonly publicKey: string
  readonly purpose: string
  readonly addressType: PaymentKind
}

/** Calls the wallet by sats-connect. */
async function ask<T>(wallet: BitcoinWallet, method: string, params?: unknown): Promise<T> {
  const { result, error } = (await wallet.satsConnect.request(method, params)) as {
    result: T
    error?: { code: number; message: string }
  }
  if (error) throw Object.assign(new Error(error.message), { code: error.code })
  return result
}

/** Connected wallet whose account is new and has two outputs of 60 000 satoshis. */
async function funded(payment: PaymentKind) {
  wallets += 1
  const entries = new Map<string, string>()
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value)
  }
  const keys = [new Uint8Array(32).fill(77).fill(wallets, 31)]
  const nodes = { regtest: `http://127.0.0.1:${(node.address() as AddressInfo).port}` }
  const wallet = createBitcoinWallet({ network: 'regtest', approval: 'auto', payment, keys, nodes, storage })
  const { addresses } = await ask<{ addresses: SatsAddress[] }>(wallet, 'wallet_connect', { network: 'Regtest' })
  const [account] = addresses
  if (!account) throw new Error('The wallet has no address')
  for (let times = 0; times < 2; times += 1) await bitcoin.fund(account.address, 60_000)
  return { wallet, account, addresses }
}

/** Payment of 100 000 satoshis to the shop, as a PSBT. */
async function unsigned({ address, publicKey, addressType }: SatsAddress): Promise<Transaction> {
  const key = hex.decode(publicKey)
  const spend = { p2wpkh: () => p2wpkh(key), p2sh: () => p2sh(p2wpkh(key)), p2tr: () => p2tr(key) }[addressType]()
  const transaction = new Transaction()
  const funds = await bitcoin.read<{ txid: string; vout: number; value: number }[]>(`/address/${address}/utxo`)
  for (const { txid, vout, value } of funds)
    transaction.addInput({
      ...spend,
      txid,
      index: vout,
      witnessUtxo: { amount: BigInt(value), script: spend.script }
    })
  transaction.addOutput({ amount: 100_000n, script: SHOP.script })
  transaction.addOutputAddress(address, 18_000n, REGTEST)
  return transaction
}

/** Asks for signatures of both inputs. */
async function signed(wallet: BitcoinWallet, { address }: SatsAddress, transaction: Transaction, broadcast = false) {
  const given = { psbt: base64.encode(transaction.toPSBT()), signInputs: { [address]: [0, 1] }, broadcast }
  const { psbt, txid } = await ask<{ psbt: string; txid?: string }>(wallet, 'signPsbt', given)
  return { answer: Transaction.fromPSBT(base64.decode(psbt)), txid }
}

async function post(transaction: Transaction): Promise<string> {
  return (await fetch(`${bitcoin.url}/tx`, { method: 'POST', body: transaction.hex })).text()
}

/** Result of a wallet in a mode. */
async function wrong(mode: BitcoinWalletMode) {
  const { wallet, account } = await funded('p2wpkh')
  wallet.controls.setMode(mode)
  const transaction = await unsigned(account)
  return { wallet, account, transaction, ...(await signed(wallet, account, transaction)) }
}

describe.each([
  ['p2wpkh', /^bcrt1q/, ['payment', 'ordinals']],
  ['p2sh', /^2/, ['payment', 'ordinals']],
  ['p2tr', /^bcrt1p/, ['payment']]
] as const)('a wallet with payments to %s', (kind, form, purposes) => {
  it('signs payments that the chain accepts', async () => {
    const { wallet, account, addresses } = await funded(kind)
    expect(account.address).toMatch(form)
    expect(addresses.map(({ purpose }) => purpose)).toEqual(purposes)
    const transaction = await unsigned(account)
    const { answer, txid } = await signed(wallet, account, transaction)
    expect(txid).toBeUndefined()
    expect(answer.isFinal).toBe(false)
    answer.finalize()
    expect(await post(answer)).toBe(answer.id)
    expect(await bitcoin.read(`/address/${account.address}`)).toMatchObject({
      mempool_stats: { funded_txo_sum: 18_000, spent_txo_sum: 120_000 }
    })
  })

  it('signs payments by the Wallet Standard too', async () => {
    const { wallet, account } = await funded(kind)
    const own = wallet.standard.accounts.find(({ address, chains }) =>
      chains.some((chain) => chain === 'bitcoin:regtest' && address === account.address)
    )
    if (!own) throw new Error('The wallet has no such account')
    const [answer] = await wallet.standard.features['bitcoin:signTransaction'].signTransaction({
      psbt: (await unsigned(account)).toPSBT(),
      chain: 'bitcoin:regtest',
      inputsToSign: [{ account: own, signingIndexes: [0, 1] }]
    })
    const transaction = Transaction.fromPSBT(answer?.signedPsbt ?? new Uint8Array())
    transaction.finalize()
    expect(await post(transaction)).toBe(transaction.id)
  })

  it('signs texts that another library verifies', async () => {
    const { wallet, account } = await funded(kind)
    const params = { address: account.address, message: 'gm' }
    const { signature } = await ask<{ signature: string }>(wallet, 'signMessage', params)
    expect(Verifier.verifySignature(account.address, 'gm', signature)).toBe(true)
  })

  it('sends a payment if the page asks for it', async () => {
    const { wallet, account } = await funded(kind)
    const { answer, txid } = await signed(wallet, account, await unsigned(account), true)
    expect(txid).toBe(answer.id)
    expect(wallet.controls.broadcasts).toEqual([txid])
    expect(await bitcoin.read(`/tx/${txid}`)).toMatchObject({ status: { confirmed: false } })
  })
})

describe('a wallet that is wrong', () => {
  it('refuses', async () => {
    const { wallet, account } = await funded('p2wpkh')
    wallet.controls.setMode('refuse')
    await expect(signed(wallet, account, await unsigned(account))).rejects.toMatchObject({ code: -32_000 })
  })

  it('signs another transaction, which pays to itself', async () => {
    const { answer, transaction, account } = await wrong('other')
    expect(Buffer.from(answer.unsignedTx)).not.toEqual(Buffer.from(transaction.unsignedTx))
    answer.finalize()
    const id = await post(answer)
    expect(await bitcoin.read(`/tx/${id}`)).toMatchObject({
      vout: [{ scriptpubkey_address: account.address, value: 100_000 }, { value: 18_000 }]
    })
  })

  it('leaves the outputs open to others', async () => {
    const { answer, transaction } = await wrong('sighash')
    expect(Buffer.from(answer.unsignedTx)).toEqual(Buffer.from(transaction.unsignedTx))
    const signatures = [0, 1].map((index) => answer.getInput(index).partialSig?.[0]?.[1] ?? new Uint8Array())
    expect(signatures.map((signature) => signature.at(-1))).toEqual([SigHash.NONE, SigHash.NONE])
  })

  it('leaves an input unsigned', async () => {
    const { answer } = await wrong('some')
    expect([0, 1].map((index) => answer.getInput(index).partialSig?.length ?? 0)).toEqual([1, 0])
    expect(() => answer.finalize()).toThrow()
  })

  it('answers with finished inputs', async () => {
    const { answer, txid } = await wrong('final')
    expect([0, 1].map((index) => answer.getInput(index).finalScriptWitness?.length)).toEqual([2, 2])
    expect(txid).toBeUndefined()
    expect(await post(answer)).toBe(answer.id)
  })

  it('sends what it should only sign', async () => {
    const { wallet, answer, txid } = await wrong('broadcast')
    expect(txid).toBe(answer.id)
    expect(wallet.controls.broadcasts).toEqual([answer.id])
    expect(await bitcoin.read(`/tx/${answer.id}`)).toMatchObject({ status: { confirmed: false } })
  })

  it('answers with something that is no transaction', async () => {
    await expect(wrong('nonsense')).rejects.toThrow()
  })
})

it('shows what is paid, to whom, and the fee', async () => {
  const { wallet, account } = await funded('p2wpkh')
  const asked: unknown[] = []
  wallet.controls.setApproval((approval) => {
    asked.push(approval)
    return true
  })
  await signed(wallet, account, await unsigned(account))
  expect(asked).toMatchObject([
    {
      kind: 'transaction',
      account: account.address,
      network: 'Bitcoin regtest',
      rows: [
        ['Amount', '0.001 BTC'],
        ['To', SHOP.address],
        ['Network fee', '0.00002 BTC']
      ]
    }
  ])
})
