// @vitest-environment happy-dom

import { expect, it, vi } from 'vitest'
import { frame as forms } from '../../generated/constants.ts'
import { idle } from '../../generated/idle.ts'
import type { Engine } from '../../host/engine.ts'
import { PorticoError } from '../../host/PorticoError.ts'
import type { Calls } from '../calls.ts'
import { Page } from '../page.ts'
import { Store } from '../store.ts'
import { Tickets } from '../tickets.ts'
import type { EmbeddedProvider } from './EmbeddedProvider.ts'
import { provide } from './provide.ts'

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A page with the provider, and the names of what its listeners heard. */
function provided(options: object = {}) {
  const store = new Store(idle)
  const tickets = new Tickets(PorticoError)
  const tellOnSolana = vi.fn()
  const calls = { tickets, tellOnSolana, askEmbedded: vi.fn(async () => null), disconnect: vi.fn(async () => {}) }
  const page = new Page()
  const log = vi.fn()
  provide({ store, options, change: vi.fn(), log } as unknown as Engine, calls as unknown as Calls, page)
  const provider = page.providers.get(forms.handle) as unknown as EmbeddedProvider
  const heard: string[] = []
  provider.onConnect(() => heard.push('connect'))
  provider.onIsConnected(() => heard.push('isConnected'))
  provider.onNotConnected(() => heard.push('notConnected'))
  const tell = (event: string) => tickets.settle(0, { type: 'resolved', value: [event, null] })
  const connect = (connector: string) =>
    store.set({ account: { ...idle.account, accounts: [{ connector, address: ADDRESS }] } as never })
  return { calls, heard, provider, tell, connect, tickets, log }
}

it('spec_4_35_a_login_is_told_once_the_page_has_its_account', () => {
  const { heard, tell, connect } = provided()
  tell('connect')
  connect('io.other')
  expect(heard).toEqual([])
  tell('isConnected')
  connect('AUTH')
  connect('AUTH')
  expect(heard).toEqual(['isConnected', 'connect'])
  tell('connect')
  expect(heard).toEqual(['isConnected', 'connect', 'connect'])
})

it('a login that ended before its account came is not told', () => {
  const { heard, tell, connect } = provided()
  tell('connect')
  tell('notConnected')
  connect('AUTH')
  expect(heard).toEqual(['notConnected'])
})

it('listeners stay when the calls of a core that stopped are rejected', () => {
  const { heard, tell, tickets } = provided()
  tickets.rejectAll('restarted', 'The wallet widget restarted. Try again.')
  tell('notConnected')
  expect(heard).toEqual(['notConnected'])
})

it('only the account of the embedded wallet is disconnected', async () => {
  const { calls, provider, connect } = provided()
  connect('io.other')
  await provider.disconnect()
  expect(calls.disconnect).not.toHaveBeenCalled()
  connect('AUTH')
  await provider.disconnect()
  expect(calls.disconnect).toHaveBeenCalledExactlyOnceWith({ id: 'AUTH' })
})

it('a page whose provider on Solana cannot be made tells that there is no account, so that a host does not wait for it', async () => {
  const mistake = new Error('No provider')
  const provide = () => {
    throw mistake
  }
  const { calls, connect, log } = provided({ adapters: [{ namespace: 'solana', provide }] })
  connect('AUTH')
  await vi.waitFor(() => expect(calls.tellOnSolana).toHaveBeenCalledExactlyOnceWith([]))
  expect(log).toHaveBeenCalledExactlyOnceWith(mistake)
})
