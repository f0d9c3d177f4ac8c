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
  /** Modal with the row of a wallet, whose name is inside. */
  function modalWith(id: string) {
    const modal = document.body.appendChild(document.createElement('w3m-modal'))
    const row = modal.attachShadow({ mode: 'open' }).appendChild(document.createElement('button'))
    row.dataset.testid = `wallet-selector-${id}`
    return { modal, name: row.appendChild(document.createElement('span')) }
  }
  /** As browsers send it: into the modal from outside, and then from one of its elements to another, which is not told outside. */
  function reach({ modal, name }: ReturnType<typeof modalWith>, sign: string): void {
    modal.dispatchEvent(new Event(sign, { bubbles: true, composed: true }))
    name.dispatchEvent(new Event(sign, { bubbles: true, composed: false }))
  }

  afterEach(() => document.body.replaceChildren())

  it.each(['pointerover', 'focusin'])('is fetched once, when a row of its wallets is reached by %s', (sign) => {
    const load = vi.fn(async () => {})
    fetchAhead('bitcoin:', load)
    for (const place of [window, document, document.body]) place.dispatchEvent(new Event(sign, { bubbles: true }))
    for (const id of ['solana:bitcoin:wallet', 'bitcoin']) reach(modalWith(id), sign)
    expect(load).not.toHaveBeenCalled()
    const [mine, other] = [modalWith('bitcoin:wallet'), modalWith('bitcoin:other')]
    mine.modal.dispatchEvent(new Event(sign, { bubbles: true, composed: true }))
    expect(load).not.toHaveBeenCalled()
    reach(mine, sign)
    reach(mine, sign)
    reach(other, sign)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('is fetched where the first sign comes from the row itself', () => {
    const load = vi.fn(async () => {})
    fetchAhead('bitcoin:', load)
    modalWith('bitcoin:wallet').name.dispatchEvent(new Event('pointerover', { bubbles: true, composed: true }))
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('leaves a failure to the provider', async () => {
    let count = 0
    // Not a mock: those handle a rejection themselves.
    fetchAhead('bitcoin:', async () => {
      count += 1
      throw new TypeError('Failed to fetch')
    })
    reach(modalWith('bitcoin:wallet'), 'pointerover')
    expect(count).toBe(1)
    // A rejection that is not handled by the next turn fails the run.
    await new Promise((resolve) => setImmediate(resolve))
  })
})
