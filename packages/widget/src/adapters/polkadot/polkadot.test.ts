// @vitest-environment happy-dom

import { decodeAddress, encodeAddress, signatureVerify } from '@polkadot/util-crypto'
import { createPolkadotWallet, type PolkadotWalletOptions } from '@portico/testkit/polkadot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { accountIdOf, addressOf } from './address.ts'
import { PolkadotAdapter, type PolkadotAdapterOptions } from './PolkadotAdapter.ts'
import type { PolkadotProvider } from './PolkadotProvider.ts'

const GENESIS = '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3'
const POLKADOT = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const KUSAMA = 'polkadot:b0a8d493285c2df73290dfb7e61f870f'
const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'
const BOB = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty'
const [alice, bob] = [encodeAddress(ALICE, 0), encodeAddress(BOB, 0)]

const page = window as unknown as { injectedWeb3?: unknown }
const CONNECT = { method: 'getAccounts' }

afterEach(() => {
  delete page.injectedWeb3
})

/** Provider of an entry in the page as the adapter makes it. */
function provided(entry: unknown, options: PolkadotAdapterOptions = {}): PolkadotProvider {
  page.injectedWeb3 = { mine: entry }
  const adapter = new PolkadotAdapter(options)
  adapter.follow(() => POLKADOT)
  return adapter.connectors[0]?.provider as unknown as PolkadotProvider
}

function demo(options: PolkadotWalletOptions = {}) {
  const entries = new Map<string, string>()
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value)
  }
  const wallet = createPolkadotWallet({ approval: 'auto', storage, ...options })
  const provider = provided(wallet.entry)
  const changed = vi.fn()
  provider.on('accountsChanged', changed)
  return { wallet, provider, changed }
}

/** Entry of an extension that answers with these accounts. */
function showing(accounts: unknown, more: object = {}) {
  return { version: '1', enable: async () => ({ accounts: { get: async () => accounts }, signer: {}, ...more }) }
}

const payload = (more: object = {}) => ({
  address: alice,
  blockHash: GENESIS,
  genesisHash: GENESIS,
  method: '0x0000',
  ...more
})

describe('a Polkadot extension', () => {
  it('connects with its accounts in the spelling of the network, and presents the page', async () => {
    const { wallet, provider } = demo()
    expect(await provider.getAccounts()).toEqual([])
    expect(await provider.request(CONNECT)).toEqual([{ address: alice, name: 'Alice' }])
    expect(wallet.controls.origins).toEqual([location.host])
    const kusama = { method: 'getAccounts', params: { silent: true, network: KUSAMA } }
    expect(await provider.request(kusama)).toEqual([{ address: encodeAddress(ALICE, 2), name: 'Alice' }])
  })

  it('signs texts, bytes and transactions, which another library verifies', async () => {
    const { provider } = demo()
    await provider.request(CONNECT)
    const signature = await provider.signMessage({ message: 'Hello, Polkadot' })
    expect(signatureVerify('Hello, Polkadot', signature, ALICE).isValid).toBe(true)
    const raw = await provider.signRaw({ data: '0x0102', address: ALICE })
    expect(signatureVerify('0x0102', raw.signature, ALICE).isValid).toBe(true)
    const signed = await provider.signPayload(payload())
    expect(signatureVerify('0x0000', signed.signature, ALICE).isValid).toBe(true)
    expect(signed).toEqual({ id: 3, signature: signed.signature })
    const remote = { method: 'polkadot_signMessage', params: { address: alice, message: 'From afar' } }
    const answer = (await provider.request(remote)) as { signature: string }
    expect(signatureVerify('From afar', answer.signature, ALICE).isValid).toBe(true)
  })

  it('tells another account and the end of its permission, and nothing after the end of the connection', async () => {
    const { wallet, provider, changed } = demo()
    await provider.request(CONNECT)
    expect(changed).not.toHaveBeenCalled()
    wallet.controls.switchAccount(1)
    expect(changed).toHaveBeenLastCalledWith([{ address: bob, name: 'Bob' }])
    wallet.controls.revoke()
    expect(changed).toHaveBeenLastCalledWith([])
    await provider.request(CONNECT)
    expect(wallet.controls.subscriptions).toBe(1)
    await provider.request({ method: 'wallet_disconnect' })
    expect(wallet.controls.subscriptions).toBe(0)
    wallet.controls.switchAccount(1)
    expect(changed).toHaveBeenCalledTimes(2)
    await expect(provider.signMessage({ message: 'x' })).rejects.toMatchObject({ code: 4100 })
  })

  it('switches the network, and spells the account in another way there', async () => {
    const { provider, changed } = demo()
    const went = vi.fn()
    provider.on('chainChanged', went)
    await expect(provider.switchNetwork(KUSAMA)).rejects.toMatchObject({ code: 4100 })
    await provider.request(CONNECT)
    expect(await provider.request({ method: 'switchNetwork', params: { network: KUSAMA } })).toBe(KUSAMA)
    expect(went).toHaveBeenCalledWith(KUSAMA)
    expect(changed).toHaveBeenLastCalledWith([{ address: encodeAddress(ALICE, 2), name: 'Alice' }])
    for (const network of ['eip155:1', 'polkadot:1', undefined])
      await expect(provider.switchNetwork(network as string)).rejects.toThrow()
  })

  it('refuses by code 4001 in each of the words of extensions', async () => {
    const { wallet, provider } = demo()
    await provider.request(CONNECT)
    wallet.controls.setMode('refuse')
    await expect(provider.signMessage({ message: 'x' })).rejects.toMatchObject({ code: 4001 })
    for (const word of ['Cancelled', 'Rejected', 'Rejected by user', 'User denied']) {
      const entry = { enable: () => Promise.reject(new Error(word)) }
      await expect(provided(entry).request(CONNECT), word).rejects.toMatchObject({ code: 4001 })
    }
    const unlike = { enable: () => Promise.reject(new Error('The window is closed')) }
    await expect(provided(unlike).request(CONNECT)).rejects.toThrow('The window is closed')
  })

  it('signs no transaction of another network, of a foreign account, or without its form', async () => {
    const { provider } = demo()
    await provider.request(CONNECT)
    const refused = (more: object) => provider.signPayload(payload(more))
    await expect(refused({ genesisHash: GENESIS.replace('91', '92') })).rejects.toMatchObject({ code: 4901 })
    await expect(refused({ genesisHash: undefined })).rejects.toMatchObject({ code: 4901 })
    await expect(refused({ address: BOB })).rejects.toMatchObject({ code: 4100 })
    for (const more of [{ address: null }, { method: '' }, { method: '0x1' }, { blockHash: '0x' }])
      await expect(refused(more), JSON.stringify(more)).rejects.toMatchObject({ code: -32602 })
    for (const data of ['hello', '0x1', 7 as never])
      await expect(provider.signRaw({ data })).rejects.toMatchObject({ code: -32602 })
    await expect(provider.signMessage({ message: 7 as never })).rejects.toMatchObject({ code: -32602 })
    await expect(provider.request({ method: 'eth_sign' })).rejects.toMatchObject({ code: 4200 })
  })
})

describe('a hostile Polkadot extension', () => {
  it.each([
    ['no list', null],
    ['null accounts', [null]],
    ['a wrong checksum', [{ address: `${ALICE.slice(0, -1)}Z` }]],
    ['an EVM address', [{ address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }]],
    ['10,000 accounts', Array.from({ length: 10_000 }, () => ({ address: ALICE }))],
    ['an endless address', [{ address: '5'.repeat(10_000_000) }]],
    ['no account at all', []],
    ['accounts of other keys alone', [{ address: ALICE, type: 'ecdsa' }]],
    ['an account of another network alone', [{ address: ALICE, genesisHash: `0x${'b0'.repeat(32)}` }]]
  ])('connects nothing by %s', async (_what, accounts) => {
    const provider = provided(showing(accounts))
    await expect(provider.request(CONNECT)).rejects.toThrow()
    expect(await provider.getAccounts()).toEqual([])
  })

  it.each([
    [
      'throws',
      {
        enable: () => {
          throw new Error('broken')
        }
      }
    ],
    ['answers with nothing', { enable: async () => null }],
    ['has no accounts', { enable: async () => ({ signer: {} }) }],
    [
      'throws on accounts',
      {
        enable: async () => ({
          get accounts(): never {
            throw new Error('broken')
          }
        })
      }
    ]
  ])('connects nothing if it %s', async (_what, entry) => {
    await expect(provided(entry).request(CONNECT)).rejects.toThrow()
  })

  it('leaves out accounts of other keys and networks, and lists each account once', async () => {
    const provider = provided(
      showing([
        { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', type: 'ethereum' },
        { address: ALICE, type: 'ecdsa' },
        { address: ALICE, genesisHash: `0x${'b0'.repeat(32)}` },
        { address: BOB, genesisHash: GENESIS, type: 'ed25519' },
        { address: bob, name: 'Again', genesisHash: null }
      ])
    )
    expect(await provider.request(CONNECT)).toEqual([{ address: bob }])
  })

  it('gives names without marks of direction and control, cut to 100 characters', async () => {
    const names = ['\u202Ecilb\u2066uP\u0000\n', 'x'.repeat(10_000), ' \u200B ', 7]
    const ids = [1, 2, 3, 4].map((byte) => addressOf(new Uint8Array(32).fill(byte), 42))
    const provider = provided(showing(ids.map((address, index) => ({ address, name: names[index] }))))
    await provider.request(CONNECT)
    expect((await provider.getAccounts()).map(({ name }) => name)).toEqual([
      'cilbuP',
      'x'.repeat(100),
      undefined,
      undefined
    ])
  })

  it('that never answers is asked once, and its late answer after a disconnection connects nothing', async () => {
    let answer = (_injected: unknown): void => {}
    const enable = vi.fn(() => new Promise((resolve) => (answer = resolve)))
    const provider = provided({ enable })
    const tries = [provider.request(CONNECT), provider.request(CONNECT)].map((one) => one.catch((error) => error))
    await vi.waitFor(() => expect(enable).toHaveBeenCalled())
    await provider.request({ method: 'wallet_disconnect' })
    expect(enable).toHaveBeenCalledTimes(1)
    answer({ accounts: { get: async () => [{ address: ALICE }] }, signer: {} })
    expect(await Promise.all(tries)).toMatchObject([{ code: 4100 }, { code: 4100 }])
    expect(await provider.getAccounts()).toEqual([])
  })

  it('tells nothing after the end, even where its subscription cannot be ended', async () => {
    let tell = (_accounts: unknown): void => {}
    const accounts = {
      get: async () => [{ address: ALICE }],
      subscribe: (listener: typeof tell) => {
        tell = listener
        return () => {
          throw new Error('broken')
        }
      }
    }
    const provider = provided(showing([], { accounts }))
    const changed = vi.fn()
    provider.on('accountsChanged', changed)
    await provider.request(CONNECT)
    tell([{ address: ALICE }])
    expect(changed).not.toHaveBeenCalled()
    await provider.request({ method: 'wallet_disconnect' })
    tell([{ address: BOB }])
    expect(changed).not.toHaveBeenCalled()
    const old = tell
    await provider.request(CONNECT)
    old([])
    expect(changed, 'by the subscription of an earlier connection').not.toHaveBeenCalled()
    tell([{ address: 'nonsense' }])
    expect(changed).toHaveBeenCalledWith([])
    tell([{ address: BOB }])
    expect(changed).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['none', undefined],
    ['one that throws', () => Promise.reject(new Error('broken'))],
    ['one that never answers', () => new Promise(() => {})],
    ['one that answers with nonsense', () => 7]
  ])('is connected with the subscription %s', async (_what, subscribe) => {
    const accounts = { get: async () => [{ address: ALICE }], subscribe }
    const provider = provided(showing([], { accounts }))
    expect(await provider.request(CONNECT)).toEqual([{ address: alice }])
    expect(await provider.request({ method: 'wallet_disconnect' })).toBeNull()
  })

  it.each([null, {}, { signature: '0x00' }, { signature: 7 }, { signature: `0x02${'ab'.repeat(64)}` }])(
    'signs nothing by the answer %j',
    async (answer) => {
      const signer = { signRaw: async () => answer, signPayload: async () => answer }
      const provider = provided(showing([{ address: ALICE }], { signer }))
      await provider.request(CONNECT)
      await expect(provider.signRaw({ data: '0x01' })).rejects.toThrow('without a signature')
      await expect(provider.signPayload(payload())).rejects.toThrow('without a signature')
    }
  )

  it('hands over a whole transaction only where it was asked for', async () => {
    const answer = { id: 'x', signature: `0x01${'AB'.repeat(64)}`, signedTransaction: '0xaabb' }
    const provider = provided(showing([{ address: ALICE }], { signer: { signPayload: async () => answer } }))
    await provider.request(CONNECT)
    const signature = `0x01${'ab'.repeat(64)}`
    expect(await provider.signPayload(payload())).toEqual({ id: 0, signature })
    const whole = payload({ withSignedTransaction: true })
    expect(await provider.signPayload(whole)).toEqual({ id: 0, signature, signedTransaction: '0xaabb' })
    answer.signedTransaction = 'nonsense'
    await expect(provider.signPayload(whole)).rejects.toThrow('without the signed transaction')
    await expect(provider.signRaw({ data: '0x01' })).rejects.toMatchObject({ code: 4200 })
  })
})

describe('the Polkadot adapter', () => {
  const entry = showing([{ address: ALICE }])
  const names = (adapter: PolkadotAdapter) => adapter.connectors.map(({ id, name }) => [id, name])

  it('finds extensions that came before and after it, each once, and asks none of them', () => {
    const enable = vi.fn()
    page.injectedWeb3 = { 'polkadot-js': { version: '0.62.6', enable } }
    const adapter = new PolkadotAdapter()
    expect(names(adapter)).toEqual([['polkadot:polkadot-js', 'Polkadot{.js}']])
    page.injectedWeb3 = { 'polkadot-js': { enable }, 'No version': { enable }, newer: { connect: enable } }
    expect(names(adapter).map(([, name]) => name)).toEqual(['Polkadot{.js}', 'No version', 'newer'])
    expect(adapter.connectors[0]).toMatchObject({ installed: true })
    expect(enable).not.toHaveBeenCalled()
  })

  it('prefers connect to enable, and presents the page by the name of the host', async () => {
    const [connect, enable] = [vi.fn(entry.enable), vi.fn(entry.enable)]
    await provided({ connect, enable }, { name: 'Halcyon' }).request(CONNECT)
    expect(connect).toHaveBeenCalledWith('Halcyon')
    expect(enable).not.toHaveBeenCalled()
  })

  it('leaves out entries that are no extension, and survives a page that throws', () => {
    const adapter = new PolkadotAdapter()
    expect(names(adapter)).toEqual([])
    page.injectedWeb3 = {
      a: null,
      b: {},
      c: { enable: 7 },
      '': entry,
      ['x'.repeat(10_000)]: entry,
      get d(): never {
        throw new Error('broken')
      },
      constructor: entry
    }
    expect(names(adapter)).toEqual([['polkadot:constructor', 'constructor']])
    for (const nonsense of [
      'text',
      7,
      null,
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('broken')
          }
        }
      )
    ]) {
      page.injectedWeb3 = nonsense
      expect(adapter.connectors).toHaveLength(1)
    }
  })

  it('keeps the page alive when thousands of extensions come', () => {
    page.injectedWeb3 = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`One ${index}`, entry]))
    expect(new PolkadotAdapter().connectors).toHaveLength(100)
  })

  it('spells addresses with the prefix that the host names, and refuses one that there cannot be', async () => {
    const own = `polkadot:${'ab'.repeat(16)}`
    const asked = { method: 'getAccounts', params: { network: own } }
    expect(await provided(entry).request(asked)).toEqual([{ address: ALICE }])
    const provider = provided(entry, { prefixes: { [own]: 2007 } })
    expect(await provider.request(asked)).toEqual([{ address: encodeAddress(ALICE, 2007) }])
    for (const prefix of [-1, 1.5, 16_384, Number.NaN])
      expect(() => new PolkadotAdapter({ prefixes: { [own]: prefix } })).toThrow(RangeError)
  })
})

describe('an address of Polkadot', () => {
  it('is read and written as another library does, for each kind of prefix', () => {
    const ids = [decodeAddress(ALICE), new Uint8Array(32).fill(255), new Uint8Array(32).fill(200, 1)]
    for (const prefix of [0, 1, 2, 42, 63, 64, 255, 2007, 16_383])
      for (const id of ids) {
        const address = addressOf(id, prefix)
        expect(address, String(prefix)).toBe(encodeAddress(id, prefix))
        expect(accountIdOf(address), address).toEqual(id)
      }
  })

  it('is of 32 bytes with the right checksum, in base58', () => {
    const short = encodeAddress(new Uint8Array(8), 42)
    const long = encodeAddress(new Uint8Array(33), 42)
    const flipped = ALICE.replace('G', 'H')
    for (const text of ['', short, long, flipped, `${ALICE.slice(0, -1)}0`, `${ALICE} `, null, 7, {}, 'l'.repeat(48)])
      expect(accountIdOf(text), String(text)).toBeUndefined()
  })

  it('has one spelling for each prefix', () => {
    // Account of 32 times 1: with prefix 0 in two bytes, and with 128 as its first byte, each with its right checksum.
    for (const text of [
      'VBo5gMYBDWp7aZ9x8EGq1WdEFwWqWgn12f7NHpzjEMjwsTzKd',
      'DmnkS4d9uGcDcwb6fS6u9jzVjiDSVYBtGwjvbz8mXZuGVhF7'
    ])
      expect(accountIdOf(text), text).toBeUndefined()
  })
})
