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

/** What can be read of those keys, where they outlive the tab: one that cannot does not cost the others. */
export function readStorage(keys: readonly string[]): StoredEntry[] {
  const entries: StoredEntry[] = []
  for (const key of keys) {
    attempt(() => {
      const value = area('local').getItem(key)
      if (typeof value === 'string') entries.push({ key, value })
    })
  }
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
