//! Storage of pairings, sessions and keys: one record per key, so that tabs do not overwrite each other.

/** A store of texts. If it throws, the record stays in memory. */
export interface Records {
  entries(): Iterable<readonly [key: string, value: string]>
  set(key: string, value: string): unknown
  delete(key: string): unknown
  /** Reports changes by others; `null` if they removed the record. Returns a function that stops it. */
  listen?(tell: (key: string, value: string | null) => void): () => void
}

const PREFIX = '@portico/'

/** Our records in `localStorage`; undefined if there is none or the browser blocks it. */
export function localRecords(): Records | undefined {
  let storage: Storage
  try {
    // Access alone throws if the visitor blocks storage.
    storage = globalThis.localStorage
    if (!storage) return undefined
  } catch {
    return undefined
  }
  /** Keys of the current records: the event for a cleared storage does not list them. */
  const known = new Set<string>()
  return {
    *entries() {
      for (const name of Object.keys(storage)) {
        const value = name.startsWith(`${PREFIX}wc/`) ? storage.getItem(name) : null
        const key = name.slice(PREFIX.length)
        if (value === null) continue
        known.add(key)
        yield [key, value]
      }
    },
    set(key, value) {
      storage.setItem(PREFIX + key, value)
      known.add(key)
    },
    delete(key) {
      storage.removeItem(PREFIX + key)
      known.delete(key)
    },
    listen(tell) {
      const changed = (key: string, value: string | null) => {
        if (value === null) known.delete(key)
        else known.add(key)
        tell(key, value)
      }
      const heard = ({ storageArea, key, newValue }: StorageEvent) => {
        if (storageArea !== storage) return
        if (key === null) for (const one of [...known]) changed(one, null)
        else if (key.startsWith(`${PREFIX}wc/`)) changed(key.slice(PREFIX.length), newValue)
      }
      globalThis.addEventListener?.('storage', heard)
      return () => globalThis.removeEventListener?.('storage', heard)
    }
  }
}

/** Store with a fallback: records that the store refuses stay in memory while the page lives. */
export class Kept {
  readonly #store: Records | undefined
  /** Records that the store refused; `null` for one that it failed to delete. */
  readonly #own = new Map<string, string | null>()
  /** Called when the store throws. */
  readonly #refused: (error: unknown) => void

  constructor(store: Records | undefined, refused: (error: unknown) => void) {
    this.#store = store
    this.#refused = refused
  }

  entries(): Record<string, string> {
    const all: Record<string, string> = {}
    this.#try(() => {
      for (const [key, value] of this.#store?.entries() ?? []) all[key] = value
    })
    for (const [key, value] of this.#own) {
      if (value === null) delete all[key]
      else all[key] = value
    }
    return all
  }

  set(key: string, value: string): void {
    if (this.#store && this.#try((store) => store.set(key, value))) this.#own.delete(key)
    else this.#own.set(key, value)
  }

  delete(key: string): void {
    if (!this.#store || this.#try((store) => store.delete(key))) this.#own.delete(key)
    else this.#own.set(key, null)
  }

  listen(tell: (key: string, value: string | null) => void): () => void {
    let stop: (() => void) | undefined
    this.#try((store) => {
      stop = store.listen?.(tell)
    })
    return () => stop?.()
  }

  #try(act: (store: Records) => unknown): boolean {
    if (!this.#store) return false
    try {
      act(this.#store)
      return true
    } catch (error) {
      this.#refused(error)
      return false
    }
  }
}
