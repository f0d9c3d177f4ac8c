import type { Changes, Snapshot } from '../generated/core.ts'

/** The last snapshot, and who wants to know of the next one. */
export class Store {
  #snapshot: Snapshot
  readonly #listeners = new Set<() => void>()

  constructor(first: Snapshot) {
    this.#snapshot = first
  }

  readonly get = (): Snapshot => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes what changed. Features that did not change keep their identity, so that a selector re-renders its own views only. */
  set(changes: Partial<Changes>): void {
    const changed = Object.entries(changes).filter(([, value]) => value !== null)
    if (changed.length === 0) return
    this.#snapshot = { ...this.#snapshot, ...Object.fromEntries(changed) }
    for (const listener of [...this.#listeners]) listener()
  }
}
