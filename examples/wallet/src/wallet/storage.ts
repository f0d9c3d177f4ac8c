//! What this wallet keeps, under a name of its own: the demo page on the same origin keeps its side of each session as well.

import type { Records } from '@portico/walletconnect'

const PREFIX = '@portico-wallet/'

/** `localStorage` as records. A browser that keeps it from the page leaves the wallet forgetful, not broken. */
export function pageRecords(storage: Storage): Records {
  return {
    *entries() {
      for (const key of Object.keys(storage)) {
        const value = key.startsWith(PREFIX) ? storage.getItem(key) : null
        if (value !== null) yield [key.slice(PREFIX.length), value]
      }
    },
    set: (key, value) => storage.setItem(PREFIX + key, value),
    delete: (key) => storage.removeItem(PREFIX + key),
    listen(tell) {
      const heard = ({ storageArea, key, newValue }: StorageEvent) => {
        if (storageArea === storage && key?.startsWith(PREFIX)) tell(key.slice(PREFIX.length), newValue)
      }
      globalThis.addEventListener('storage', heard)
      return () => globalThis.removeEventListener('storage', heard)
    }
  }
}

export function memoryRecords(): Records {
  const kept = new Map<string, string>()
  return { entries: () => kept.entries(), set: (key, value) => kept.set(key, value), delete: (key) => kept.delete(key) }
}

/** The records of a page, wherever they can be kept. */
export function openRecords(): Records {
  try {
    return pageRecords(globalThis.localStorage)
  } catch {
    return memoryRecords()
  }
}

/** The same, but what the store refuses lives on in memory while the page does: an answer must not fail because nothing can be kept. */
export function neverRefusing(store: Records): Records {
  const own = new Map<string, string | null>()
  const taken = (act: () => unknown) => {
    try {
      act()
      return true
    } catch {
      return false
    }
  }
  return {
    *entries() {
      let stored: (readonly [string, string])[] = []
      taken(() => {
        stored = [...store.entries()]
      })
      for (const [key, value] of stored) if (!own.has(key)) yield [key, value]
      for (const [key, value] of own) if (value !== null) yield [key, value]
    },
    set(key, value) {
      if (taken(() => store.set(key, value))) own.delete(key)
      else own.set(key, value)
    },
    delete(key) {
      if (taken(() => store.delete(key))) own.delete(key)
      else own.set(key, null)
    }
  }
}

export interface Settings {
  readonly relayUrl: string
  readonly projectId: string
}

/** What is stored is anybody's who can write here: what does not have its form is as if it were absent. */
export function readSettings(records: Records, standard: Settings): Settings {
  try {
    const stored = JSON.parse(entry(records, 'settings') ?? '')
    const { relayUrl, projectId } = stored as Partial<Settings>
    return typeof relayUrl === 'string' && isRelayUrl(relayUrl) && typeof projectId === 'string'
      ? { relayUrl, projectId }
      : standard
  } catch {
    return standard
  }
}

export function writeSettings(records: Records, settings: Settings): void {
  records.set('settings', JSON.stringify(settings))
}

/** Whether networks whose coins are worth nothing may be given to an application: unless they were switched off. */
export const readTestNetworks = (records: Records): boolean => entry(records, 'testnets') !== 'off'

export function writeTestNetworks(records: Records, shown: boolean): void {
  if (shown) records.delete('testnets')
  else records.set('testnets', 'off')
}

/** The chain that is active in a session. */
export const readActive = (records: Records, topic: string): string | null => entry(records, `active/${topic}`) ?? null

export function writeActive(records: Records, topic: string, chain: string | null): void {
  if (chain === null) records.delete(`active/${topic}`)
  else records.set(`active/${topic}`, chain)
}

/** So many codes are remembered; each lives for minutes only. */
const MOST_USED = 20

/** Topics of codes that were answered: nobody answers on them again. */
export const readUsed = (records: Records): readonly string[] => (entry(records, 'used') ?? '').split(' ')

export function writeUsed(records: Records, topic: string): void {
  records.set('used', [...readUsed(records), topic].slice(-MOST_USED).join(' '))
}

export function forgetAll(records: Records): void {
  for (const [key] of [...records.entries()]) records.delete(key)
}

export function isRelayUrl(text: string): boolean {
  try {
    return /^wss?:$/.test(new URL(text).protocol)
  } catch {
    return false
  }
}

export function entry(records: Records, key: string): string | undefined {
  for (const [name, value] of records.entries()) if (name === key) return value
  return undefined
}
