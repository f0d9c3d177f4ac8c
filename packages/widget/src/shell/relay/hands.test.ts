import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CreateAppKit } from '../../host/options.ts'
import { Page } from '../page.ts'
import { relayHands } from './hands.ts'

const [started, startedSigning] = vi.hoisted(() => [vi.fn(), vi.fn()])
vi.mock('./relay.ts', () => ({ startRelay: started }))
vi.mock('./relaySigning.ts', () => ({ startRelay: startedSigning }))

const tellRelays = vi.fn()
const relay = { tellRelays, sessions: () => [], isAlone: async () => true, universal: {} }

function hands(options: object) {
  const read = () => Promise.reject(new Error('No reads in this test'))
  const parts = { networks: new Map(), page: new Page(), dispatch() {}, read }
  return relayHands({ options: () => options as CreateAppKit, ...parts })
}

beforeEach(() => {
  started.mockReset()
})
afterEach(() => vi.restoreAllMocks())

it('the client is started once, however often it is asked for', async () => {
  started.mockResolvedValue(relay)
  const { open, there } = hands({ relays: [] })
  expect(() => there()).toThrow("isn't started")
  expect(await Promise.all([open(), open()])).toEqual(
    Array.from({ length: 2 }, () => ({ type: 'answered', value: { sessions: [], alone: true } }))
  )
  expect(started).toHaveBeenCalledOnce()
  expect(tellRelays).toHaveBeenCalledTimes(2)
  expect(there()).toBe(relay)
})

it('a client that could not be fetched is fetched anew by the next one who asks', async () => {
  started.mockRejectedValueOnce(new Error('offline')).mockResolvedValueOnce(relay)
  const { open } = hands({ relays: [] })
  await expect(open()).rejects.toThrow('offline')
  expect(await open()).toMatchObject({ type: 'answered' })
})

it('a host without relays, or without WalletConnect, gets no client, and none is fetched', async () => {
  started.mockResolvedValue(relay)
  expect(await hands({}).universal()).toBeUndefined()
  expect(await hands({ relays: [], enableWalletConnect: false }).universal()).toBeUndefined()
  expect(started).not.toHaveBeenCalled()
  expect(await hands({ relays: [{ relayUrl: 'wss://relay.example' }] }).universal()).toBe(relay.universal)
})

it('a host with a sign-in gets the client whose pairings ask for it', async () => {
  startedSigning.mockResolvedValue(relay)
  await hands({ relays: [], siwx: {} }).open()
  await hands({ relays: [], siweConfig: {} }).open()
  expect([startedSigning.mock.calls.length, started.mock.calls.length]).toEqual([2, 0])
})
