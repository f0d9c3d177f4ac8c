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
  const url = wasmUrl
    ? new URL('portico_home.wasm', new URL(wasmUrl, location.href))
    : new URL('../../wasm/portico_home.wasm', import.meta.url)
  const fetchOnce = (): Promise<WebAssembly.Module> => {
    const known = fetched.get(url.href)
    if (known) return known
    const coming = compile(url.href)
    fetched.set(url.href, coming)
    coming.catch(() => fetched.delete(url.href))
    return coming
  }
  return {
    fetch: () => void fetchOnce().catch(() => {}),
    async open() {
      const module = await fetchOnce()
      const first = await running()
      if (!opened.has(first)) await WebAssembly.instantiate(module, { p: first as WebAssembly.ModuleImports })
      opened.add(first)
      return { type: 'done' }
    }
  }
}
