//! Registry of the page's current modal, for elements and hooks.

import type { AppKit } from './AppKit.ts'

let current: AppKit | undefined
const listeners = new Set<() => void>()

/** The most recently created modal. */
export function currentAppKit(): AppKit | undefined {
  return current
}

export function setCurrent(kit: AppKit | undefined): void {
  current = kit
  for (const listener of [...listeners]) listener()
}

/** Subscribes to the modal that `kitOf` returns, and to its replacement by another. */
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
