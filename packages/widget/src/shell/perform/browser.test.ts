// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { idle } from '../../generated/idle.ts'
import { listenToVisibility } from '../listen/visibility.ts'
import { Store } from '../store.ts'
import { copyText, leadTab, openLink, openTab } from './browser.ts'
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

describe('a link', () => {
  const open = () => vi.spyOn(window, 'open').mockReturnValue(null)

  it('to a page opens apart from this one, which it cannot reach', () => {
    const opened = open()
    expect(openLink('https://wallet.example/wc', '_blank')).toEqual({ type: 'done' })
    expect(opened).toHaveBeenCalledExactlyOnceWith('https://wallet.example/wc', '_blank', 'noopener,noreferrer')
  })

  it('to an app opens here, without a word of windows', () => {
    const opened = open()
    openLink('rainbow://wc?uri=x', '_self')
    expect(opened).toHaveBeenCalledExactlyOnceWith('rainbow://wc?uri=x', '_self')
  })

  it('that would run in this page is not opened', () => {
    const opened = open()
    for (const href of [
      'javascript:alert(1)',
      ' DATA:text/html,x',
      'blob:x',
      'file:///x',
      'about:blank',
      'vbscript:x',
      'intent://a',
      'http://a.example/',
      'view-source://a.example',
      '//a.example'
    ])
      expect(() => openLink(href, '_self'), href).toThrow("Can't open")
    expect(opened).not.toHaveBeenCalled()
  })
})

describe('a tab that waits for its address', () => {
  const tabOf = (closed = false) => {
    const tab = {
      closed,
      opener: window as unknown,
      close: vi.fn(),
      document: document.implementation.createHTMLDocument(),
      location: { replace: vi.fn() }
    }
    vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window)
    return tab
  }

  it('is opened empty, led to its page once, and cut off from this one', () => {
    const tab = tabOf()
    expect(openTab(false)).toEqual({ type: 'done' })
    expect(window.open).toHaveBeenCalledExactlyOnceWith('about:blank', '_blank', '')
    expect(leadTab('https://pay.example/buy')).toEqual({ type: 'done' })
    expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith('https://pay.example/buy')
    expect(tab.opener).toBeNull()
    expect(tab.document.querySelector('meta[name=referrer]')?.getAttribute('content')).toBe('no-referrer')
    expect(() => leadTab('https://pay.example/buy')).toThrow('closed')
  })

  it('is closed where nothing comes of it', () => {
    const tab = tabOf()
    openTab(false)
    expect(leadTab(null)).toEqual({ type: 'done' })
    expect(tab.close).toHaveBeenCalledOnce()
    expect(tab.location.replace).not.toHaveBeenCalled()
  })

  it('says so where the browser opens none, or where the visitor closed it', () => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    expect(() => openTab(false)).toThrow('blocked the tab')
    expect(() => leadTab('https://pay.example/buy')).toThrow('closed')
    tabOf(true)
    openTab(false)
    expect(() => leadTab('https://pay.example/buy')).toThrow('closed')
  })

  it('is led nowhere but to an https page', () => {
    for (const href of [
      'javascript:alert(1)',
      'http://pay.example/',
      'data:text/html,x',
      'about:blank',
      '',
      'https://a.example\\@evil.example/'
    ]) {
      const tab = tabOf()
      openTab(false)
      expect(() => leadTab(href), href).toThrow("Can't open")
      expect(tab.location.replace).not.toHaveBeenCalled()
    }
  })
})

describe('storage', () => {
  it('keeps, reads and forgets', () => {
    expect(writeStorage('local', 'k', 'v')).toEqual({ type: 'done' })
    expect(readStorage(['k', 'absent'])).toEqual([{ key: 'k', value: 'v' }])
    expect(removeStorage('local', 'k')).toEqual({ type: 'done' })
    expect(readStorage(['k'])).toEqual([])
  })

  it('reads all keys that begin as one that ends in a slash, and no other', () => {
    for (const key of ['list/', 'list/a', 'list/b/c', 'list', 'listed', 'other/list/a']) writeStorage('local', key, key)
    const read = readStorage(['other', 'list/', 'listed']).map(({ key }) => key)
    expect(read.toSorted()).toEqual(['list/', 'list/a', 'list/b/c', 'listed'])
    localStorage.clear()
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
    expect(readStorage(['k', 'list/'])).toEqual([])
  })
})

describe('a page that is shown again, or online again', () => {
  it('tells the core while there is an account', () => {
    const store = new Store(idle)
    const dispatch = vi.fn()
    listenToVisibility(store, dispatch)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(dispatch).not.toHaveBeenCalled()
    store.set({ account: { accounts: [{ isConnected: true }] } as never })
    document.dispatchEvent(new Event('visibilitychange'))
    expect(dispatch).toHaveBeenCalledWith({ feature: 'account', event: { type: 'pageShown' } })
    window.dispatchEvent(new Event('online'))
    expect(dispatch).toHaveBeenCalledTimes(2)
  })
})
