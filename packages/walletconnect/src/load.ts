//! Loads the module and its glue. All clients of a page share one memory, which is dropped as a whole when one of them traps.

import initialise, { handle, __wbg_reset_state as reset, start } from '../wasm/walletconnect.js'

export type Wasm = string | URL | WebAssembly.Module | BufferSource

/** Timeout of the download in milliseconds, long enough for slow connections. */
const PATIENCE = 60_000

let ready: Promise<unknown> | undefined
/** Number of times that the memory was dropped: machines of an earlier generation must not be called. */
let generation = 0

/** Loads the module once for all clients. After a failure the next client tries again. */
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
  // The timeout matters because all later clients wait for the same download.
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) })
  // Many servers send the wrong content type, which streaming compilation does not accept.
  return response.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

/** Node's `fetch` does not read files, and a static import of its modules would break bundlers for the browser. */
function readLocal(url: URL): Promise<BufferSource> {
  const node = (globalThis as { process?: { getBuiltinModule?(name: string): unknown } }).process
  const files = node?.getBuiltinModule?.('node:fs/promises') as
    | { readFile(url: URL): Promise<BufferSource> }
    | undefined
  if (!files) throw new TypeError(`Can't read ${url} here. Pass \`wasm\`.`)
  return files.readFile(url)
}

/** Handle of a machine, valid until the memory is dropped. */
export class Bound {
  readonly #generation = generation
  readonly #machine: number

  constructor(config: string, stored: string, now: number) {
    const entropy = crypto.getRandomValues(new Uint8Array(32)).join()
    try {
      this.#machine = start(config, entropy, stored, now)
    } catch (error) {
      // The machine trapped in its start, so no handle exists through which to drop the memory later.
      renew()
      throw error
    }
  }

  /** Returns `{"outputs":[…],"timeout":n|null}`, or `!` and the part that was not understood. */
  handle(input: string, now: number): string {
    if (this.#generation !== generation) throw new Error('The WalletConnect client restarted')
    return handle(this.#machine, input, now)
  }

  /** Drops the memory after a trap, unless another machine's trap has done so already. */
  drop(): void {
    if (this.#generation === generation) renew()
  }
}

/** Drops the memory with all machines in it. The others notice at their next turn. */
export function renew(): void {
  generation += 1
  reset()
}
