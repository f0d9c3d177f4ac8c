// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { idle } from '../../generated/idle.ts'
import { listenToVisibility } from '../listen/visibility.ts'
import { Store } from '../store.ts'
import { copyText } from './browser.ts'
import { readStorage, removeStorage, writeStorage } from './storage.ts'

beforeEach(() => document.body.replaceChildren())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
})

describe('copying', () => {
  const near = () => document.body

  it('uses the clipboard', async () => {
    const writeText = vi.fn(async () => {})
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    expect(await copyText('0xab', near)).toEqual({ type: 'done' })
    expect(writeText).toHaveBeenCalledWith('0xab')
  })

  it('selects the text inside the modal where there is no clipboard, and leaves nothing behind', async () => {
    vi.stubGlobal('navigator', {})
    let selected: string | undefined
    document.execCommand = () => {
      selected = document.querySelector('textarea')?.value
      return true
    }
    expect(await copyText('0xab', near)).toEqual({ type: 'done' })
    expect(selected).toBe('0xab')
    expect(document.body.children).toHaveLength(0)
  })

  it('says so where neither is allowed', async () => {
    vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new DOMException('denied')) } })
    document.execCommand = () => {
      throw new Error('no')
    }
    expect(await copyText('0xab', near)).toMatchObject({ type: 'failed', error: { message: 'denied' } })
  })
})

describe('storage', () => {
  it('keeps, reads and forgets', () => {
    expect(writeStorage('local', 'k', 'v')).toEqual({ type: 'done' })
    expect(readStorage(['k', 'absent'])).toEqual([{ key: 'k', value: 'v' }])
    expect(removeStorage('local', 'k')).toEqual({ type: 'done' })
    expect(readStorage(['k'])).toEqual([])
  })

  it('that is full is an answer', () => {
    const setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    vi.spyOn(window, 'localStorage', 'get').mockReturnValue({ setItem } as unknown as Storage)
    expect(writeStorage('local', 'k', 'v')).toMatchObject({ type: 'failed', error: { message: 'full' } })
  })

  it('that is denied is an answer, and has nothing to read', () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    expect(writeStorage('local', 'k', 'v')).toMatchObject({ type: 'failed' })
    expect(removeStorage('local', 'k')).toMatchObject({ type: 'failed' })
    expect(readStorage(['k'])).toEqual([])
  })
})

describe('a page that is shown again', () => {
  it('tells the core while there is an account', () => {
    const store = new Store(idle)
    const dispatch = vi.fn()
    listenToVisibility(store, dispatch)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(dispatch).not.toHaveBeenCalled()
    store.set({ account: { accounts: [{ isConnected: true }] } as never })
    document.dispatchEvent(new Event('visibilitychange'))
    expect(dispatch).toHaveBeenCalledWith({ feature: 'account', event: { type: 'pageShown' } })
  })
})
