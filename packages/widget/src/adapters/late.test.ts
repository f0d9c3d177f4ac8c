// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Eip1193Provider } from './eip155/provider.ts'
import { fetchAhead, lateProvider } from './late.ts'

interface Wallet extends Eip1193Provider {
  readonly name: string
  on(event: string, listener: (payload: never) => void): unknown
  removeListener(event: string, listener: (payload: never) => void): unknown
  tell(event: string, payload: unknown): void
}

function wallet(): Wallet {
  const listeners = new Map<string, Set<(payload: never) => void>>()
  return {
    name: 'Wallet',
    request: async ({ method }) => `did ${method}`,
    on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event, listener) => listeners.get(event)?.delete(listener),
    tell(event, payload) {
      for (const listener of listeners.get(event) ?? []) listener(payload as never)
    }
  }
}

describe('a provider whose code comes late', () => {
  it('fetches it once, when the first method is called', async () => {
    const load = vi.fn(async () => wallet())
    const provider = lateProvider<Wallet>('Wallet', ['request'], load)
    provider.on('accountsChanged', () => {})
    expect(load).not.toHaveBeenCalled()
    const answers = await Promise.all(['one', 'two'].map((method) => provider.request({ method })))
    expect(answers).toEqual(['did one', 'did two'])
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('tells the listeners of the time before, but not those that left', async () => {
    const inner = wallet()
    const provider = lateProvider<Wallet>('Wallet', ['request'], async () => inner)
    const [stays, leaves, late] = [vi.fn(), vi.fn(), vi.fn()]
    provider.on('accountsChanged', stays)
    provider.on('accountsChanged', stays)
    provider.on('accountsChanged', leaves)
    provider.removeListener('accountsChanged', leaves)
    await provider.request({ method: 'connect' })
    provider.on('accountsChanged', late)
    inner.tell('accountsChanged', ['one'])
    provider.removeListener('accountsChanged', stays)
    provider.removeListener('accountsChanged', late)
    inner.tell('accountsChanged', ['two'])
    expect([stays, leaves, late].map((listener) => listener.mock.calls)).toEqual([[[['one']]], [], [[['one']]]])
  })

  it('says that the code did not load, and fetches it again for the next call', async () => {
    const load = vi.fn(async () => wallet()).mockRejectedValueOnce(new TypeError('Failed to fetch'))
    const provider = lateProvider<Wallet>('Wallet', ['request'], load)
    await expect(provider.request({ method: 'one' })).rejects.toThrow(
      'The code for Wallet did not load. Check the connection, then try again or reload the page.'
    )
    expect(await provider.request({ method: 'two' })).toBe('did two')
  })
})

describe('code that is fetched ahead', () => {
  /** Row of a wallet as the modal has it, in a shadow tree, with its name inside. */
  function nameInRow(id: string): HTMLElement {
    const shadow = document.body.appendChild(document.createElement('w3m-modal')).attachShadow({ mode: 'open' })
    const row = shadow.appendChild(document.createElement('button'))
    row.dataset.testid = `wallet-selector-${id}`
    return row.appendChild(document.createElement('span'))
  }
  const reach = (element: EventTarget, sign: string) =>
    element.dispatchEvent(new Event(sign, { bubbles: true, composed: true }))

  afterEach(() => document.body.replaceChildren())

  it.each(['pointerover', 'focusin'])('is fetched once, when a row of its wallets is reached by %s', (sign) => {
    const load = vi.fn(async () => {})
    fetchAhead('bitcoin:', load)
    reach(document.body, sign)
    reach(window, sign)
    reach(nameInRow('solana:bitcoin:wallet'), sign)
    reach(nameInRow('bitcoin'), sign)
    expect(load).not.toHaveBeenCalled()
    reach(nameInRow('bitcoin:wallet'), sign)
    reach(nameInRow('bitcoin:other'), sign)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('leaves a failure to the provider', async () => {
    let count = 0
    // Not a mock: those handle a rejection themselves.
    fetchAhead('bitcoin:', async () => {
      count += 1
      throw new TypeError('Failed to fetch')
    })
    reach(nameInRow('bitcoin:wallet'), 'pointerover')
    expect(count).toBe(1)
    // A rejection that is not handled by the next turn fails the run.
    await new Promise((resolve) => setImmediate(resolve))
  })
})
