//! Storage of this wallet, under a prefix of its own because the demo page on the same origin stores its side of each session too.

import type { Records } from '@portico/walletconnect'

const PREFIX = '@portico-wallet/'

/** `localStorage` as records. */
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

/** Records of the page: in `localStorage`, or in memory if the browser denies access to it. */
export function openRecords(): Records {
  try {
    return pageRecords(globalThis.localStorage)
  } catch {
    return memoryRecords()
  }
}

/** Records that fall back to memory for entries that the store rejects, so that a response does not fail because of full storage. */
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

/** Stored settings. The storage is untrusted, so malformed settings are replaced with the defaults. */
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

/** Whether test networks may be granted to applications: true unless the user switched them off. */
export const readTestNetworks = (records: Records): boolean => entry(records, 'testnets') !== 'off'

export function writeTestNetworks(records: Records, shown: boolean): void {
  if (shown) records.delete('testnets')
  else records.set('testnets', 'off')
}

/** Active chain of a session. */
export const readActive = (records: Records, topic: string): string | null => entry(records, `active/${topic}`) ?? null

export function writeActive(records: Records, topic: string, chain: string | null): void {
  if (chain === null) records.delete(`active/${topic}`)
  else records.set(`active/${topic}`, chain)
}

/** Maximum number of stored pairing topics; each pairing URI is valid for minutes only. */
const MOST_USED = 20

/** Topics of pairings that were answered and must not be used again. */
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
