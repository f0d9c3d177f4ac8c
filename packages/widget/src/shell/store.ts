import type { Snapshot } from '../generated/core.ts'

/** Snapshot fields that changed. */
export type Changes = Partial<Snapshot>

/** State in fields, by default the last snapshot, with its subscribers. */
export class Store<T extends object = Snapshot> {
  #snapshot: T
  readonly #listeners = new Set<() => void>()

  constructor(first: T) {
    this.#snapshot = first
  }

  readonly get = (): T => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Merges changes. Unchanged features keep their identity, so that a selector re-renders its own views only. */
  set(changes: Partial<T>): void {
    if (Object.keys(changes).length === 0) return
    this.#snapshot = { ...this.#snapshot, ...changes }
    for (const listener of [...this.#listeners]) listener()
  }
}
