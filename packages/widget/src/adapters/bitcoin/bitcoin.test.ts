// @vitest-environment happy-dom

import { type BitcoinWallet, type BitcoinWalletOptions, createBitcoinWallet } from '@portico/testkit'
import { base64 } from '@scure/base'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import { describe, expect, it, vi } from 'vitest'
import type { ExternalWallet } from '../adapter.ts'
import { BitcoinAdapter, type BitcoinAdapterOptions } from './BitcoinAdapter.ts'
import type { BitcoinProvider } from './BitcoinProvider.ts'

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const SIGNET = 'bip122:00000008819873e925422c1ff0f99f7c'

/** Storage of a new visitor. */
function memory() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value)
  }
}

let count = 0

/** Demo wallet with a name of its own, because its object stays in the page. */
function demo(options: BitcoinWalletOptions = {}): BitcoinWallet {
  count += 1
  return createBitcoinWallet({ approval: 'auto', storage: memory(), name: `Demo ${count}`, ...options })
}

type Way = 'standard' | 'satsConnect'

/** Provider of a demo wallet as an adapter makes it. */
function provided(way: Way, options: BitcoinWalletOptions = {}, chain = MAINNET, more: BitcoinAdapterOptions = {}) {
  const wallet = demo(options)
  if (way === 'satsConnect') wallet.register('satsConnect')
  const wallets = way === 'standard' ? [wallet.standard as never] : []
  const adapter = new BitcoinAdapter({ wallets, ...more })
  adapter.follow(() => chain)
  const mine = adapter.connectors.find(({ name }) => name === wallet.standard.name) as ExternalWallet
  return { wallet, provider: mine.provider as unknown as BitcoinProvider }
}

async function connected(
  way: Way,
  options: BitcoinWalletOptions = {},
  chain = MAINNET,
  more: BitcoinAdapterOptions = {}
) {
  const given = provided(way, options, chain, more)
  await given.provider.request({ method: 'getAccountAddresses' })
  return { ...given, address: given.wallet.controls.addresses[0] as string }
}

const SILENT = { method: 'getAccountAddresses', params: { silent: true } }

/** Unsigned transaction that spends one output of an address, encoded by another library. */
function spending(publicKey: string): string {
  const transaction = new Transaction()
  const { script } = p2wpkh(Uint8Array.from(Buffer.from(publicKey, 'hex')))
  transaction.addInput({ txid: 'cd'.repeat(32), index: 0, witnessUtxo: { amount: 20_000n, script } })
  transaction.addOutput({ amount: 19_000n, script })
  return base64.encode(transaction.toPSBT())
}

describe.each(['standard', 'satsConnect'] as const)('a Bitcoin wallet of the way %s', (way) => {
  it('connects, and without a question only where the visitor has agreed before', async () => {
    const { provider, wallet } = provided(way)
    expect(await provider.request(SILENT)).toEqual([])
    const [first] = wallet.controls.addresses
    const accounts = (await provider.request({ method: 'getAccountAddresses' })) as { address: string }[]
    expect(accounts).toMatchObject([{ address: first, purpose: 'payment' }, { purpose: 'ordinal' }])
    expect(accounts[1]?.address).toMatch(/^bc1p/)
    expect(await provider.request(SILENT)).toEqual(accounts)
    expect(await provider.getAccountAddresses()).toEqual(accounts)
    await provider.request({ method: 'wallet_disconnect' })
    expect(wallet.controls.connected).toBe(false)
    expect(await provider.getAccountAddresses()).toEqual([])
    expect(await provider.request(SILENT)).toEqual([])
  })

  it('signs a message with each of its addresses, which another library verifies', async () => {
    const { provider, address } = await connected(way)
    const [, ordinal] = await provider.getAccountAddresses()
    for (const one of [address, ordinal?.address as string]) {
      const signature = await provider.signMessage({ message: 'gm ₿', address: one })
      expect(Verifier.verifySignature(one, 'gm ₿', signature), one).toBe(true)
    }
    const params = { account: address, message: 'gm' }
    const answer = (await provider.request({ method: 'signMessage', params })) as { address: string; signature: string }
    expect(answer.address).toBe(address)
    expect(Verifier.verifySignature(address, 'gm', answer.signature)).toBe(true)
  })

  it('signs the inputs of a transaction, which another library finalizes', async () => {
    const { provider, address } = await connected(way)
    const [first] = await provider.getAccountAddresses()
    const psbt = spending(first?.publicKey as string)
    const answer = await provider.signPSBT({ psbt, signInputs: [{ index: 0, address }] })
    const signed = Transaction.fromPSBT(base64.decode(answer.psbt))
    signed.finalize()
    expect(signed.isFinal).toBe(true)
    expect(answer.txid).toBeUndefined()
  })

  it("tells another account of the wallet, and that the permission is gone, and nothing after the page's disconnection", async () => {
    const { provider, wallet } = await connected(way)
    const told = vi.fn()
    provider.on('accountsChanged', told)
    wallet.controls.switchAccount(1)
    await expect.poll(() => told.mock.lastCall).toEqual([[wallet.controls.addresses[1]]])
    wallet.controls.revoke()
    await expect.poll(() => told.mock.lastCall).toEqual([[]])
    await expect(provider.signMessage({ message: 'gm' })).rejects.toMatchObject({ code: 4100 })
    await provider.request({ method: 'getAccountAddresses' })
    await provider.request({ method: 'wallet_disconnect' })
    told.mockClear()
    await wallet.standard.features['bitcoin:connect'].connect({ purposes: [] })
    wallet.controls.switchAccount(2)
    await provider.getAccountAddresses()
    expect(told).not.toHaveBeenCalled()
  })

  it('switches to another network, where its addresses are others', async () => {
    const { provider, wallet, address } = await connected(way)
    const told: unknown[] = []
    provider.on('chainChanged', (chain: never) => told.push(chain))
    provider.on('accountsChanged', (accounts: never) => told.push(accounts))
    expect(await provider.request({ method: 'switchNetwork', params: { network: SIGNET } })).toBe(SIGNET)
    wallet.controls.switchNetwork('signet')
    const [there] = wallet.controls.addresses
    expect(there).toMatch(/^tb1q/)
    expect(told).toEqual([SIGNET, [there]])
    await expect(provider.signMessage({ message: 'gm', address })).rejects.toMatchObject({ code: 4100 })
    for (const network of ['bip122:00', 'eip155:1'])
      await expect(provider.switchNetwork(network)).rejects.toMatchObject({ code: 4902 })
  })

  it('refuses the signature of another message, or what is none', async () => {
    const { provider, wallet } = await connected(way)
    wallet.controls.setMode('other')
    await expect(provider.signMessage({ message: 'gm' })).rejects.toThrow(
      /another message|doesn't fit this account and message/
    )
    wallet.controls.setMode('nonsense')
    await expect(provider.signMessage({ message: 'gm' })).rejects.toThrow('without a signature')
  })

  it('is not connected with an address that is none, by a request that ends after a disconnection, or by a refusal', async () => {
    const broken = provided(way, { mode: 'nonsense' })
    await expect(broken.provider.request({ method: 'getAccountAddresses' })).rejects.toThrow('an invalid address')
    const slow = provided(way, { approval: () => new Promise((resolve) => queueMicrotask(() => resolve(true))) })
    const late = slow.provider.request({ method: 'getAccountAddresses' })
    await slow.provider.request({ method: 'wallet_disconnect' })
    await expect(late).rejects.toMatchObject({ code: 4100 })
    const { provider } = provided(way, { mode: 'refuse' })
    await expect(provider.request({ method: 'getAccountAddresses' })).rejects.toMatchObject({ code: 4001 })
    expect(await provider.getAccountAddresses()).toEqual([])
  })

  it('refuses what has the wrong form before the wallet is asked', async () => {
    const { provider, address } = await connected(way)
    const signInputs = [{ index: 0, address }]
    for (const wrong of [
      provider.signMessage({ message: 7 as never }),
      provider.signMessage({ message: 'gm', protocol: 'schnorr' as never }),
      provider.signPSBT({ psbt: 'cHNidA==', signInputs }),
      provider.signPSBT({ psbt: spending('02'.repeat(33)), signInputs: [] }),
      provider.signPSBT({ psbt: spending('02'.repeat(33)), signInputs: [{ index: -1, address }] }),
      provider.sendTransfer({ recipient: 'nobody', amount: '1' }),
      provider.sendTransfer({ recipient: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', amount: '1' }),
      ...['0', '-1', '1.5', '1e3', '2100000000000001'].map((amount) =>
        provider.sendTransfer({ recipient: address, amount })
      )
    ])
      await expect(wrong).rejects.toMatchObject({ code: -32602 })
    await expect(provider.request({ method: 'eth_accounts' })).rejects.toMatchObject({ code: 4200 })
  })

  it('asks nothing of a wallet while no Bitcoin network is active, or one that no wallet knows', async () => {
    for (const [chain, code] of [
      [undefined, 4100],
      ['bip122:ffffffffffffffffffffffffffffffff', 4902]
    ] as const) {
      const { provider, wallet } = provided(way, {}, chain as string)
      if (chain === undefined) {
        const adapter = new BitcoinAdapter({ wallets: [wallet.standard as never] })
        const mine = adapter.connectors.find(({ name }) => name === wallet.standard.name)
        await expect(mine?.provider.request({ method: 'getAccountAddresses' })).rejects.toMatchObject({ code })
      } else await expect(provider.request({ method: 'getAccountAddresses' })).rejects.toMatchObject({ code })
      expect(wallet.controls.connected).toBe(false)
    }
  })

  it('has a balance of the source that the page names, and says so where there is none', async () => {
    const getUTXOs = vi.fn(
      async (): Promise<unknown> => [
        { txid: 'aa', vout: 0, value: 1_000 },
        { txid: 'aa', vout: 0, value: 1_000 },
        { txid: 'aa', vout: 1, value: 2_099_999_999_990_000 }
      ]
    )
    const { provider, address } = await connected(way, {}, MAINNET, { api: { getUTXOs: getUTXOs as never } })
    const balance = (network = MAINNET) => provider.request({ method: 'getBalance', params: { address, network } })
    expect(await balance()).toBe('2099999999991000')
    expect(getUTXOs).toHaveBeenCalledExactlyOnceWith({ address, network: MAINNET })
    await expect(balance(SIGNET)).rejects.toMatchObject({ code: 4200 })
    for (const nonsense of [null, {}, [null], [{ value: '7' }], [{ value: -1 }], [{ value: 1.5 }]]) {
      getUTXOs.mockResolvedValueOnce(nonsense)
      await expect(balance(), JSON.stringify(nonsense)).rejects.toThrow('The source answered')
    }
    const without = await connected(way)
    const params = { address: without.address, network: MAINNET }
    await expect(without.provider.request({ method: 'getBalance', params })).rejects.toMatchObject({ code: 4200 })
  })
})
