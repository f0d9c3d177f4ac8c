//! The modal of the page: what the elements and hooks stand on, and who wants to know when it is made.

import type { AppKit } from './AppKit.ts'

let current: AppKit | undefined
const listeners = new Set<() => void>()

/** The one that was made last. */
export function currentAppKit(): AppKit | undefined {
  return current
}

export function setCurrent(kit: AppKit | undefined): void {
  current = kit
  for (const listener of [...listeners]) listener()
}

/** Tells of a new modal, and of every change of the one that there is. */
export function subscribeCurrent(listener: () => void): () => void {
  let stop = current?.engine.store.subscribe(listener)
  const renewed = () => {
    stop?.()
    stop = current?.engine.store.subscribe(listener)
    listener()
  }
  listeners.add(renewed)
  return () => {
    stop?.()
    listeners.delete(renewed)
  }
}
