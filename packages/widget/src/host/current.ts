//! The modals of the page: which one the elements and hooks stand on, and who wants to know when another is made.

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

/** Tells of every change of the modal that `kitOf` gives, and of its giving another once one is made. */
export function subscribeKit(kitOf: () => AppKit | undefined, listener: () => void): () => void {
  let stop = kitOf()?.engine.store.subscribe(listener)
  const renewed = () => {
    stop?.()
    stop = kitOf()?.engine.store.subscribe(listener)
    listener()
  }
  listeners.add(renewed)
  return () => {
    stop?.()
    listeners.delete(renewed)
  }
}
