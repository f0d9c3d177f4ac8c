// @vitest-environment happy-dom

import { afterEach, expect, it, vi } from 'vitest'
import type { CoreEvent, Snapshot } from '../../generated/core.ts'
import { idle } from '../../generated/idle.ts'
import { hearReturns } from '../frame/loginReturn.ts'
import { Store } from '../store.ts'
import { tellReturn } from './returned.ts'

afterEach(() => history.replaceState(null, '', '/'))

const connected = { accounts: [{ isConnected: true }] } as unknown as Snapshot['account']

function told(address: string): { store: Store; events: CoreEvent[] } {
  history.replaceState({ own: 1 }, '', address)
  const store = new Store(idle as unknown as Snapshot)
  const events: CoreEvent[] = []
  tellReturn(store, (event) => events.push(event))
  return { store, events }
}

it('a visitor who was led back is told of once, when the account is there', () => {
  const { store, events } = told('/shop?a=b&portico-bought=1#part')
  expect(location.pathname + location.search + location.hash).toBe('/shop?a=b#part')
  expect(history.state).toEqual({ own: 1 })
  expect(events).toEqual([])
  store.set({ account: connected })
  store.set({ account: { ...connected } })
  expect(events).toEqual([{ feature: 'onramp', event: { type: 'returned' } }])
})

it('an ordinary visit says nothing, and its address stays as it is', () => {
  const { store, events } = told('/shop?a=b#part')
  store.set({ account: connected })
  expect([events, location.search]).toEqual([[], '?a=b'])
})

it('spec_2_27_the_return_from_a_social_login_leaves_the_address_and_is_told', async () => {
  const uri = 'https://wallet.example/wallet/callback/google?code=abc'
  const { events } = told(`/shop?a=b&portico-login=${encodeURIComponent(uri)}#part`)
  expect(location.pathname + location.search + location.hash).toBe('/shop?a=b#part')
  expect(history.state).toEqual({ own: 1 })
  await vi.waitFor(() => expect(events).toEqual([{ feature: 'embedded', event: { type: 'socialReturned', uri } }]))
})

it('a return to a window is handed to the page where the login began, and the window closes', async () => {
  const close = vi.spyOn(window, 'close').mockImplementation(() => {})
  const taken = vi.fn((_uri: unknown) => true)
  const stop = hearReturns('login', taken)
  const uri = 'https://wallet.example/wallet/callback/x?code=abc'
  const { events } = told(`/shop?portico-login=${encodeURIComponent(uri)}`)
  await vi.waitFor(() => expect(close).toHaveBeenCalled())
  expect([taken.mock.calls, events]).toEqual([[[uri]], []])
  stop()
})
