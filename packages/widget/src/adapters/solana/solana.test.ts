// @vitest-environment happy-dom

import { ed25519 } from '@noble/curves/ed25519'
import { base58, base64 } from '@scure/base'
import { getTransactionDecoder, getTransactionEncoder } from '@solana/kit'
import { Transaction, VersionedTransaction } from '@solana/web3.js'
import { getWallets, registerWallet } from '@wallet-standard/core'
import { describe, expect, it, vi } from 'vitest'
import { SolanaAdapter } from './SolanaAdapter.ts'
import type { SolanaProvider } from './SolanaProvider.ts'
import { connected, demo, memo, provided } from './test-wallet.ts'

describe('the Solana adapter', () => {
  it('finds the wallets that registered before it and those that register later, each once', async () => {
    registerWallet(demo({ name: 'Early' }).standard as never)
    const adapter = new SolanaAdapter()
    const changed = vi.fn()
    adapter.on('connectors', changed)
    expect(adapter.connectors.map(({ name }) => name)).toContain('Early')
    const late = demo({ name: 'Late' }).standard
    registerWallet(late as never)
    registerWallet(late as never)
    await Promise.resolve()
    expect(changed).toHaveBeenCalledTimes(1)
    expect(adapter.connectors.filter(({ name }) => name === 'Late')).toMatchObject([
      { id: 'solana:Late', imageUrl: late.icon, installed: true }
    ])
  })

  it('gives a second wallet of the same name an id of its own', () => {
    const wallets = [demo({ name: 'Twin' }).standard, demo({ name: 'Twin' }).standard]
    const adapter = new SolanaAdapter({ wallets: wallets as never })
    const twins = adapter.connectors.filter(({ name }) => name === 'Twin')
    expect(twins.map(({ id }) => id)).toEqual(['solana:Twin', 'solana:Twin.2'])
  })

  it('gives the id of a wallet that left to no other', async () => {
    const adapter = new SolanaAdapter()
    void adapter.connectors
    const leave = (() => {
      let left = () => {}
      const wallet = demo({ name: 'Gone' }).standard
      const register = (registry: { register(wallet: unknown): () => void }) => {
        left = registry.register(wallet)
      }
      window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
      return () => left()
    })()
    leave()
    registerWallet(demo({ name: 'Gone' }).standard as never)
    expect(adapter.connectors.filter(({ name }) => name === 'Gone').map(({ id }) => id)).toEqual(['solana:Gone.2'])
  })

  it('leaves out wallets of other namespaces, and survives any that fail', () => {
    const before = new SolanaAdapter().connectors.length
    const { standard } = demo({ name: 'Other' })
    const broken = {
      get chains(): never {
        throw new Error('broken')
      }
    }
    const wallets = [{ ...standard, chains: ['sui:mainnet'] }, { ...standard, features: {} }, broken, null, 7]
    expect(new SolanaAdapter({ wallets: wallets as never }).connectors).toHaveLength(before)
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: 7 }))
  })

  it('registers the embedded wallet in the page where the host wants it, and does not list it itself', () => {
    const { get, on } = getWallets()
    const named = (name: string) => get().filter((wallet) => wallet.name === name)
    const registered = vi.fn()
    on('register', registered)
    new SolanaAdapter().provide(demo({ name: 'Quiet' }).standard as never)
    expect(registered).not.toHaveBeenCalled()
    const adapter = new SolanaAdapter({ registerWalletStandard: true })
    expect(adapter.connectors).not.toEqual([])
    const { standard } = demo({ name: 'Embedded' })
    expect(adapter.provide(standard as never).wallet).toBe(standard)
    expect(registered).toHaveBeenCalledTimes(1)
    expect(named('Embedded')).toEqual([standard])
    expect(named('Quiet')).toEqual([])
    // A library that comes later asks who is there.
    const register = vi.fn()
    window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
    expect(register).toHaveBeenCalledWith(standard)
    expect(adapter.connectors.map(({ name }) => name)).not.toContain('Embedded')
  })
})

describe('the provider of a Solana wallet', () => {
  it('connects, and without a question only where the visitor has agreed before', async () => {
    const { provider, wallet } = provided()
    const silent = { method: 'standard:connect', params: { silent: true } }
    expect(await provider.request(silent)).toEqual({ accounts: [] })
    const [first] = wallet.controls.addresses
    expect(await provider.request({ method: 'standard:connect' })).toEqual({ accounts: [first] })
    expect(await provider.request(silent)).toEqual({ accounts: [first] })
    expect(provider.publicKey?.toBase58()).toBe(first)
    await provider.request({ method: 'standard:disconnect' })
    expect(provider.publicKey).toBeUndefined()
    expect(await provider.request(silent)).toEqual({ accounts: [] })
  })

  it('tells another account of the wallet, and that the permission is gone', async () => {
    const { provider, wallet } = await connected()
    const told: unknown[] = []
    provider.on('accountsChanged', (accounts: unknown) => told.push(accounts))
    wallet.controls.switchAccount(1)
    wallet.controls.revoke()
    expect(told).toEqual([[wallet.controls.addresses[1]], []])
    await expect(provider.signMessage(Uint8Array.of(1))).rejects.toMatchObject({ code: 4100 })
  })

  it('signs a message, by its function and by the method of remote wallets', async () => {
    const { provider } = await connected()
    const message = new TextEncoder().encode('gm')
    const key = provider.publicKey?.toBytes() as Uint8Array
    expect(ed25519.verify(await provider.signMessage(message), message, key)).toBe(true)
    const params = { message: base58.encode(message), pubkey: provider.publicKey?.toBase58() }
    const { signature } = (await provider.request({ method: 'solana_signMessage', params })) as { signature: string }
    expect(ed25519.verify(base58.decode(signature), message, key)).toBe(true)
  })

  it('signs transactions as bytes, and in the form of the class that they came in', async () => {
    const { provider } = await connected()
    const key = provider.publicKey?.toBytes() as Uint8Array
    const bytes = memo(provider.publicKey?.toBase58() as string)
    const signed = getTransactionDecoder().decode(await provider.signTransaction(bytes))
    const [signature] = Object.values(signed.signatures)
    expect(ed25519.verify(signature as Uint8Array, signed.messageBytes as unknown as Uint8Array, key)).toBe(true)
    const versioned = VersionedTransaction.deserialize(bytes)
    const legacy = Transaction.from(memo(provider.publicKey?.toBase58() as string, { version: 'legacy' }))
    const [first, second] = await provider.signAllTransactions([versioned, legacy])
    expect(first).toBeInstanceOf(VersionedTransaction)
    expect(first?.serialize()).toEqual(Uint8Array.from(getTransactionEncoder().encode(signed)))
    expect(second).toBeInstanceOf(Transaction)
    expect((second as Transaction).verifySignatures()).toBe(true)
    // The page's own transactions stay unsigned.
    expect([versioned.signatures[0]?.every((byte) => byte === 0), legacy.signature]).toEqual([true, null])
  })

  it('answers the methods of remote wallets with texts', async () => {
    const { provider } = await connected()
    const transaction = base64.encode(memo(provider.publicKey?.toBase58() as string))
    const one = await provider.request({ method: 'solana_signTransaction', params: { transaction } })
    const { transactions } = (await provider.request({
      method: 'solana_signAllTransactions',
      params: { transactions: [transaction] }
    })) as { transactions: string[] }
    const signature = base58.encode(base64.decode(transactions[0] as string).subarray(1, 65))
    expect(one).toEqual({ signature, transaction: transactions[0] })
    await expect(
      provider.request({ method: 'solana_signTransaction', params: { transaction: '?' } })
    ).rejects.toMatchObject({ code: -32602 })
    await expect(provider.request({ method: 'eth_accounts' })).rejects.toMatchObject({ code: 4200 })
  })

  it('signs with the account that it told, whatever the wallet does to its own objects', async () => {
    const { provider, wallet } = await connected()
    const [first, second] = wallet.controls.addresses
    const params = { message: base58.encode(Uint8Array.of(1)), pubkey: second }
    await expect(provider.request({ method: 'solana_signMessage', params })).rejects.toMatchObject({ code: 4100 })
    Object.assign(wallet.standard.accounts[0] as object, { address: second })
    expect(provider.publicKey?.toBase58()).toBe(first)
  })

  it('is not connected by a request that ends after a disconnection', async () => {
    const { provider } = provided({ approval: () => new Promise((resolve) => setTimeout(() => resolve(true), 10)) })
    const late = provider.request({ method: 'standard:connect' })
    await provider.request({ method: 'standard:disconnect' })
    await expect(late).rejects.toMatchObject({ code: 4100 })
    expect(provider.publicKey).toBeUndefined()
  })

  it("passes on the wallet's refusal", async () => {
    const { provider, wallet } = await connected()
    wallet.controls.setMode('refuse')
    await expect(provider.signMessage(Uint8Array.of(1))).rejects.toMatchObject({ code: 4001 })
  })

  it('asks nothing of a wallet while no Solana network is active', async () => {
    const wallet = demo()
    const adapter = new SolanaAdapter({ wallets: [wallet.standard as never] })
    const provider = adapter.connectors[0]?.provider as unknown as SolanaProvider
    await provider.request({ method: 'standard:connect' })
    const bytes = memo(provider.publicKey?.toBase58() as string)
    await expect(provider.signAndSendTransaction(bytes)).rejects.toThrow('No Solana network is active')
  })
})

// The last one, because its wallets stay in the page.
describe('a flood of wallets', () => {
  it('keeps the page alive when thousands of wallets register, and tells of them once', async () => {
    const adapter = new SolanaAdapter()
    const changed = vi.fn()
    adapter.on('connectors', changed)
    const before = adapter.connectors.length
    const { standard } = demo({ name: 'Flood' })
    const wallets = Array.from({ length: 5_000 }, (_, index) => ({ ...standard, name: `Flood ${index}` }))
    for (const wallet of [{ ...standard, name: 'x'.repeat(10_000_000) }, { ...standard, name: '' }, ...wallets])
      registerWallet(wallet as never)
    await Promise.resolve()
    expect(changed).toHaveBeenCalledTimes(1)
    expect(adapter.connectors.length).toBe(100)
    expect(before).toBeLessThan(100)
  })
})
