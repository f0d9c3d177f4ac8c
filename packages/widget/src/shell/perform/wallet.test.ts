import { createScriptedProvider, NONSENSE, type Step } from '@portico/testkit'
import { describe, expect, it } from 'vitest'
import type { CoreEvent } from '../../generated/core.ts'
import { Page } from '../page.ts'
import { disconnectWallet, requestWallet, unwatchWallet, watchWallet } from './wallet.ts'

const METHOD = 'eth_requestAccounts'

function pageWith(...steps: Step[]) {
  const page = new Page()
  const provider = createScriptedProvider(steps)
  page.providers.set('w', provider)
  return { page, provider }
}

function ask(...steps: Step[]) {
  return requestWallet(pageWith(...steps).page, 'w', METHOD, null)
}

describe('spec_4_11_the_disconnect_of_a_hosts_wallet', () => {
  it('is called on the provider itself, and a failure is an answer', async () => {
    const { page, provider } = pageWith()
    expect(await disconnectWallet(page, 'w')).toEqual({ type: 'done' })
    const callers: unknown[] = []
    Object.assign(provider, {
      async disconnect() {
        callers.push(this)
        if (callers.length > 1) throw new Error('out of order')
      }
    })
    expect(await disconnectWallet(page, 'w')).toEqual({ type: 'done' })
    expect(await disconnectWallet(page, 'w')).toEqual({ type: 'failed', error: { message: 'out of order' } })
    expect(callers).toEqual([provider, provider])
    expect(await disconnectWallet(page, 'gone')).toEqual({ type: 'done' })
  })
})

describe('a request', () => {
  it('is answered with what the wallet answered', async () => {
    const { page, provider } = pageWith({ method: METHOD, does: 'answer', value: ['0xab'] })
    expect(await requestWallet(page, 'w', METHOD, [1])).toEqual({ type: 'answered', value: ['0xab'] })
    expect(provider.requests).toEqual([{ method: METHOD, params: [1] }])
  })

  it('leaves out params where there are none', async () => {
    const { page, provider } = pageWith({ method: METHOD, does: 'answer', value: null })
    await requestWallet(page, 'w', METHOD, null)
    expect(provider.requests).toEqual([{ method: METHOD }])
  })

  it('that the visitor refuses is an answer', async () => {
    expect(await ask({ method: METHOD, does: 'refuse' })).toMatchObject({ type: 'failed', error: { code: 4001 } })
  })

  it('that throws before it gives a promise is an answer', async () => {
    expect(await ask({ method: METHOD, does: 'throw', reason: 'no' })).toEqual({
      type: 'failed',
      error: { message: 'no' }
    })
  })

  it('that gives something else than a promise is answered with that', async () => {
    expect(await ask({ method: METHOD, does: 'nonsense', value: 7 })).toEqual({ type: 'answered', value: 7 })
    expect(await ask({ method: METHOD, does: 'nonsense', value: undefined })).toEqual({ type: 'answered', value: null })
  })

  it('that is answered with nonsense is answered with JSON all the same', async () => {
    expect(NONSENSE.length).toBeGreaterThan(0)
    for (const value of [
      {
        get code() {
          throw new Error('x')
        }
      },
      10n ** 30n,
      () => 1,
      Symbol('s'),
      new Map()
    ]) {
      const outcome = await ask({ method: METHOD, does: 'answer', value: () => value })
      expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome)
    }
  })

  it('that rejects with a hostile error is an answer', async () => {
    const reason = {
      get code() {
        throw new Error('x')
      },
      get message() {
        throw new Error('x')
      }
    }
    expect(await ask({ method: METHOD, does: 'reject', reason })).toEqual({ type: 'failed', error: {} })
  })

  it('that settles twice is answered once', async () => {
    const page = new Page()
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: a wallet may answer with any thenable
      then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
        resolve(1)
        reject(2)
        resolve(3)
      }
    }
    page.providers.set('w', { request: () => thenable as unknown as Promise<unknown> })
    expect(await requestWallet(page, 'w', METHOD, null)).toEqual({ type: 'answered', value: 1 })
  })

  it('to a wallet that is not there is refused', async () => {
    expect(await requestWallet(new Page(), 'w', METHOD, null)).toMatchObject({ type: 'failed', error: { code: 4900 } })
  })
})

describe('watching', () => {
  it('tells accounts, chain and the end of a connection', () => {
    const { page, provider } = pageWith()
    const events: CoreEvent[] = []
    watchWallet(page, 'w', (event) => events.push(event))
    provider.emit('accountsChanged', ['0xab'])
    provider.emit('chainChanged', '0x1')
    provider.emit('disconnect', new Error('gone'))
    expect(events).toEqual([
      { feature: 'connect', event: { type: 'accountsChanged', handle: 'w', accounts: ['0xab'] } },
      { feature: 'network', event: { type: 'chainChanged', handle: 'w', chain: '0x1' } },
      { feature: 'connect', event: { type: 'walletDisconnected', handle: 'w' } }
    ])
  })

  it('twice hears everything once, and ends', () => {
    const { page, provider } = pageWith()
    const events: CoreEvent[] = []
    watchWallet(page, 'w', (event) => events.push(event))
    watchWallet(page, 'w', (event) => events.push(event))
    provider.emit('chainChanged', '0x1')
    expect(events).toHaveLength(1)
    unwatchWallet(page, 'w')
    provider.emit('chainChanged', '0x2')
    expect(events).toHaveLength(1)
    expect(provider.listenerCount('chainChanged')).toBe(0)
  })

  it('a wallet without events, or one that throws, is no failure', () => {
    const page = new Page()
    page.providers.set('bare', { request: async () => null })
    page.providers.set('cross', {
      request: async () => null,
      on() {
        throw new Error('no')
      },
      removeListener() {
        throw new Error('no')
      }
    })
    for (const handle of ['bare', 'cross', 'unknown']) {
      expect(watchWallet(page, handle, () => {})).toEqual({ type: 'done' })
      expect(unwatchWallet(page, handle)).toEqual({ type: 'done' })
    }
  })

  it('a wallet that cannot be told to stop is not heard any more', () => {
    const page = new Page()
    let listener: (payload: never) => void = () => {}
    page.providers.set('w', {
      request: async () => null,
      on(event, heard) {
        if (event === 'chainChanged') listener = heard
      }
    })
    const events: CoreEvent[] = []
    watchWallet(page, 'w', (event) => events.push(event))
    unwatchWallet(page, 'w')
    listener('0x1' as never)
    expect(events).toEqual([])
  })
})
