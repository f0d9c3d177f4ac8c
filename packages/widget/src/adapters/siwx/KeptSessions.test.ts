// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Kept, KeptSessions } from './KeptSessions.ts'

const NOW = 1_800_000_000_000

const keptOf = (account: string, exp = NOW / 1000 + 3_600): Kept => {
  const data = { accountAddress: account, chainId: 'solana:1', domain: 'd', uri: 'u', version: '1', nonce: 'n' }
  const token = `a.${btoa(JSON.stringify({ sub: `solana:1:${account}`, exp })).replace(/=+$/, '')}.c`
  return { session: { data, message: 'text', signature: account }, token }
}

const accounts = (sessions: KeptSessions) => sessions.read().map(({ session }) => session.data.accountAddress)

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: NOW })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the sessions of a server in the browser', () => {
  it('are the last fifty', () => {
    const sessions = new KeptSessions(false)
    for (let index = 0; index < 51; index++) sessions.add(keptOf(`So${index}`))
    expect(accounts(sessions)).toEqual(Array.from({ length: 50 }, (_, index) => `So${index + 1}`))
  })

  it('leave after their end, at the next sign-in', () => {
    const sessions = new KeptSessions(false)
    sessions.add(keptOf('So1', NOW / 1000 + 1))
    sessions.add(keptOf('So2', NOW / 1000 + 2))
    vi.setSystemTime(NOW + 1_000)
    // The server says that a session is over, and the host hears it.
    expect(accounts(sessions)).toEqual(['So1', 'So2'])
    sessions.add(keptOf('So3'))
    expect(accounts(sessions)).toEqual(['So2', 'So3'])
  })

  /** Storage that takes so many letters from now on. */
  const limit = (most: number) => {
    const whole = localStorage
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => whole.getItem(key),
      removeItem: (key: string) => whole.removeItem(key),
      setItem(key: string, value: string) {
        if (value.length > most) throw new DOMException('full', 'QuotaExceededError')
        whole.setItem(key, value)
      }
    })
  }

  it('make room for the latest one in a storage that is full', () => {
    limit(JSON.stringify([keptOf('So1')]).length)
    const sessions = new KeptSessions(false)
    sessions.add(keptOf('So1'))
    sessions.add(keptOf('So2'))
    expect(accounts(sessions)).toEqual(['So2'])
    expect(accounts(new KeptSessions(false))).toEqual(['So2'])
  })

  it('stay on this page where the browser stores none', () => {
    new KeptSessions(false).add(keptOf('So0'))
    limit(0)
    const sessions = new KeptSessions(false)
    sessions.add(keptOf('So1'))
    sessions.add(keptOf('So2'))
    expect(accounts(sessions)).toEqual(['So0', 'So1', 'So2'])
    expect(accounts(new KeptSessions(false))).toEqual([])
    sessions.forget(keptOf('So1'))
    expect(accounts(sessions)).toEqual(['So0', 'So2'])
    vi.unstubAllGlobals()
    sessions.add(keptOf('So3'))
    expect(accounts(new KeptSessions(false))).toEqual(['So0', 'So2', 'So3'])
  })

  it('are kept on a page whose storage is closed', () => {
    const closed = () => {
      throw new DOMException('closed', 'SecurityError')
    }
    vi.stubGlobal('localStorage', { getItem: closed, setItem: closed, removeItem: closed })
    const sessions = new KeptSessions(false)
    sessions.add(keptOf('So1'))
    expect(accounts(sessions)).toEqual(['So1'])
    sessions.forget(keptOf('So1'))
    expect(accounts(sessions)).toEqual([])
  })
})
