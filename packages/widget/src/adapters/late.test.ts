import { describe, expect, it, vi } from 'vitest'
import type { Eip1193Provider } from './eip155/provider.ts'
import { lateProvider } from './late.ts'

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
