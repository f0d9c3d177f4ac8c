// @vitest-environment happy-dom

import { createBitcoinWallet } from '@portico/testkit'
import { registerWallet } from '@wallet-standard/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BitcoinAdapter } from './BitcoinAdapter.ts'

const page = window as unknown as Record<string, unknown>
const storage = { getItem: () => null, setItem: () => {} }
const demo = (name: string) => createBitcoinWallet({ name, storage, approval: 'auto' })
const names = (adapter: BitcoinAdapter) => adapter.connectors.map(({ name }) => name)
const wallet = { request: async () => ({}) }

afterEach(() => {
  for (const name of ['btc_providers', 'LeatherProvider', 'unisat', 'okxwallet', 'XverseProviders', 'bitkeep'])
    delete page[name]
  delete page.binancew3w
})

describe('the Bitcoin adapter', () => {
  it('finds the wallets of the standard that registered before it and those that register later, each once', async () => {
    registerWallet(demo('Early').standard as never)
    const adapter = new BitcoinAdapter()
    const changed = vi.fn()
    adapter.on('connectors', changed)
    expect(names(adapter)).toContain('Early')
    const late = demo('Late').standard
    registerWallet(late as never)
    registerWallet(late as never)
    await Promise.resolve()
    expect(changed).toHaveBeenCalledTimes(1)
    expect(adapter.connectors.filter(({ name }) => name === 'Late')).toMatchObject([
      { id: 'bitcoin:Late', imageUrl: late.icon, installed: true }
    ])
  })

  it('finds the wallets of sats-connect at the path that they name, Leather, and those of an object of their own', () => {
    page.XverseProviders = { BitcoinProvider: wallet }
    page.btc_providers = [
      { id: 'XverseProviders.BitcoinProvider', name: 'Xverse Wallet', icon: 'data:image/svg+xml,x' },
      { id: 'XverseProviders.Nothing', name: 'Nothing' }
    ]
    page.LeatherProvider = { ...wallet }
    page.unisat = { requestAccounts: async () => [] }
    page.okxwallet = { bitcoin: { requestAccounts: async () => [] } }
    page.bitkeep = { unisat: { requestAccounts: async () => [] } }
    page.binancew3w = { bitcoin: { requestAccounts: async () => [] } }
    const found = new BitcoinAdapter().connectors.filter(({ id }) => !/Early|Late/.test(id))
    expect(found.map(({ id }) => id)).toEqual([
      'bitcoin:Xverse Wallet',
      'bitcoin:Leather',
      'bitcoin:Bitget Wallet',
      'bitcoin:Binance Wallet',
      'bitcoin:UniSat',
      'bitcoin:OKX Wallet'
    ])
    expect(found[0]?.imageUrl).toBe('data:image/svg+xml,x')
  })

  it('lists a wallet once that can be found in several ways, and finds one that came into the page later', () => {
    page.LeatherProvider = wallet
    page.btc_providers = [{ id: 'LeatherProvider', name: 'Leather' }]
    const adapter = new BitcoinAdapter({ wallets: [demo('Both').standard as never] })
    expect(names(adapter).filter((name) => name === 'Leather')).toHaveLength(1)
    page.other = { ...wallet }
    page.btc_providers = [
      { id: 'LeatherProvider', name: 'Leather' },
      { id: 'other', name: 'Both' },
      { id: 'other', name: 'Other' }
    ]
    expect(names(adapter).filter((name) => name === 'Both')).toHaveLength(1)
    expect(names(adapter)).toContain('Other')
  })

  it('lists a wallet in the place of UniSat under its own name alone', () => {
    const before = names(new BitcoinAdapter())
    const unisat = { requestAccounts: async () => [] }
    page.bitkeep = { unisat }
    for (const posing of [unisat, { ...unisat, isBitKeep: true }, { ...unisat, isBinance: true }]) {
      page.unisat = posing
      expect(names(new BitcoinAdapter())).toEqual([...before, 'Bitget Wallet'])
    }
  })

  it('gives a second wallet of the same name and kind an id of its own, also after the first one left', () => {
    const twins = [demo('Twin').standard, demo('Twin').standard] as never
    const ids = new BitcoinAdapter({ wallets: twins }).connectors.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['bitcoin:Twin', 'bitcoin:Twin.2']))
    const adapter = new BitcoinAdapter()
    void adapter.connectors
    let leave = () => {}
    const gone = demo('Gone').standard
    const register = (registry: { register(wallet: unknown): () => void }) => {
      leave = registry.register(gone)
    }
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
    leave()
    registerWallet(demo('Gone').standard as never)
    expect(adapter.connectors.filter(({ name }) => name === 'Gone').map(({ id }) => id)).toEqual(['bitcoin:Gone.2'])
  })

  it('leaves out wallets of other namespaces and those that pose as another one, and survives any that fail', () => {
    const before = names(new BitcoinAdapter()).length
    const { standard } = demo('Other')
    const broken = {
      get chains(): never {
        throw new Error('broken')
      }
    }
    const wallets = [{ ...standard, chains: ['sui:mainnet'] }, { ...standard, features: {} }, broken, null, 7]
    page.unisat = { isBinance: true, requestAccounts: async () => [] }
    page.okxwallet = {
      get bitcoin(): never {
        throw new Error('broken')
      }
    }
    page.btc_providers = [null, 7, {}, { id: 'nowhere.at.all', name: 'X' }, { id: 'okxwallet.bitcoin', name: 'Y' }]
    const adapter = new BitcoinAdapter({ wallets: wallets as never })
    expect(adapter.connectors).toHaveLength(before)
    page.btc_providers = 'nonsense'
    expect(adapter.connectors).toHaveLength(before)
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: 7 }))
  })
})

// The last one, because its wallets stay in the page.
describe('a flood of Bitcoin wallets', () => {
  it('keeps the page alive when thousands of wallets register', async () => {
    const adapter = new BitcoinAdapter()
    const changed = vi.fn()
    adapter.on('connectors', changed)
    void adapter.connectors
    const { standard } = demo('Flood')
    page.flood = wallet
    page.btc_providers = Array.from({ length: 5_000 }, (_, index) => ({ id: 'flood', name: `Sats ${index}` }))
    for (const one of [
      { ...standard, name: 'x'.repeat(10_000_000) },
      { ...standard, name: '' }
    ])
      registerWallet(one as never)
    for (let index = 0; index < 5_000; index += 1) registerWallet({ ...standard, name: `Flood ${index}` } as never)
    await Promise.resolve()
    expect(changed).toHaveBeenCalledTimes(1)
    expect(adapter.connectors.length).toBe(100)
  })
})
