//! The built core in a shell: tests that no data is lost in the conversion between Rust and TypeScript.

// @vitest-environment happy-dom

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createScriptedProvider } from '@portico/testkit'
import { afterEach, beforeAll, beforeEach, expect, describe as group, it, vi } from 'vitest'
import { Core, initSync, __wbg_reset_state as renew } from '../../wasm/portico.js'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import type { Boot, CoreEvent, HostAnswer, Snapshot } from '../generated/core.ts'
import { idle } from '../generated/idle.ts'
import type { Engine } from '../host/engine.ts'
import type { CreateAppKit } from '../host/options.ts'
import { PorticoError } from '../host/PorticoError.ts'
import { Calls } from './calls.ts'
import { optionsToJson } from './describe.ts'
import { externalWallets } from './listen/external.ts'
import { Page } from './page.ts'
import { relayHands } from './relay/hands.ts'
import { handleOf, Relay } from './relay/sessions.ts'
import { FakeClient, networksOf, sessionOf } from './relay/test-client.ts'
import { Shell } from './shell.ts'
import { Store } from './store.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const network = {
  id: 31337,
  name: 'Anvil',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['https://rpc.example'] } }
}

const file = (name: string) => readFileSync(join(import.meta.dirname, '../../wasm', name))

let store: Store
let page: Page
let settled: [number, HostAnswer][]
let calls: string[]
let host: Calls | undefined

beforeAll(() => {
  initSync({ module: file('portico_bg.wasm') })
})

beforeEach(() => {
  localStorage.clear()
  store = new Store(idle)
  page = new Page()
  settled = []
  calls = []
  host = undefined
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('No network in this test')))
})

function shell(
  options: Parameters<typeof optionsToJson>[0] = {
    projectId: 'test',
    networks: [network],
    adapters: [{ namespace: 'eip155' }]
  }
) {
  const boot: Boot = {
    environment: {
      mobile: false,
      ios: false,
      android: false,
      mac: false,
      safari: false,
      telegram: false,
      origin: 'https://page.example',
      page: 'https://page.example/',
      seed: '0'
    },
    options: optionsToJson(options),
    stored: []
  }
  const one = new Shell({
    store,
    page,
    host: {
      settle(...answer) {
        settled.push(answer)
        host?.tickets.settle(...answer)
      },
      publish: () => {},
      warn: () => {},
      log: () => {}
    },
    near: () => document.body,
    mounted: Promise.resolve(),
    relay: relayHands({
      options: () => ({ projectId: 'test', networks: [network] }),
      networks: new Map(),
      page,
      dispatch() {},
      read: () => Promise.reject(new Error('No reads in this test'))
    }),
    connectSigned: () => undefined,
    signIn: () => Promise.reject(new Error('No sign-in in this test')),
    frame: {
      open: () => Promise.reject(new Error('No frame in this test')),
      ask: () => Promise.reject(new Error('No frame in this test')),
      lead: () => Promise.reject(new Error('No window in this test'))
    },
    coreParts: {
      fetch: () => {},
      open: async (part) => {
        const p = { ...initSync({ module: file('portico_bg.wasm') }) }
        const { instance } = await WebAssembly.instantiate(file('portico_home.wasm'), { p })
        const h = { ...instance.exports }
        if (part !== 'home') await WebAssembly.instantiate(file(`portico_${part}.wasm`), { p, h })
        return { type: 'done' }
      }
    },
    boot: (text, now) => new Core(text, now),
    renew: () => {
      calls.push('renew')
      renew()
    },
    describe: () => boot,
    now: Date.now,
    log: () => calls.push('log'),
    lost: () => calls.push('lost'),
    stopped: () => calls.push('stopped')
  })
  one.begin([])
  return one
}

function announce(provider: object) {
  const info = { uuid: 'u-1', name: 'Wallet', rdns: 'com.example', icon: '' }
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
}

group('a library that reads through the provider of a session', () => {
  const answers: (() => Response)[] = []
  const bodies: unknown[] = []

  /** Provider of a session, whose reads the built core sends. */
  function provider() {
    const one = shell()
    const calls = new Calls({} as Engine, page, PorticoError, one.dispatch)
    host = calls
    const client = new FakeClient()
    const eip155 = { accounts: [`eip155:31337:${ADDRESS}`], methods: [], events: [], chains: null }
    client.sessions = [sessionOf({ namespaces: { eip155 } })]
    const options = { projectId: 'test', networks: [network] } as unknown as CreateAppKit
    const read: Calls['readChain'] = (...read) => calls.readChain(...read)
    void new Relay(
      { options: () => options, networks: networksOf({}), page, dispatch: one.dispatch, read },
      client.client
    )
    const own = page.providers.get(handleOf('eip155', 'dd'))
    if (!own) throw new Error('The session has a provider')
    return own
  }

  /** Responses of a node that has a result for each method. */
  function results(): Response {
    const asked = [bodies.at(-1)].flat() as { id: number; method: string }[]
    return Response.json(asked.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: `of ${method}` })))
  }

  beforeEach(() => {
    vi.useFakeTimers()
    answers.length = 0
    bodies.length = 0
    vi.stubGlobal('fetch', async (_: unknown, { body }: RequestInit) => {
      bodies.push(JSON.parse(String(body)))
      return (answers.shift() ?? results)()
    })
  })
  afterEach(() => vi.useRealTimers())

  it('spec_8_53 sends what it asks at the same time in one batch, and again after the time of Retry-After', async () => {
    answers.push(() => new Response('', { status: 429, headers: { 'Retry-After': '2' } }))
    const own = provider()
    const both = Promise.all(['eth_blockNumber', 'eth_gasPrice'].map((method) => own.request({ method })))
    await vi.waitFor(() => expect(bodies).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(1_900)
    expect(bodies).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(bodies[1]).toMatchObject([{ method: 'eth_blockNumber' }, { method: 'eth_gasPrice' }])
    expect(await both).toEqual(['of eth_blockNumber', 'of eth_gasPrice'])
  })

  it('is told what a node refuses, with the data of a revert', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    answers.push(() => Response.json({ jsonrpc: '2.0', id: 0, error }))
    const asked = provider().request({ method: 'eth_call', params: [{ to: ADDRESS }, 'latest'] })
    const refused = expect(asked).rejects.toMatchObject(error)
    await vi.waitFor(() => expect(bodies).toHaveLength(1))
    await refused
  })
})

group('the built core', () => {
  it('tells a first snapshot with every field that the idle one has', () => {
    shell()
    const fields = (snapshot: Snapshot) =>
      Object.entries(snapshot).map(([name, view]) => [name, Object.keys(view ?? {}).sort()])
    expect(fields(store.get())).toEqual(fields(idle))
    expect(store.get().network.active).toMatchObject({ caipNetworkId: 'eip155:31337', name: 'Anvil' })
  })

  it('takes letters of every script, and numbers that no float holds', async () => {
    const one = shell()
    const text = 'Größe 钱包 محفظة 🦊 \u2028 "\\'
    one.dispatch({ feature: 'notice', event: { type: 'hostSaid', variant: 'error', text, autoClose: null } })
    expect(store.get().notice.snack?.text).toBe(text)
    const big = { ...network, id: 9007199254740993n } as unknown as typeof network
    one.dispatch({
      feature: 'network',
      event: { type: 'networkAdded', namespace: 'eip155', network: big, ticket: null }
    })
    const ids = () => store.get().network.networks.map(({ id }) => id)
    await vi.waitFor(() => expect(ids()).toContain('9007199254740993'))
  })

  it('connects: an event in, requests out, the account in the store, the host answered once', async () => {
    const provider = createScriptedProvider([
      { method: 'eth_requestAccounts', does: 'answer', value: [ADDRESS.toLowerCase()] },
      { method: 'eth_chainId', does: 'answer', value: '0x7a69' }
    ])
    const one = shell()
    announce(provider)
    one.dispatch({
      feature: 'connect',
      event: { type: 'connectAsked', connector: 'com.example', namespace: null, ticket: 4 }
    })
    await vi.waitFor(() => expect(settled).toHaveLength(1))
    expect(settled[0]).toEqual([
      4,
      { type: 'resolved', value: expect.objectContaining({ caipAddress: `eip155:31337:${ADDRESS}` }) }
    ])
    expect(store.get().account.accounts[0]).toMatchObject({ isConnected: true, address: ADDRESS, status: 'connected' })
    expect(provider.listenerCount('accountsChanged')).toBe(1)
    provider.emit('accountsChanged', [])
    expect(store.get().account.accounts[0]).toMatchObject({ isConnected: false })
    expect(provider.listenerCount('accountsChanged')).toBe(0)
    provider.assertDone()
  })

  it('logs that it left out a list item of the server that does not fit', async () => {
    const config = { id: 'test', originAllowed: true, chains: [], features: ['onramp', 7], limits: {} }
    vi.stubGlobal('fetch', async (url: URL) => {
      if (!url.pathname.endsWith('/config')) throw new TypeError('No network in this test')
      return new Response(JSON.stringify(config))
    })
    const provider = createScriptedProvider([
      { method: 'eth_requestAccounts', does: 'answer', value: [ADDRESS.toLowerCase()] },
      { method: 'eth_chainId', does: 'answer', value: '0x7a69' }
    ])
    const one = shell({
      projectId: 'test',
      endpoints: 'https://host.example',
      networks: [network],
      adapters: [{ namespace: 'eip155' }]
    })
    announce(provider)
    one.dispatch({
      feature: 'connect',
      event: { type: 'connectAsked', connector: 'com.example', namespace: null, ticket: 4 }
    })
    await vi.waitFor(() => expect(settled).toHaveLength(1))
    one.dispatch({
      feature: 'modal',
      event: { type: 'openAsked', view: null, namespace: null, uri: null, arguments: null, ticket: null }
    })
    await vi.waitFor(() => expect(store.get().account.accounts[0]?.walletFeatures).toContain('onramp'))
    expect(calls.filter((call) => call === 'log')).toHaveLength(1)
  })

  it('connects through a wallet that the host brings along', async () => {
    const provider = createScriptedProvider([
      { method: 'eth_requestAccounts', does: 'answer', value: [ADDRESS.toLowerCase()] },
      { method: 'eth_chainId', does: 'answer', value: '0x7a69' }
    ])
    const wallet = { id: 'ours', name: 'Our Wallet', imageUrl: 'https://page.example/ours.svg', provider }
    const options = {
      projectId: 'test',
      networks: [network] as const,
      adapters: [new EthersAdapter({ connectors: [wallet] })]
    }
    page.external = () => externalWallets(options)
    const one = shell(options)
    one.dispatch({
      feature: 'modal',
      event: { type: 'openAsked', view: null, namespace: null, uri: null, arguments: null, ticket: null }
    })
    expect(store.get().wallets.groups.find(({ kind }) => kind === 'external')?.items).toMatchObject([
      { id: 'ours', name: 'Our Wallet', imageUrl: 'https://page.example/ours.svg' }
    ])
    one.dispatch({
      feature: 'connect',
      event: { type: 'connectAsked', connector: 'ours', namespace: null, ticket: 6 }
    })
    await vi.waitFor(() => expect(settled).toHaveLength(1))
    expect(settled[0]).toEqual([6, { type: 'resolved', value: expect.objectContaining({ connectorId: 'ours' }) }])
    expect(store.get().account.accounts[0]).toMatchObject({
      address: ADDRESS,
      connectedWalletInfo: { type: 'EXTERNAL', handle: 'ours' }
    })
    provider.assertDone()
  })

  it('types whatever a wallet throws', async () => {
    const provider = createScriptedProvider([
      { method: 'eth_requestAccounts', does: 'throw', reason: { code: 4001, message: 'no' } }
    ])
    const one = shell()
    announce(provider)
    one.dispatch({
      feature: 'connect',
      event: { type: 'connectAsked', connector: 'com.example', namespace: null, ticket: 5 }
    })
    await vi.waitFor(() => expect(settled).toHaveLength(1))
    expect(settled[0]).toEqual([5, { type: 'rejected', error: { reason: 'userRejected', message: 'no', code: 4001 } }])
  })

  it('keeps what it did not change as the same object', () => {
    const one = shell()
    const before = store.get()
    one.dispatch({
      feature: 'modal',
      event: { type: 'openAsked', view: null, namespace: null, uri: null, arguments: null, ticket: null }
    })
    const after = store.get()
    expect(after.modal.open).toBe(true)
    expect(after.network).toBe(before.network)
    expect(after.send).toBe(before.send)
  })

  it('reads options that are nonsense, and says so in an alert', () => {
    shell({ projectId: 'test', networks: [] } as never)
    expect(store.get().notice.alert).toEqual({ key: 'invalidOptions', detail: 'networks: add at least one network' })
  })

  it('that refuses an event goes on, and who asked is told', () => {
    const one = shell()
    one.dispatch({ feature: 'modal', event: { type: 'nonsense' } } as unknown as CoreEvent)
    one.dispatch({
      feature: 'connect',
      event: { type: 'connectAsked', connector: 7, ticket: 3 }
    } as unknown as CoreEvent)
    expect(calls).toEqual(['log', 'log'])
    expect(settled).toEqual([[3, { type: 'rejected', error: expect.objectContaining({ reason: 'invalidArgument' }) }]])
    expect(store.get().notice.alert).toBeNull()
    one.dispatch({
      feature: 'modal',
      event: { type: 'openAsked', view: null, namespace: null, uri: null, arguments: null, ticket: null }
    })
    expect(store.get().modal.open).toBe(true)
    expect(calls).toEqual(['log', 'log'])
  })
})
