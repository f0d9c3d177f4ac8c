// @vitest-environment happy-dom

import { beforeEach, expect, it, vi } from 'vitest'
import { Kept, localRecords, type Records } from './records.ts'

let faults: unknown[]

beforeEach(() => {
  faults = []
  localStorage.clear()
  return () => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  }
})

const kept = (records?: Records) => new Kept(records, (error) => faults.push(error))

it('what the store does not take is kept while the page lives', () => {
  const full: Records = {
    entries: () => [['wc/key', 'old']],
    set() {
      throw new DOMException('full', 'QuotaExceededError')
    },
    delete() {
      throw new Error('read only')
    }
  }
  const records = kept(full)
  records.set('wc/session/a', 'one')
  expect(records.entries()).toEqual({ 'wc/key': 'old', 'wc/session/a': 'one' })
  records.delete('wc/session/a')
  records.delete('wc/key')
  expect(records.entries()).toEqual({})
  expect(faults).toHaveLength(3)
})

it('a store that cannot be read is an empty one', () => {
  const broken: Records = {
    entries: () => {
      throw new Error('denied')
    },
    set: () => undefined,
    delete: () => undefined,
    listen: () => {
      throw new Error('denied')
    }
  }
  expect(kept(broken).entries()).toEqual({})
  kept(broken).listen(() => undefined)()
  expect(faults).toHaveLength(2)
})

it('without a store all is in memory', () => {
  const records = kept()
  records.set('a', '1')
  records.set('b', '2')
  records.delete('a')
  expect(records.entries()).toEqual({ b: '2' })
})

it('what the store takes at last is no longer kept beside it', () => {
  const store = new Map<string, string>()
  let full = true
  const records = kept({
    entries: () => store,
    set: (key, value) => {
      if (full) throw new Error('full')
      store.set(key, value)
    },
    delete: (key) => store.delete(key)
  })
  records.set('a', '1')
  full = false
  records.set('a', '2')
  store.set('a', 'by another tab')
  expect(records.entries()).toEqual({ a: 'by another tab' })
})

it('a page without localStorage, and one that denies it, have no records', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(localRecords()).toBeUndefined()
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  expect(localRecords()).toBeUndefined()
})

it('records are those under our prefix alone, and others are told when another tab writes them', () => {
  localStorage.setItem('@portico/connections', '[]')
  localStorage.setItem('theme', 'dark')
  const records = localRecords() as Records
  records.set('wc/key', 'k')
  expect([...records.entries()]).toEqual([['wc/key', 'k']])
  expect(localStorage.getItem('@portico/wc/key')).toBe('k')
  const told: unknown[] = []
  const stop = records.listen?.((...change) => told.push(change))
  const write = (key: string | null, newValue: string | null, storageArea: Storage | null = localStorage) =>
    window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea }))
  write('@portico/wc/session/a', '{}')
  write('@portico/wc/session/a', null)
  write('@portico/connections', '[]')
  write('theme', 'light')
  write('@portico/wc/key', 'other', sessionStorage)
  write(null, null, sessionStorage)
  stop?.()
  write('@portico/wc/session/a', 'unheard')
  expect(told).toEqual([
    ['wc/session/a', '{}'],
    ['wc/session/a', null]
  ])
})

it('when another tab clears the storage, each of our records is told to be gone', () => {
  localStorage.setItem('@portico/wc/key', 'k')
  const records = localRecords() as Records
  expect([...records.entries()]).toHaveLength(1)
  records.set('wc/session/a', '{}')
  records.set('wc/session/b', '{}')
  records.delete('wc/session/b')
  const told: unknown[] = []
  const stop = records.listen?.((...change) => told.push(change))
  const dispatch = (key: string | null, newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }))
  dispatch('@portico/wc/session/c', '{}')
  dispatch(null, null)
  dispatch(null, null)
  stop?.()
  expect(told).toEqual([
    ['wc/session/c', '{}'],
    ['wc/key', null],
    ['wc/session/a', null],
    ['wc/session/c', null]
  ])
})
