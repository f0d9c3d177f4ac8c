import type { Outcome, StorageArea, StoredEntry } from '../../generated/core.ts'
import { thrownToJson } from '../json.ts'

/** Reading the property `localStorage` itself throws where storage is denied. */
function area(name: StorageArea): Storage {
  return name === 'local' ? window.localStorage : window.sessionStorage
}

/** Stores a text. Storage may be denied or full. */
export function writeStorage(name: StorageArea, key: string, value: string): Outcome {
  return attempt(() => area(name).setItem(key, value))
}

/** Removes a key. */
export function removeStorage(name: StorageArea, key: string): Outcome {
  return attempt(() => area(name).removeItem(key))
}

/**
 * Entries of the given keys in local storage; an unreadable key does not affect the others. A key that ends in a slash is a prefix: it
 * stands for all keys that start with it.
 */
export function readStorage(keys: readonly string[]): StoredEntry[] {
  const entries: StoredEntry[] = []
  const read = (key: string): void => {
    attempt(() => {
      const value = area('local').getItem(key)
      if (typeof value === 'string') entries.push({ key, value })
    })
  }
  const named = (key: string) =>
    key.endsWith('/') ? Object.keys(area('local')).filter((name) => name.startsWith(key)) : [key]
  for (const key of keys) attempt(() => named(key).forEach(read))
  return entries
}

function attempt(act: () => void): Outcome {
  try {
    act()
    return { type: 'done' }
  } catch (error) {
    return { type: 'failed', error: thrownToJson(error) }
  }
}
