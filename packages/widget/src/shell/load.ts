//! Fetches the modal's code and the core's module, both in the same tick.

import { compile } from './compile.ts'

type Start = typeof import('./start.ts')

export interface Loaded {
  readonly start: Start['start']
  readonly module: WebAssembly.Module
}

/** Reason of a failed load, as text for the visitor. */
export interface Refusal {
  readonly title: string
  readonly text: string
  /** Label of the button for a retry; empty where none can help. */
  readonly again: string
}

/** Error with a message for the host and a text for the visitor. */
export type LoadError = Error & { readonly refusal: Refusal }

function refused(refusal: Refusal, error: unknown): LoadError {
  return Object.assign(error as Error, { refusal })
}

/** Reason of a load without a connection. The engine tells it in the page's language. */
export const unreachable: Refusal = {
  title: "Couldn't load the widget",
  text: 'Check your connection and try again.',
  again: 'Try again'
}

/** Loads by address: every modal of a page shares one module. */
const loads = new Map<string, Promise<Loaded>>()

export function load(wasmUrl?: string | URL, headless?: boolean, priority?: RequestPriority): Promise<Loaded> {
  const key = `${wasmUrl} ${headless}`
  const known = loads.get(key)
  if (known) return known
  const loading = begin(wasmUrl, headless, priority)
  loads.set(key, loading)
  loading.catch(() => loads.delete(key))
  return loading
}

async function begin(wasmUrl?: string | URL, headless?: boolean, priority?: RequestPriority): Promise<Loaded> {
  const code = headless ? import('./headless.ts') : import('./start.ts')
  let here = false
  const compiled = compile(() => wasmUrl ?? new URL('../../wasm/portico_bg.wasm', import.meta.url), priority)
    .catch((error: unknown) => ({ error }))
    .finally(() => {
      here = true
    })
  const { start, refusalOf, rehearse } = await code.catch((error: unknown) => {
    throw refused(unreachable, error)
  })
  if (!here) rehearse()
  const module = await compiled
  if ('error' in module) throw refused(refusalOf(module.error, wasmUrl) ?? unreachable, module.error)
  return { start, module }
}
