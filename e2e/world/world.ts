//! Two chains, the server, the page and a browser: what every test drives, and nothing of it is a double.

import { type Anvil, startAnvil } from '@portico/testkit/anvil'
import { storedWorld } from '@portico/testkit/world'
import type { Browser } from 'playwright-core'
import { startBrowser } from './browser.ts'
import { startExplorer } from './explorer.ts'
import { type Line, openLine } from './line.ts'
import { startServer } from './server.ts'
import { type Visit, type VisitOptions, Visits } from './visit.ts'

export interface Chain {
  readonly id: number
  readonly name: string
  /** In wei, asked past the server and the widget. */
  balance(address: string): Promise<bigint>
  request: Anvil['request']
  /** The next block comes after the work, as on a chain where it takes a while. */
  beforeTheNextBlock(work: () => Promise<void>): Promise<void>
  /** The chain itself; the server has it at the end of the line. */
  readonly rpcUrl: string
  readonly line: Line
}

export interface World {
  readonly origin: string
  readonly browser: Browser
  readonly one: Chain
  readonly two: Chain
  /** Where the explorer of the first chain is, which stays when a line is cut. */
  readonly explorer: string
  visit(path: string, options?: VisitOptions): Promise<Visit>
  stop(): Promise<void>
}

export interface WorldOptions {
  readonly csp?: string | undefined
  /** Where one who sells coins is asked. */
  readonly seller?: string | undefined
}

type Part = { stop(): unknown }

/** Nothing outlives the run, however it ends. */
const parts = new Set<Part>()

process.once('exit', () => {
  for (const part of parts) void part.stop()
})
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
// A worker whose runner was killed hears of it on its channel only.
process.once('disconnect', () => process.exit(1))

/** What takes long to start and can be used again: every file of tests in a process has the same. */
interface Ground {
  readonly past: ReturnType<typeof storedWorld>
  readonly one: KeptChain
  readonly two: KeptChain
  readonly browser: Browser
  readonly visits: Visits
}

let ground: Promise<Ground> | undefined

/** The chains begin as they were stored, whatever the world before did to them; the server is a new one. */
export async function startWorld({ csp, seller }: WorldOptions = {}): Promise<World> {
  ground ??= startGround()
  const { past, one, two, browser, visits } = await ground
  await Promise.all([one.begin(), two.begin()])
  const explorer = keep(await startExplorer(one.rpcUrl, past.folder))
  const chains = [
    { id: one.id, url: one.line.url, explorer: explorer.origin, tokens: past.tokens },
    { id: two.id, url: two.line.url }
  ]
  const server = keep(await startServer({ chains, prices: past.prices, swap: past.swap, seller, csp }))
  return {
    origin: server.origin,
    browser,
    one,
    two,
    explorer: explorer.origin,
    visit: (path, options) => visits.open(server.origin, path, options),
    async stop() {
      await Promise.all([server, explorer].map((part) => part.stop()))
      parts.delete(server)
      parts.delete(explorer)
    }
  }
}

async function startGround(): Promise<Ground> {
  const past = storedWorld()
  const [one, two, browser] = await Promise.all([
    startChain(31337, 'Anvil One', past.state),
    startChain(31338, 'Anvil Two'),
    startBrowser()
  ])
  keep({ stop: () => browser.close() })
  return { past, one, two, browser, visits: new Visits(browser) }
}

/** Ends what every world of this process shares; who starts one without a test runner does it last. */
export async function stopAll(): Promise<void> {
  await Promise.all([...parts].map((part) => part.stop()))
  parts.clear()
  ground = undefined
}

interface KeptChain extends Chain {
  /** As it was when it was started. */
  begin(): Promise<void>
}

async function startChain(id: number, name: string, state?: string): Promise<KeptChain> {
  const anvil = keep(await startAnvil({ chainId: id, state }))
  const line = await openLine(anvil.rpcUrl)
  keep({ stop: () => line.close() })
  let snapshot: unknown
  return {
    id,
    name,
    rpcUrl: anvil.rpcUrl,
    line,
    request: anvil.request,
    async balance(address) {
      return BigInt((await anvil.request('eth_getBalance', [address, 'latest'])) as string)
    },
    async beforeTheNextBlock(work) {
      await anvil.request('evm_setAutomine', [false])
      try {
        await work()
      } finally {
        await anvil.request('evm_setAutomine', [true])
        await anvil.request('evm_mine')
      }
    },
    async begin() {
      // A snapshot is used up by going back to it.
      if (snapshot !== undefined) await anvil.request('evm_revert', [snapshot])
      snapshot = await anvil.request('evm_snapshot')
      // A test that failed may have stopped the blocks, or cut the line.
      await anvil.request('evm_setAutomine', [true])
      line.mend()
    }
  }
}

function keep<T extends Part>(part: T): T {
  parts.add(part)
  return part
}
