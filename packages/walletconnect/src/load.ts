//! The module and its glue. All clients of a page share one memory, which is dropped whole when one of them traps.

import initialise, { handle, __wbg_reset_state as reset, start } from '../wasm/walletconnect.js'

export type Wasm = string | URL | WebAssembly.Module | BufferSource

/** Milliseconds for the module; also a slow line has it by then. */
const PATIENCE = 60_000

let ready: Promise<unknown> | undefined
/** How often the memory was dropped: a machine of an earlier one must not be called. */
let generation = 0

/** Once for all clients; what failed is tried again by the next one. */
export async function load(wasm: Wasm): Promise<void> {
  ready ??= begin(wasm).catch((error: unknown) => {
    ready = undefined
    throw error
  })
  await ready
}

async function begin(wasm: Wasm): Promise<void> {
  await initialise({ module_or_path: await moduleOf(wasm) })
}

async function moduleOf(wasm: Wasm): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm
  if (typeof wasm !== 'string' && !(wasm instanceof URL)) return WebAssembly.compile(wasm)
  const url = new URL(wasm, globalThis.document?.baseURI)
  if (url.protocol === 'file:') return WebAssembly.compile(await readLocal(url))
  // One that never comes would be waited for by every later client too.
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) })
  // Servers that do not know the type are common; streaming insists on it.
  return response.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

/** Node fetches no files, and an import of its modules would stop bundlers for the browser. */
function readLocal(url: URL): Promise<BufferSource> {
  const node = (globalThis as { process?: { getBuiltinModule?(name: string): unknown } }).process
  const files = node?.getBuiltinModule?.('node:fs/promises') as
    | { readFile(url: URL): Promise<BufferSource> }
    | undefined
  if (!files) throw new TypeError(`${url} cannot be read here; pass \`wasm\``)
  return files.readFile(url)
}

/** A machine, as long as nobody trapped beside it. */
export class Bound {
  readonly #generation = generation
  readonly #machine: number

  constructor(config: string, stored: string, now: number) {
    const entropy = crypto.getRandomValues(new Uint8Array(32)).join()
    try {
      this.#machine = start(config, entropy, stored, now)
    } catch (error) {
      // A trap, and nobody has the machine to say so later.
      renew()
      throw error
    }
  }

  /** Answered with `{"outputs":[…],"timeout":n|null}`, or `!` and what was not understood. */
  handle(input: string, now: number): string {
    if (this.#generation !== generation) throw new Error('The memory of this machine was dropped')
    return handle(this.#machine, input, now)
  }

  /** After a trap: drops the memory, unless another machine's trap has done so. */
  drop(): void {
    if (this.#generation === generation) renew()
  }
}

/** Drops the memory with every machine in it. Without a word to them: each finds out at its next turn. */
export function renew(): void {
  generation += 1
  reset()
}
