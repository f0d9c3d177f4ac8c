//! The second half of the core (decision 7): fetched after the first paint, and put into the first half when the core asks for it.

import type { Outcome } from '../generated/core.ts'
import { compile } from './load.ts'

export interface Home {
  /** Begins to fetch it, where nobody has. */
  fetch(): void
  /** Makes it callable in the instance that runs now. */
  open(): Promise<Outcome>
}

/** Every modal of a page shares one module. */
const fetched = new Map<string, Promise<WebAssembly.Module>>()
/** The instances that have it. */
const opened = new WeakSet<object>()

/** It lies beside the first half, where the host says where that is. `running` is the instance that runs now. */
export function homeOf(running: () => Promise<object>, wasmUrl?: string | URL): Home {
  // An address beside which nothing lies (`blob:`, `data:`) throws: then there is no second half, but all of the first.
  const place = (): string =>
    wasmUrl
      ? new URL('portico_home.wasm', new URL(wasmUrl, document.baseURI)).href
      : new URL('../../wasm/portico_home.wasm', import.meta.url).href
  const fetchOnce = async (): Promise<WebAssembly.Module> => {
    const url = place()
    const known = fetched.get(url)
    if (known) return known
    const coming = compile(url)
    fetched.set(url, coming)
    coming.catch(() => fetched.delete(url))
    return coming
  }
  return {
    fetch: () => void fetchOnce().catch(() => {}),
    async open() {
      const module = await fetchOnce()
      const first = await running()
      if (opened.has(first)) return { type: 'done' }
      try {
        await WebAssembly.instantiate(module, { p: first as WebAssembly.ModuleImports })
      } catch (error) {
        // It is of another release than the first half: the next try may find the right one.
        fetched.delete(place())
        throw error
      }
      opened.add(first)
      return { type: 'done' }
    }
  }
}
