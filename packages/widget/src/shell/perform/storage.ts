import type { Outcome, StorageArea, StoredEntry } from '../../generated/core.ts'
import { thrownToJson } from '../json.ts'

/** Even the name `localStorage` throws where storage is denied. */
function area(name: StorageArea): Storage {
  return name === 'local' ? window.localStorage : window.sessionStorage
}

/** Stores a text. Storage may be denied or full. */
export function writeStorage(name: StorageArea, key: string, value: string): Outcome {
  return attempt(() => area(name).setItem(key, value))
}

/** Forgets a key. */
export function removeStorage(name: StorageArea, key: string): Outcome {
  return attempt(() => area(name).removeItem(key))
}

/**
 * What can be read of those keys, where they outlive the tab: one that cannot does not cost the others. One that ends in a slash stands
 * for all that begin so.
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
