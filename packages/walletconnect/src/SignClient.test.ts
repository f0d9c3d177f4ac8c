//! Two clients over a relay that misbehaves, and over stores that do.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, describe as group, it, vi } from 'vitest'
import type { EventName, EventOf } from './Client.ts'
import type { Records } from './records.ts'
import { SignClient } from './SignClient.ts'
import { FakeRelay } from './testing/FakeRelay.ts'

const NOW = 1_790_000_000_000
const CHAIN = 'eip155:1'
const ACCOUNT = `${CHAIN}:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266`
const what = { methods: ['personal_sign'], events: ['accountsChanged'] }
const asked = { eip155: { chains: [CHAIN], ...what } }
const granted = { eip155: { chains: [CHAIN], accounts: [ACCOUNT], ...what } }
const wasm = readFileSync(join(import.meta.dirname, '../wasm/wallet_bg.wasm'))

let relay: FakeRelay
let clients: SignClient[]

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  relay = new FakeRelay()
  clients = []
  return () => {
    for (const client of clients) client.stop()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
    vi.restoreAllMocks()
  }
})

async function start(name: string, storage: Records = new Map()): Promise<SignClient> {
  const client = await SignClient.start({
    relays: [{ relayUrl: 'wss://relay.example', projectId: '0'.repeat(32) }],
    metadata: { name, description: '', url: 'https://app.example', icons: [] },
    storage,
    webSocket: relay.open,
    wasm
  })
  clients.push(client)
  return client
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

function hear<Name extends EventName>(client: SignClient, name: Name): EventOf<Name>[] {
  const heard: EventOf<Name>[] = []
  client.on(name, (event) => heard.push(event))
  return heard
}

async function refusedApproval(wallet: SignClient): Promise<void> {
  const [proposal] = wallet.proposals
  if (!proposal) throw new Error('Nothing was proposed')
  await expect(wallet.approve(proposal, { namespaces: {} })).rejects.toBeInstanceOf(Error)
}

async function connect(dapp: SignClient, wallet: SignClient): Promise<string> {
  const { uri } = dapp.proposeNow({ optionalNamespaces: asked })
  await wallet.pair(uri)
  await pass(3)
  const [proposal] = wallet.proposals
  if (!proposal) throw new Error('Nothing was proposed')
  const approved = wallet.approve(proposal, { namespaces: granted })
  await pass(3)
  const { topic } = await approved
  expect(dapp.sessions.map((session) => session.topic)).toEqual([topic])
  return topic
}

async function expectAnswered(dapp: SignClient, wallet: SignClient, topic: string): Promise<void> {
  const answer = dapp.request({ topic, chainId: CHAIN, method: 'personal_sign', params: [] })
  await pass(40)
  const [request] = wallet.requests
  if (!request) throw new Error('Nothing was requested')
  const responded = wallet.respond(topic, request.id, { result: '0x' })
  await pass(3)
  await responded
  expect(await answer).toBe('0x')
  expect(wallet.requests).toEqual([])
}

group('a relay that', () => {
  it('refuses the key is told once, is left alone, and is tried again when asked', async () => {
    relay.meets = { code: 3000, reason: 'Unauthorized: invalid key' }
    const dapp = await start('dapp')
    const told = hear(dapp, 'relay')
    const { uri } = dapp.proposeNow({ optionalNamespaces: asked })
    expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
    await pass(120)
    expect(told.filter(({ state }) => state === 'refused')).toMatchObject([
      { relayUrl: 'wss://relay.example', code: 3000, reason: 'Unauthorized: invalid key' }
    ])
    expect(relay.sockets).toHaveLength(1)
    relay.meets = 'a relay'
    dapp.wake()
    await pass(1)
    expect(relay.sockets).toHaveLength(2)
    expect(told.at(-1)?.state).toBe('open')
  })

  it('says nothing keeps nobody waiting for the code, and is given up and tried again', async () => {
    relay.meets = 'silence'
    const dapp = await start('dapp')
    expect(dapp.proposeNow({ optionalNamespaces: asked }).expiryTimestamp).toBeGreaterThan(NOW / 1000)
    await pass(60)
    expect(relay.sockets.length).toBeGreaterThan(1)
    expect(relay.sockets.slice(0, -1).every(({ closed }) => closed)).toBe(true)
    relay.meets = 'a relay'
    await pass(60)
    expect(relay.connected).toBe(1)
  })

  it('talks nonsense ends no session', async () => {
    const dapp = await start('dapp')
    const wallet = await start('wallet')
    const topic = await connect(dapp, wallet)
    const delivery = (data: unknown) =>
      JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'irn_subscription', params: data })
    relay.nonsense = [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '['.repeat(100_000),
      `"${'x'.repeat(1_000_000)}"`,
      new ArrayBuffer(8),
      '{"id":0,"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}',
      '{"id":99,"jsonrpc":"2.0","result":true}',
      delivery(null),
      delivery({ id: 'a', data: { topic, message: 'AAAA', publishedAt: 0, tag: 1112 } }),
      delivery({ id: 'a', data: { topic, message: '!', publishedAt: -1, tag: 'x' } }),
      delivery({ id: 'a', data: { topic: 'b'.repeat(64), message: 'AHF3', publishedAt: 0, tag: 1108 } })
    ]
    await expectAnswered(dapp, wallet, topic)
    expect([dapp.sessions.length, wallet.sessions.length]).toEqual([1, 1])
  })

  it('breaks while a request is under way is found again, and the request is answered', async () => {
    const dapp = await start('dapp')
    const wallet = await start('wallet')
    const topic = await connect(dapp, wallet)
    const answer = dapp.request({ topic, chainId: CHAIN, method: 'personal_sign', params: [] })
    relay.cut()
    await pass(60)
    expect(relay.connected).toBe(2)
    const [request] = wallet.requests
    relay.cut()
    const responded = wallet.respond(topic, request?.id ?? 0, { error: { code: 5000, message: 'User rejected.' } })
    const refused = expect(answer).rejects.toMatchObject({ code: 5000, message: 'User rejected.' })
    await pass(60)
    await Promise.all([responded, refused])
  })

  it('is gone for good leaves a request no longer than it lives', async () => {
    const dapp = await start('dapp')
    const wallet = await start('wallet')
    const topic = await connect(dapp, wallet)
    relay.meets = 'silence'
    relay.cut()
    const refused = expect(
      dapp.request({ topic, chainId: CHAIN, method: 'personal_sign', params: [] })
    ).rejects.toMatchObject({ code: 8000 })
    await pass(310)
    await refused
    expect(dapp.sessions).toHaveLength(1)
  })
})

group('a store that', () => {
  it('is full does not keep anybody from connecting, and says so', async () => {
    const full: Records = {
      entries: () => [],
      set() {
        throw new DOMException('full', 'QuotaExceededError')
      },
      delete: () => undefined
    }
    const dapp = await start('dapp', full)
    const refused = hear(dapp, 'storageRefused')
    const wallet = await start('wallet')
    await expectAnswered(dapp, wallet, await connect(dapp, wallet))
    expect(refused.length).toBeGreaterThan(0)
  })

  it('holds nonsense is one that holds nothing', async () => {
    const keys = ['wc/key', 'wc/session/a', 'wc/pairing/b', 'wc/proposal/1', 'wc/request/1', 'wc/seen/a', 'wc/what']
    const values = ['', '{', 'null', '{}', '[]', '"x"', '{"topic":1}', '['.repeat(10_000)]
    const stored = new Map(keys.map((key, index) => [key, values[index % values.length] ?? '']))
    const dapp = await start('dapp', stored)
    const wallet = await start(
      'wallet',
      new Map(keys.map((key, index) => [key, values[(index + 3) % values.length] ?? '']))
    )
    expect(dapp.sessions).toEqual([])
    await expectAnswered(dapp, wallet, await connect(dapp, wallet))
  })

  it('is the same for two tabs tells each what the other did', async () => {
    const shared = new Map<string, string>()
    const tabs: ((key: string, value: string | null) => void)[] = []
    const tab = (): Records => {
      let own: (key: string, value: string | null) => void = () => undefined
      const others = (key: string, value: string | null) => {
        for (const tell of tabs) if (tell !== own) tell(key, value)
      }
      return {
        entries: () => [...shared],
        set(key, value) {
          shared.set(key, value)
          others(key, value)
        },
        delete(key) {
          shared.delete(key)
          others(key, null)
        },
        listen(tell) {
          own = tell
          tabs.push(tell)
          return () => tabs.splice(tabs.indexOf(tell), 1)
        }
      }
    }
    const one = await start('dapp', tab())
    const two = await start('dapp', tab())
    const wallet = await start('wallet')
    const topic = await connect(one, wallet)
    expect(two.sessions.map((session) => session.topic)).toEqual([topic])
    await expectAnswered(two, wallet, topic)
    const deleted = hear(two, 'deleted')
    const ending = one.delete(topic)
    await pass(3)
    await ending
    expect(deleted).toMatchObject([{ topic }])
    expect([one.sessions, two.sessions, wallet.sessions]).toEqual([[], [], []])
    expect([...shared.keys()].filter((key) => key.startsWith('wc/session/'))).toEqual([])
  })
})

group('a listener', () => {
  it('that throws does not keep the next one from hearing, and one that was taken away hears nothing', async () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const dapp = await start('dapp')
    const heard = vi.fn()
    dapp.on('relay', () => {
      throw new Error('of the page')
    })
    const away = dapp.on('relay', heard)
    dapp.proposeNow({ optionalNamespaces: asked })
    await pass(1)
    const times = heard.mock.calls.length
    expect(times).toBeGreaterThan(0)
    expect(reported).toHaveBeenCalledTimes(times)
    away()
    relay.cut()
    await pass(5)
    expect(heard).toHaveBeenCalledTimes(times)
    vi.unstubAllGlobals()
  })
})

group('a wallet that is asked for a sign-in', () => {
  const asking = {
    ...{ chains: [CHAIN], domain: 'app.example', aud: 'https://app.example', nonce: '12345678' },
    methods: ['personal_sign']
  }

  it('and does not listen to it is shown the proposal', async () => {
    const [dapp, wallet] = [await start('dapp'), await start('wallet')]
    const { uri } = await dapp.authenticate(asking)
    await wallet.pair(uri)
    await pass(3)
    expect(wallet.proposals).toMatchObject([{ optionalNamespaces: { eip155: { chains: [CHAIN] } } }])
  })

  it('and listens has a session of what it signed, as the application has', async () => {
    const [dapp, wallet] = [await start('dapp'), await start('wallet')]
    const told = hear(wallet, 'authenticateAsked')
    const authenticated = hear(dapp, 'authenticated')
    await wallet.pair((await dapp.authenticate({ ...asking, chains: [CHAIN, 'eip155:10'] })).uri)
    await pass(3)
    expect(wallet.proposals).toEqual([])
    const id = told[0]?.request.id ?? 0
    const { message, payload } = await wallet.authenticateMessage(id, `did:pkh:${ACCOUNT}`, { chains: [CHAIN] })
    expect(message).toContain("(1) 'request': 'personal_sign' for 'eip155'.")
    const approved = wallet.approveAuthenticate(id, [
      { h: { t: 'caip122' }, p: payload, s: { t: 'eip191', s: '0x00' } }
    ])
    await pass(3)
    const session = await approved
    expect(session?.namespaces).toMatchObject({ eip155: { accounts: [ACCOUNT], methods: ['personal_sign'] } })
    expect(authenticated[0]?.session?.topic).toBe(session?.topic)
    expect([dapp.sessions, wallet.sessions].map((all) => all.map(({ topic }) => topic))).toEqual([
      [session?.topic],
      [session?.topic]
    ])
  })
})

group('a client that is started', () => {
  it('waits while another tab starts one, since both would draw a key', async () => {
    let others: () => void = () => undefined
    const locks = {
      request: async (_: string, __: LockOptions, make: () => unknown) => {
        await new Promise<void>((resolve) => {
          others = resolve
        })
        return make()
      }
    }
    vi.stubGlobal('navigator', { locks })
    const records = new Map<string, string>()
    const starting = start('dapp', records)
    await pass(1)
    expect([...records.keys()]).toEqual([])
    const key = 'ab'.repeat(32)
    records.set('wc/key', key)
    others()
    await starting
    expect([...records]).toEqual([['wc/key', key]])
    vi.unstubAllGlobals()
  })

  it('waits for no tab that is stuck', async () => {
    const over = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal)
    const request = (_: string, { signal }: LockOptions) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    vi.stubGlobal('navigator', { locks: { request } })
    const records = new Map<string, string>()
    const starting = start('dapp', records)
    await pass(1)
    expect([...records.keys()]).toEqual([])
    over.abort()
    await starting
    expect([...records.keys()]).toEqual(['wc/key'])
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it('does so without locks where the page may have none', async () => {
    vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } })
    const records = new Map<string, string>()
    await start('dapp', records)
    expect([...records.keys()]).toEqual(['wc/key'])
    vi.unstubAllGlobals()
  })
})

it('a client whose configuration is not understood leaves no listener behind', async () => {
  let listening = 0
  const storage: Records = {
    entries: () => [],
    set: () => undefined,
    delete: () => undefined,
    listen() {
      listening += 1
      return () => {
        listening -= 1
      }
    }
  }
  const started = SignClient.start({
    relays: 'none' as never,
    metadata: { name: '', description: '', url: '', icons: [] },
    storage,
    wasm
  })
  await expect(started).rejects.toThrow('Not understood')
  expect(listening).toBe(0)
})

it('a proposal whose approval was refused is still there to be answered', async () => {
  const [dapp, wallet] = [await start('App'), await start('Wallet')]
  const { uri } = dapp.proposeNow({ requiredNamespaces: asked })
  await wallet.pair(uri)
  await pass(3)
  await refusedApproval(wallet)
  expect(wallet.proposals).toHaveLength(1)
})

it('a request that was answered where nobody is known is still there', async () => {
  const [dapp, wallet] = [await start('App'), await start('Wallet')]
  const topic = await connect(dapp, wallet)
  dapp.request({ topic, chainId: CHAIN, method: 'personal_sign', params: [] }).catch(() => undefined)
  await pass(3)
  await expect(wallet.respond('00', wallet.requests[0]?.id ?? 0, { result: 1 })).rejects.toMatchObject({ code: 7001 })
  expect(wallet.requests).toHaveLength(1)
})

it('how the relays stand is known to whoever comes later', async () => {
  const [dapp, wallet] = [await start('App'), await start('Wallet')]
  expect(dapp.relays.size).toBe(0)
  await connect(dapp, wallet)
  expect(dapp.relays.get('wss://relay.example')?.state).toBe('open')
})
