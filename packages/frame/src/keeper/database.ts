//! Records of the worker in IndexedDB. Keys that cannot be exported are stored as such: the database never has their bytes.

/** Store of few records. */
export interface Records {
  get(key: string): Promise<unknown>
  /** Stores a record, unless there is one already; returns the one that is there. */
  keep(key: string, value: unknown): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
  /** Replaces a record by what is made of it; no other tab writes in between. */
  change(key: string, make: (value: unknown) => unknown): Promise<void>
  delete(key: string): Promise<void>
}

/** The browser lets this frame store nothing, as in some private windows. */
export class StorageError extends Error {}

const NAME = 'portico-wallet'
const STORE = 'records'

/** Reads the factory when it is first needed: some browsers throw there. */
export function openDatabase(factory: () => IDBFactory): Records {
  let opened: Promise<IDBDatabase> | undefined
  const database = () => {
    opened ??= open(factory).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => () => T): Promise<T> {
    try {
      return await ran(mode, act)
    } catch (error) {
      throw new StorageError('Nothing can be stored', { cause: error })
    }
  }
  async function ran<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => () => T): Promise<T> {
    const transaction = (await database()).transaction(STORE, mode)
    const result = act(transaction.objectStore(STORE))
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(result())
      transaction.onabort = () => reject(transaction.error)
    })
  }
  return {
    get: (key) =>
      run('readonly', (store) => {
        const request = store.get(key)
        return () => request.result as unknown
      }),
    keep: (key, value) =>
      run('readwrite', (store) => {
        let there: unknown
        const request = store.get(key)
        request.onsuccess = () => {
          there = request.result ?? value
          if (request.result === undefined) store.put(value, key)
        }
        return () => there
      }),
    set: (key, value) =>
      run('readwrite', (store) => {
        store.put(value, key)
        return () => {}
      }),
    change: (key, make) =>
      run('readwrite', (store) => {
        const request = store.get(key)
        request.onsuccess = () => store.put(make(request.result), key)
        return () => {}
      }),
    delete: (key) =>
      run('readwrite', (store) => {
        store.delete(key)
        return () => {}
      })
  }
}

function open(factory: () => IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory().open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
