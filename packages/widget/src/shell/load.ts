//! Fetches what the modal is made of: its code and the core's module, both in the same tick.

type Start = typeof import('./start.ts')

export interface Loaded {
  readonly start: Start['start']
  readonly module: WebAssembly.Module
}

/** Why loading failed, in words for the visitor. */
export interface Refusal {
  readonly title: string
  readonly text: string
  /** Whether trying again can help. */
  readonly again: boolean
}

export class LoadError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, cause: unknown) {
    super(refusal.text, { cause })
    this.name = 'LoadError'
    this.refusal = refusal
  }
}

const UNREACHABLE: Refusal = {
  title: 'Could not load',
  text: 'The widget did not load. Check your connection.',
  again: true
}

/** Every modal of a page shares one module. */
const loads = new Map<string, Promise<Loaded>>()

export function load(wasmUrl?: string | URL, headless?: boolean): Promise<Loaded> {
  const url = String(wasmUrl ?? new URL('../../wasm/portico_bg.wasm', import.meta.url))
  const key = url + headless
  const known = loads.get(key)
  if (known) return known
  const loading = begin(url, headless)
  loads.set(key, loading)
  loading.catch(() => loads.delete(key))
  return loading
}

async function begin(url: string, headless?: boolean): Promise<Loaded> {
  const code = headless ? import('./headless.ts') : import('./start.ts')
  let here = false
  const compiled = compile(url)
    .catch((error: unknown) => ({ error }))
    .finally(() => {
      here = true
    })
  const { start, refusalOf, rehearse } = await code.catch((error: unknown) => {
    throw new LoadError(UNREACHABLE, error)
  })
  if (!here) rehearse()
  const module = await compiled
  if ('error' in module) throw new LoadError(refusalOf(module.error) ?? UNREACHABLE, module.error)
  return { start, module }
}

/** An answer that is no module is told with its address, status and type: the host has to find it. */
export async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url)
  const type = response.headers.get('content-type')
  try {
    // Servers that do not know the type are common; streaming insists on it.
    return await (type === 'application/wasm'
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()))
  } catch (cause) {
    throw new Error(`${url}: ${response.status} ${type}`, { cause })
  }
}
