// @vitest-environment happy-dom

//! The library of sats-connect checks the requests to its wallets, and reads from their answers the same as the adapter.

import { BITCOIN_TEST_KEYS, type BitcoinKey, bitcoinKeysOf, createBitcoinWallet } from '@portico/testkit'
import {
  accountChangeSchema,
  changeNetworkRequestMessageSchema,
  changeNetworkResultSchema,
  connectRequestMessageSchema,
  connectResultSchema,
  disconnectRequestMessageSchema,
  disconnectResultSchema,
  getAccountRequestMessageSchema,
  getAccountResultSchema,
  getAddressesRequestMessageSchema,
  networkChangeSchema,
  request,
  sendTransferRequestMessageSchema,
  signMessageRequestMessageSchema,
  signMessageResultSchema,
  signPsbtRequestMessageSchema,
  signPsbtResultSchema
} from '@sats-connect/core'
import { base64 } from '@scure/base'
import { SigHash, Transaction } from '@scure/btc-signer'
import { type GenericSchema, parse } from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { BitcoinProvider } from './BitcoinProvider.ts'
import { SatsConnectWay } from './RequestWay.ts'

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const TESTNET4 = 'bip122:00000000da84f2bafbbc53dee25a72ae'
const [PAYMENT] = bitcoinKeysOf(BITCOIN_TEST_KEYS[0] as Uint8Array, 'mainnet') as [BitcoinKey]

/** Schemas of the library for requests, and for the results of those that the demo wallet can answer without a node. */
const SCHEMAS: Readonly<Record<string, readonly [asked: GenericSchema, result?: GenericSchema]>> = {
  wallet_connect: [connectRequestMessageSchema, connectResultSchema],
  wallet_getAccount: [getAccountRequestMessageSchema, getAccountResultSchema],
  wallet_changeNetwork: [changeNetworkRequestMessageSchema, changeNetworkResultSchema],
  wallet_disconnect: [disconnectRequestMessageSchema, disconnectResultSchema],
  getAddresses: [getAddressesRequestMessageSchema],
  signMessage: [signMessageRequestMessageSchema, signMessageResultSchema],
  signPsbt: [signPsbtRequestMessageSchema, signPsbtResultSchema],
  sendTransfer: [sendTransferRequestMessageSchema]
}

/** Connected provider of a demo wallet, whose object stands in the page under its id. */
async function connected(own: { request?: (method: string, params?: unknown) => Promise<unknown> } = {}) {
  const entries = new Map<string, string>()
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value)
  }
  const wallet = createBitcoinWallet({ approval: 'auto', storage })
  const asked = vi.fn(own.request ?? wallet.satsConnect.request)
  const object = { ...wallet.satsConnect, request: asked }
  Object.assign(window, { demo: { BitcoinProvider: object } })
  const provider = new BitcoinProvider('Wallet', new SatsConnectWay(object), () => MAINNET)
  await provider.request({ method: 'getAccountAddresses' })
  return { wallet, provider, asked }
}

/** The last request that the wallet was asked, as its library allows it. */
function last(asked: { readonly mock: { readonly lastCall?: readonly unknown[] } }) {
  const [method, params] = asked.mock.lastCall as [keyof typeof SCHEMAS, unknown]
  const [schema] = SCHEMAS[method] as (typeof SCHEMAS)[string]
  parse(schema, { jsonrpc: '2.0', id: '1', method, ...(params === undefined ? {} : { params }) })
  return { method: method as string, params }
}

/** Result of the same request by the library, which the wallet has to answer in the library's form. */
async function again(asked: Parameters<typeof last>[0]): Promise<unknown> {
  const { method, params } = last(asked)
  const answer = await request(method as 'signPsbt', params as never, 'demo.BitcoinProvider')
  if (answer.status === 'error') throw answer.error
  return parse((SCHEMAS[method] as (typeof SCHEMAS)[string])[1] as GenericSchema, answer.result)
}

function spending(): string {
  const transaction = new Transaction()
  const witnessUtxo = { amount: 20_000n, script: PAYMENT.script }
  transaction.addInput({ txid: 'cd'.repeat(32), index: 0, witnessUtxo })
  transaction.addOutput({ amount: 19_000n, script: PAYMENT.script })
  return base64.encode(transaction.toPSBT())
}

describe('the library of sats-connect', () => {
  it('is asked in the same words for addresses, with and without a question, and for another network', async () => {
    const { provider, asked } = await connected()
    const own = await provider.getAccountAddresses()
    const addresses = own.map(({ address }) => ({ address }))
    expect(await again(asked)).toMatchObject({ addresses, network: { bitcoin: { name: 'Mainnet' } } })
    await provider.switchNetwork(TESTNET4)
    expect(asked.mock.calls.map(([method]) => method)).toContain('wallet_changeNetwork')
    expect(last(asked).method).toBe('wallet_getAccount')
    const there = (await provider.getAccountAddresses()).map(({ address }) => ({ address }))
    expect(await again(asked)).toMatchObject({ addresses: there, network: { bitcoin: { name: 'Testnet4' } } })
    for (const call of asked.mock.calls.filter(([method]) => method !== 'getInfo')) last({ mock: { lastCall: call } })
    await provider.request({ method: 'wallet_disconnect' })
    expect(await again(asked)).toBeNull()
  })

  it('reads the same signature of a text, by each protocol and address', async () => {
    const { provider, asked } = await connected()
    const [payment, ordinal] = (await provider.getAccountAddresses()).map(({ address }) => address)
    for (const [address, protocol] of [
      [payment, undefined],
      [payment, 'ecdsa'],
      [payment, 'bip322'],
      [ordinal, 'bip322']
    ] as const) {
      const signature = await provider.signMessage({
        message: 'gm ₿',
        address: address as string,
        ...(protocol ? { protocol } : {})
      })
      const told = await again(asked)
      expect(told).toMatchObject({ address, protocol: protocol === 'bip322' ? 'BIP322' : 'ECDSA' })
      // A signature of Taproot has a random part.
      if (address === payment) expect(told).toMatchObject({ signature })
    }
  })

  it('reads the same signed transaction, whose types of signatures are in the transaction alone', async () => {
    const { provider, asked } = await connected()
    for (const sighashTypes of [undefined, [SigHash.ALL]]) {
      const input = { index: 0, address: PAYMENT.address, ...(sighashTypes ? { sighashTypes } : {}) }
      const { psbt } = await provider.signPSBT({ psbt: spending(), signInputs: [input] })
      expect(await again(asked)).toEqual({ psbt })
      const params = last(asked).params as { psbt: string }
      expect(Object.keys(params).sort()).toEqual(['broadcast', 'psbt', 'signInputs'])
      expect(Transaction.fromPSBT(base64.decode(params.psbt)).getInput(0).sighashType).toBe(sighashTypes?.[0])
    }
  })

  it('allows what older wallets and transfers are asked', async () => {
    const addresses = [{ address: PAYMENT.address, purpose: 'payment' }]
    const old = async (method: string) => {
      if (method === 'wallet_connect') return { jsonrpc: '2.0', id: '1', error: { code: -32_601, message: 'No' } }
      return { jsonrpc: '2.0', id: '1', result: method === 'getAddresses' ? { addresses } : { txid: 'ab'.repeat(32) } }
    }
    const { provider, asked } = await connected({ request: old })
    expect(last(asked).method).toBe('getAddresses')
    await provider.sendTransfer({ recipient: PAYMENT.address, amount: 1_000n })
    expect(last(asked).method).toBe('sendTransfer')
  })

  it('knows the refusals and the events of its wallets', async () => {
    const { wallet, provider, asked } = await connected()
    wallet.controls.setMode('refuse')
    await expect(provider.signMessage({ message: 'gm' })).rejects.toMatchObject({ code: 4001 })
    await expect(again(asked)).rejects.toMatchObject({ code: -32_000 })
    const told: unknown[] = []
    for (const eventName of ['accountChange', 'networkChange'])
      wallet.satsConnect.addListener({ eventName, cb: (event) => told.push(event) })
    wallet.controls.switchAccount(1)
    wallet.controls.switchNetwork('signet')
    expect(parse(accountChangeSchema, told[0]).type).toBe('accountChange')
    expect(parse(networkChangeSchema, told[1]).bitcoin.name).toBe('Signet')
  })
})
