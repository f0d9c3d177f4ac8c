import type { Snapshot } from '../generated/core.ts'
import type { ShellForViews } from '../shell/react.tsx'

type Store = ShellForViews['store']

/**
 * Store that views read. While the card closes, the core has already returned to its first view; the visitor must not see that, so the last
 * snapshot stays until the modal opens again.
 */
export class FrozenStore implements Store {
  readonly #store: Store
  #shown: Snapshot
  #wasOpen = false
  /** Number of openings; used as a key, so that each opening draws a new tree. */
  opening = 0

  constructor(store: Store) {
    this.#store = store
    this.#shown = store.get()
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener)

  readonly get = (): Snapshot => {
    const snapshot = this.#store.get()
    const open = isShown(snapshot)
    if (open && !this.#wasOpen) this.opening += 1
    this.#wasOpen = open
    if (open || this.opening === 0) this.#shown = snapshot
    return this.#shown
  }
}

/** Whether the modal is visible; an embedded one always is. */
export function isShown({ modal, config }: Snapshot): boolean {
  return modal.open || config.embedded
}
