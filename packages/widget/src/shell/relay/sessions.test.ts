// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConnectEvent, CoreEvent } from '../../generated/core.ts'
import type { CreateAppKit } from '../../host/options.ts'
import { Page } from '../page.ts'
import { handleOf, Relay } from './sessions.ts'
import { ADDRESS, FakeClient, networksOf, sessionOf } from './test-client.ts'

const handle = handleOf('eip155', 'dd')

const opened = { type: 'relay', relayUrl: 'wss://relay.example', state: 'open', code: null, reason: null } as const

let networks = networksOf({})
let client: FakeClient
let page: Page
let told: ConnectEvent[]
const read = vi.fn(async (..._: unknown[]): Promise<unknown> => ({ jsonrpc: '2.0', id: 0, result: '0x10' }))

function start(): Relay {
  const dispatch = (event: CoreEvent) => {
    if (event.feature === 'connect') told.push(event.event)
  }
  const options = { projectId: 'demo', networks: [] } as unknown as CreateAppKit
  return new Relay({ options: () => options, networks, page, dispatch, read }, client.client)
}

beforeEach(() => {
  client = new FakeClient()
  networks = networksOf({})
  page = new Page()
  told = []
})
afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

describe('a pairing', () => {
  it('is there in the same stack', () => {
    const namespaces = { eip155: { chains: ['eip155:1'], methods: [], events: [] } }
    expect(start().pair(namespaces)).toEqual({
      type: 'answered',
      value: {
        uri: 'wc:aa@2?symKey=bb',
        topic: 'aa',
        expiryTimestamp: 1_800_000_000
      }
    })
    expect(client.asked).toEqual([{ optionalNamespaces: namespaces }])
  })

  it('asks the relays that refused again: whoever tries anew may have mended something', () => {
    const relay = start()
    client.propose = () => {
      expect(client.woken).toBe(1)
      throw new Error('seen')
    }
    expect(() => relay.pair({})).toThrow('seen')
  })

  it('is told to the host as well, who may draw nothing', () => {
    const relay = start()
    const [told, left] = [vi.fn(), vi.fn()]
    relay.universal.on('display_uri', told).on('display_uri', left).removeListener('display_uri', left)
    relay.pair({})
    expect(told).toHaveBeenCalledExactlyOnceWith('wc:aa@2?symKey=bb')
    expect(left).not.toHaveBeenCalled()
  })

  it('that the client cannot make is told as a failure', () => {
    client.propose = () => {
      throw new Error('stopped')
    }
    expect(() => start().pair({})).toThrow('stopped')
  })

  it('that is for nobody any more is taken back, whether or not a relay can be reached', () => {
    expect(start().close('aa')).toEqual({ type: 'done' })
    expect(client.cancelled).toEqual(['aa'])
  })

  it('whose time is over leaves nothing in storage, and one that another tab stored meanwhile stays', () => {
    start()
    for (const [topic, left] of [
      ['bb', true],
      ['aa', false]
    ] as const) {
      localStorage.setItem('@portico/pairing', JSON.stringify({ topic, uri: `wc:${topic}@2` }))
      client.tell({ type: 'proposalExpired', pairingTopic: 'aa' })
      expect(localStorage.getItem('@portico/pairing') !== null).toBe(left)
    }
  })

  it('that a wallet refuses is told with its reason', () => {
    start()
    client.tell({ type: 'rejected', pairingTopic: 'aa', code: 5000, message: 'no' })
    expect(told).toEqual([{ type: 'pairingRejected', topic: 'aa', code: 5000, message: 'no' }])
  })
})

describe('a session', () => {
  it('has a provider before the core hears of it', async () => {
    start()
    const session = sessionOf()
    client.tell({ type: 'settled', session, pairingTopic: 'aa' })
    expect(told).toEqual([{ type: 'sessionSettled', session }])
    expect(await page.providers.get(handle)?.request({ method: 'eth_accounts' })).toEqual([ADDRESS])
  })

  it('of an earlier visit has one from the beginning', () => {
    client.sessions = [sessionOf()]
    expect(start().sessions()).toHaveLength(1)
    expect(page.providers.has(handle)).toBe(true)
  })

  it('that the wallet ends is told, and its provider is gone', async () => {
    client.sessions = [sessionOf()]
    start()
    const provider = page.providers.get(handle)
    client.tell({ type: 'deleted', topic: 'dd', code: 6000, message: 'bye' })
    expect(told).toEqual([{ type: 'sessionEnded', topic: 'dd' }])
    expect(page.providers.has(handle)).toBe(false)
    await expect(provider?.request({ method: 'eth_accounts' })).rejects.toMatchObject({ code: 4900 })
  })

  it('whose time is over is told as well', () => {
    client.sessions = [sessionOf()]
    start()
    client.tell({ type: 'expired', topic: 'dd' })
    expect(told).toEqual([{ type: 'sessionEnded', topic: 'dd' }])
  })

  it('that is ended here is over at once, whether or not a relay can be reached', async () => {
    client.sessions = [sessionOf()]
    const relay = start()
    const provider = page.providers.get(handle)
    expect(relay.end('dd')).toEqual({ type: 'done' })
    expect(client.ended).toEqual(['dd'])
    expect(told).toEqual([])
    await expect(provider?.request({ method: 'eth_accounts' })).rejects.toMatchObject({ code: 4900 })
  })

  it('that changes is told; one that nobody here knows is not', () => {
    client.sessions = [sessionOf()]
    start()
    client.tell({ type: 'updated', session: sessionOf({ topic: 'ee' }) })
    expect(told).toEqual([])
    client.tell({ type: 'extended', session: sessionOf({ expiry: 1 }) })
    expect(told).toEqual([{ type: 'sessionChanged', session: sessionOf({ expiry: 1 }) }])
  })

  it('tells what happens in the wallet to the provider of that namespace alone', () => {
    const solana = { accounts: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:abc'], methods: [], events: [], chains: null }
    client.sessions = [sessionOf({ namespaces: { ...sessionOf().namespaces, solana } })]
    start()
    const [evm, other] = [vi.fn(), vi.fn()]
    page.providers.get(handle)?.on?.('chainChanged', evm)
    page.providers.get(handleOf('solana', 'dd'))?.on?.('chainChanged', other)
    client.tell({ type: 'emitted', topic: 'dd', chainId: 'eip155:1', name: 'chainChanged', data: 10 })
    client.tell({ type: 'emitted', topic: 'ee', chainId: 'eip155:1', name: 'chainChanged', data: 1 })
    expect(evm).toHaveBeenCalledExactlyOnceWith('0xa')
    expect(other).not.toHaveBeenCalled()
  })

  it('opens the app of the wallet with each request, in the same stack, once the core knows its link', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null)
    client.sessions = [sessionOf()]
    const relay = start()
    await page.providers.get(handle)?.request({ method: 'personal_sign' })
    expect(open).not.toHaveBeenCalled()
    relay.link(handle, 'rainbow://wc?sessionTopic=dd')
    void page.providers.get(handle)?.request({ method: 'personal_sign' })
    expect(open).toHaveBeenCalledExactlyOnceWith('rainbow://wc?sessionTopic=dd', '_self')
  })

  it('stands on the chain of the core, not on the first that the wallet names', async () => {
    client.sessions = [sessionOf()]
    const relay = start()
    relay.stand(handle, 'eip155:10')
    relay.stand(handleOf('solana', 'dd'), 'solana:x')
    relay.stand(handleOf('eip155', 'stranger'), 'eip155:1')
    await page.providers.get(handle)?.request({ method: 'personal_sign' })
    expect(client.asked).toMatchObject([{ chainId: 'eip155:10' }])
  })

  it('reads the chain by way of the core', async () => {
    client.sessions = [sessionOf()]
    start()
    expect(await page.providers.get(handle)?.request({ method: 'eth_blockNumber' })).toBe('0x10')
    expect(read).toHaveBeenCalledExactlyOnceWith('eip155:1', 'eth_blockNumber', undefined)
  })

  it('whose wallet is not there is told, once its relay answers', async () => {
    vi.useFakeTimers()
    client.sessions = [sessionOf()]
    client.answer = () => new Promise(() => {})
    client.pong = () => Promise.reject(new Error('8000'))
    start()
    const asked = page.providers.get(handle)?.request({ method: 'personal_sign' })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(told).toEqual([])
    client.tell(opened)
    const refused = expect(asked).rejects.toMatchObject({ code: 4900 })
    await vi.advanceTimersByTimeAsync(20_000)
    await refused
    expect(told.at(-1)).toEqual({ type: 'walletSilent', topic: 'dd' })
    vi.useRealTimers()
  })
})

it('how a relay stands is told', () => {
  start()
  client.tell({ type: 'relay', relayUrl: 'wss://relay.example', state: 'refused', code: 3000, reason: 'invalid key' })
  client.tell(opened)
  expect(told).toEqual([
    { type: 'relayTold', relay: 'wss://relay.example', state: 'refused', reason: 'invalid key' },
    { type: 'relayTold', relay: 'wss://relay.example', state: 'open', reason: null }
  ])
})

it('how the relays stand is told to a core that comes later, and counts for sessions of before', async () => {
  vi.useFakeTimers()
  client.tell(opened)
  client.sessions = [sessionOf()]
  client.answer = () => new Promise(() => {})
  const relay = start()
  expect(told).toEqual([])
  relay.tellRelays()
  expect(told).toEqual([{ type: 'relayTold', relay: 'wss://relay.example', state: 'open', reason: null }])
  void page.providers.get(handle)?.request({ method: 'personal_sign' })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(client.pinged).toEqual(['dd'])
  vi.useRealTimers()
})

it('a host speaks to the session that its modal shows, not to a later one of another tab', async () => {
  client.sessions = [sessionOf()]
  const { universal } = start()
  page.watches.set(handle, () => {})
  client.tell({ type: 'settled', session: sessionOf({ topic: 'ee' }), pairingTopic: 'ab' })
  expect(universal.session?.topic).toBe('dd')
  await universal.request({ method: 'personal_sign' })
  expect(client.asked).toMatchObject([{ topic: 'dd' }])
  await expect(universal.disconnect()).rejects.toThrow('No relay')
  expect(client.ended).toEqual(['dd'])
})

it('a session whose only chain of Ethereum has no number has no provider there', () => {
  const eip155 = { accounts: [`eip155:abc:${ADDRESS}`], methods: [], events: [], chains: ['eip155:0x1', 'eip155:'] }
  client.sessions = [sessionOf({ namespaces: { eip155 } })]
  start()
  expect(page.providers.size).toBe(0)
})

it('a host reaches the client and the session that was settled last', async () => {
  const { universal } = start()
  await expect(universal.request({ method: 'personal_sign' })).rejects.toThrow('No session found')
  client.tell({ type: 'settled', session: sessionOf(), pairingTopic: 'aa' })
  expect(universal.session?.topic).toBe('dd')
  expect(await universal.request({ method: 'personal_sign' }, 'eip155:10')).toBe('answered')
})

it('a host that ends the session past the modal is heard by the core, as of a wallet that is gone', async () => {
  client.sessions = [sessionOf()]
  const { universal } = start()
  const gone = vi.fn()
  page.providers.get(handle)?.on?.('disconnect', gone)
  await expect(universal.disconnect()).rejects.toThrow('No relay')
  expect(client.ended).toEqual(['dd'])
  expect(gone).toHaveBeenCalledOnce()
  expect(universal.session).toBeUndefined()
  expect(told).toEqual([])
  await universal.disconnect()
  expect(client.ended).toEqual(['dd'])
})

it('a host hears what happens to sessions, and what their providers tell', () => {
  const { universal } = start()
  const heard = vi.fn()
  const events = ['connect', 'session_update', 'session_event', 'chainChanged', 'session_delete', 'disconnect']
  for (const name of events) universal.on(name, (payload: unknown) => heard(name, payload))
  const session = sessionOf()
  client.tell({ type: 'settled', session, pairingTopic: 'aa' })
  client.tell({ type: 'updated', session })
  client.tell({ type: 'emitted', topic: 'dd', chainId: 'eip155:1', name: 'chainChanged', data: 10 })
  client.tell({ type: 'deleted', topic: 'dd', code: 6000, message: 'bye' })
  const event = { name: 'chainChanged', data: 10 }
  expect(heard.mock.calls).toEqual([
    ['connect', { session }],
    ['session_update', { topic: 'dd', params: { namespaces: session.namespaces } }],
    ['chainChanged', '0xa'],
    ['session_event', { topic: 'dd', params: { event, chainId: 'eip155:1' } }],
    ['disconnect', expect.objectContaining({ code: 4900 })],
    ['session_delete', { topic: 'dd' }]
  ])
})
