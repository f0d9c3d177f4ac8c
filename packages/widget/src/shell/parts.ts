//! Parts of the core (decision 7): each is fetched shortly before it is needed, and linked into the first module when the core requests it.

import type { Outcome, Part } from '../generated/core.ts'
import { partFiles } from '../generated/parts.ts'
import type { Log } from '../host/events.ts'
import { compile } from './compile.ts'

export interface Parts {
  /** Starts to fetch a part, once. */
  fetch(part: Part): void
  /** Loads the module of a part, and the module `home` that it needs, and links both into the running core. */
  open(part: Part): Promise<Outcome>
}

/** Compiled modules by address, shared by every modal of a page. */
const fetched = new Map<string, Promise<WebAssembly.Module>>()
/** Addresses that failed before. */
const missed = new Set<string>()
/** Linked parts of each instance of the first module. */
const opened = new WeakMap<object, Map<Part, Promise<WebAssembly.Instance>>>()

/** Parts beside the first module, at the host's address if it set one. `running` returns the current instance. */
export function partsOf(running: () => Promise<object>, wasmUrl?: string | URL, log?: Log): Parts {
  // A `blob:` or `data:` address has no neighbours and throws: then there are no parts, but the first module still works.
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
      // Retries are frequent: the host gets one log line per file.
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
      // The file is of another release than the first module: the next try may find the right one.
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
      // Both parts go into the same instance, even if it is replaced meanwhile.
      const first = await running()
      const { exports } = await put('home', below, first, {})
      if (part !== 'home') await put(part, module, first, exports)
      return { type: 'done' }
    }
  }
}
