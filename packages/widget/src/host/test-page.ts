//! Page for tests: the real core, a stubbed server, and wallets that announce themselves.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDemoWallet, type DemoWallet, type DemoWalletOptions } from '@portico/testkit'
import { afterEach, beforeEach, vi } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import { AppKit } from './AppKit.ts'
import { createAppKit } from './createAppKit.ts'
import type { AppKitNetwork, CreateAppKit } from './options.ts'
import { PorticoError } from './PorticoError.ts'

const WASM = join(import.meta.dirname, '../../wasm')

export const WALLET = 'test.portico.demo'

export function network(id: number, name: string, rpcUrl = `https://rpc.example/${id}`): AppKitNetwork {
  return {
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    testnet: true
  }
}

export const ONE = network(31337, 'Anvil One')
export const TWO = network(31338, 'Anvil Two')

/** Responses of a fake node to each call of a batch. */
export function node(balance = '0xde0b6b3a7640000') {
  return (body: string): Response => {
    const calls = [JSON.parse(body)].flat() as { id: number; method: string }[]
    const results = calls.map(({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      result: method === 'eth_getBalance' ? balance : '0x1'
    }))
    return Response.json(Array.isArray(JSON.parse(body)) ? results : results[0])
  }
}

let serial = 0

/** Stubs `fetch`: `module` responds for the core's file, a fake node for everything else. */
export function stubNetwork(module: () => Promise<Response> = () => moduleFile(), answer = node()) {
  const fetch = vi.fn(
    async (url: string | URL, init?: RequestInit) => modules(url, module) ?? answer(String(init?.body))
  )
  vi.stubGlobal('fetch', fetch)
  return fetch
}

/** Response with the built core and no content type, as from a server that does not know it. */
export async function moduleFile(file = 'portico_bg.wasm'): Promise<Response> {
  return new Response(readFileSync(join(WASM, file)))
}

/** Response with the module of the core at `url`, or `undefined` for any other address. */
export function modules(url: string | URL, first = () => moduleFile()): Promise<Response> | undefined {
  const [part] = /portico_(?!bg)\w+\.wasm/.exec(String(url)) ?? []
  if (part) return moduleFile(part)
  return String(url).includes('.wasm') ? first() : undefined
}

export function options(more: Partial<CreateAppKit> = {}): CreateAppKit {
  serial += 1
  // A new address each time, because a page fetches each address only once.
  const wasmUrl = `https://page.example/core-${serial}.wasm`
  return { projectId: 'test', networks: [ONE, TWO], adapters: [new EthersAdapter()], wasmUrl, ...more }
}

export function kitOf(more: Partial<CreateAppKit> = {}): AppKit {
  return createAppKit(options(more))
}

export function announceWallet(more: Partial<DemoWalletOptions> = {}): DemoWallet {
  const chains = [ONE, TWO].map(({ id, name }) => ({ chainId: Number(id), name, rpcUrl: `https://rpc.example/${id}` }))
  const wallet = createDemoWallet({ chains, approval: 'auto', ...more })
  wallet.announce()
  return wallet
}

/** Fixture of each test. */
export interface TestPage {
  /** Stubbed `fetch` with all requests of the page. */
  fetch: ReturnType<typeof stubNetwork>
  /** Creates a wallet that announces itself; it is withdrawn after the test. */
  wallet(more?: Partial<DemoWalletOptions>): DemoWallet
}

/** Gives each test of a file a page with empty storage, a silent console, and a network that responds. */
export function freshPage(): TestPage {
  let wallets: DemoWallet[] = []
  const page: TestPage = {
    fetch: vi.fn(),
    wallet(more) {
      const one = announceWallet(more)
      wallets.push(one)
      return one
    }
  }
  beforeEach(() => {
    localStorage.clear()
    sessionStorage.clear()
    document.body.replaceChildren()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    page.fetch = stubNetwork()
  })
  afterEach(() => {
    for (const { controls } of wallets) controls.withdraw()
    wallets = []
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
  return page
}

/** `reason` of a rejected call; `resolved` for any other. */
export function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => (error instanceof PorticoError ? error.reason : error)
  )
}

/** Shadow root of the most recently created modal. */
export function modal(): ShadowRoot {
  const host = [...document.querySelectorAll('w3m-modal')].at(-1)
  if (!host?.shadowRoot) throw new Error('There is no modal')
  return host.shadowRoot
}

export function byTestId(root: ParentNode, id: string): HTMLElement | null {
  return root.querySelector(`[data-testid="${id}"]`)
}

/** Runs `work` once the core has taken its first step, while the curtain is still shown. */
export function whenBegun({ engine }: AppKit, work: () => void): void {
  let calls: typeof engine.calls
  Object.defineProperty(engine, 'calls', {
    get: () => calls,
    set(given: typeof engine.calls) {
      calls = given
      if (given) queueMicrotask(work)
    }
  })
}

export { AppKit }
