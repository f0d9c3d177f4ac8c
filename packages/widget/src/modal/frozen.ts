import type { Snapshot } from '../generated/core.ts'
import type { ShellForViews } from '../shell/react.tsx'

type Store = ShellForViews['store']

/**
 * What views read. While the card leaves, the core has already gone back to its first view; the visitor must not see that, so
 * the last picture stays until the modal opens again.
 */
export class FrozenStore implements Store {
  readonly #store: Store
  #shown: Snapshot
  #wasOpen = false
  /** How often it opened: what was drawn before is not drawn into again. */
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

/** An embedded modal is always there. */
export function isShown({ modal, config }: Snapshot): boolean {
  return modal.open || config.embedded
}
