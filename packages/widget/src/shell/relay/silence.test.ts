import type { Session } from '@portico/walletconnect/dapp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SessionProvider } from './SessionProvider.ts'
import { ADDRESS, FakeClient, networksOf, sessionOf } from './test-client.ts'

let client: FakeClient
let reached = true
const silent = vi.fn()

function providerOf(session: Session): SessionProvider {
  const relay = { reached: () => reached, read: vi.fn(), summon: vi.fn(), silent, end: vi.fn() }
  return new SessionProvider({
    client: client.client,
    namespace: 'eip155',
    session,
    networks: networksOf({}),
    ...relay
  })
}

beforeEach(() => {
  client = new FakeClient()
  reached = true
})
afterEach(() => {
  vi.clearAllMocks()
  vi.useRealTimers()
})

describe('a wallet that does not answer', () => {
  const pays = sessionOf({
    namespaces: {
      eip155: {
        accounts: [`eip155:1:${ADDRESS}`],
        methods: ['personal_sign', 'eth_sendTransaction', 'wallet_getAssets'],
        events: [],
        chains: null
      }
    }
  })
  const never = () => new Promise<never>(() => {})
  const settled = vi.fn()

  function ask(method: string): void {
    settled.mockReset()
    providerOf(pays).request({ method }).then(settled, settled)
  }

  beforeEach(() => {
    vi.useFakeTimers()
    client.answer = never
  })

  it('is asked once whether it is there, and waited for when it is', async () => {
    ask('personal_sign')
    await vi.advanceTimersByTimeAsync(19_999)
    expect(client.pinged).toEqual([])
    await vi.advanceTimersByTimeAsync(200_000)
    expect(client.pinged).toEqual(['dd'])
    expect(silent).not.toHaveBeenCalled()
    expect(settled).not.toHaveBeenCalled()
  })

  it('and is not there is given up, and told of', async () => {
    client.pong = () => Promise.reject(new Error('8000'))
    ask('personal_sign')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(settled).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 4900 }))
    expect(silent).toHaveBeenCalledOnce()
  })

  it('and could pay later is told of, and not given up: its visitor would pay twice', async () => {
    client.pong = () => Promise.reject(new Error('8000'))
    ask('eth_sendTransaction')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(silent).toHaveBeenCalledOnce()
    expect(settled).not.toHaveBeenCalled()
  })

  it("and was asked behind the visitor's back is given up without a word", async () => {
    client.pong = () => Promise.reject(new Error('8000'))
    ask('wallet_getAssets')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(settled).toHaveBeenCalledOnce()
    expect(silent).not.toHaveBeenCalled()
  })

  it('is not suspected while the relay is gone, or went before the wallet could say that it is there', async () => {
    reached = false
    ask('personal_sign')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(client.pinged).toEqual([])
    client.pong = async () => {
      reached = !reached
      throw new Error('8000')
    }
    reached = true
    await vi.advanceTimersByTimeAsync(20_000)
    expect(client.pinged).toHaveLength(1)
    expect(settled).not.toHaveBeenCalled()
    reached = true
    client.pong = async () => {}
    await vi.advanceTimersByTimeAsync(20_000)
    expect(client.pinged).toHaveLength(2)
    expect(silent).not.toHaveBeenCalled()
  })

  it('in time is not asked', async () => {
    client.answer = async () => '0xsigned'
    ask('personal_sign')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(settled).toHaveBeenCalledExactlyOnceWith('0xsigned')
    expect(client.pinged).toEqual([])
  })
})
