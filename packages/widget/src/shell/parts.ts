//! The parts of the core (decision 7): each fetched when it is about to be needed, and put into the first module when the core asks for it.

import type { Outcome, Part } from '../generated/core.ts'
import { partFiles } from '../generated/parts.ts'
import type { Log } from '../host/events.ts'
import { compile } from './compile.ts'

export interface Parts {
  /** Begins to fetch one, where nobody has. */
  fetch(part: Part): void
  /** Makes one callable in the instance that runs now, and home with it. */
  open(part: Part): Promise<Outcome>
}

/** Every modal of a page shares the modules. */
const fetched = new Map<string, Promise<WebAssembly.Module>>()
/** The addresses at which one was not. */
const missed = new Set<string>()
/** What each instance of the first module has of them. */
const opened = new WeakMap<object, Map<Part, Promise<WebAssembly.Instance>>>()

/** They lie beside the first module, where the host says where that is. `running` is the instance that runs now. */
export function partsOf(running: () => Promise<object>, wasmUrl?: string | URL, log?: Log): Parts {
  // An address beside which nothing lies (`blob:`, `data:`) throws: then there are no parts, but all of the first module.
  const place = (part: Part): string =>
    (wasmUrl ? new URL(`portico_${part}.wasm`, new URL(wasmUrl, document.baseURI)) : partFiles[part]()).href
  const fetchOnce = async (part: Part): Promise<WebAssembly.Module> => {
    const url = place(part)
    const known = fetched.get(url)
    if (known) return known
    const coming = compile(() => url)
    fetched.set(url, coming)
    coming.catch((error: unknown) => {
      fetched.delete(url)
      // It is tried again and again: the host hears of each file once.
      if (!missed.has(url)) log?.(error)
      missed.add(url)
    })
    return coming
  }
  const put = (part: Part, module: WebAssembly.Module, first: object, home: object): Promise<WebAssembly.Instance> => {
    const there = opened.get(first) ?? new Map<Part, Promise<WebAssembly.Instance>>()
    opened.set(first, there)
    const known = there.get(part)
    if (known) return known
    const coming = WebAssembly.instantiate(module, { p: first as WebAssembly.ModuleImports, h: { ...home } })
    there.set(part, coming)
    coming.catch(() => {
      // It is of another release than the first module: the next try may find the right one.
      fetched.delete(place(part))
      there.delete(part)
    })
    return coming
  }
  return {
    fetch: (part) => void fetchOnce(part).catch(() => {}),
    async open(part) {
      const home = fetchOnce('home')
      const [module, below] = await Promise.all([part === 'home' ? home : fetchOnce(part), home])
      // One instance for both, whatever becomes of it meanwhile.
      const first = await running()
      const { exports } = await put('home', below, first, {})
      if (part !== 'home') await put(part, module, first, exports)
      return { type: 'done' }
    }
  }
}
