//! Two chains, the server, the page and a browser: what every test drives, and nothing of it is a double.

import { type Anvil, startAnvil } from '@portico/testkit/anvil'
import { storedWorld } from '@portico/testkit/world'
import type { Browser } from 'playwright-core'
import { startBrowser } from './browser.ts'
import { startExplorer } from './explorer.ts'
import { type Line, openLine } from './line.ts'
import { type Server, startServer } from './server.ts'
import { openVisit, type Visit, type VisitOptions } from './visit.ts'

export interface Chain {
  readonly id: number
  readonly name: string
  /** In wei, asked past the server and the widget. */
  balance(address: string): Promise<bigint>
  request: Anvil['request']
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

const parts = new Set<Part>()

/** Nothing outlives the run, however it ends. */
function stopWithThisProcess(): void {
  const stopAll = () => {
    for (const part of parts) void part.stop()
  }
  process.once('exit', stopAll)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  // A worker whose runner was killed hears of it on its channel only.
  process.once('disconnect', () => process.exit(1))
}

export async function startWorld({ csp, seller }: WorldOptions = {}): Promise<World> {
  if (parts.size === 0) stopWithThisProcess()
  const past = storedWorld()
  const [one, two, browser] = await Promise.all([
    startChain(31337, 'Anvil One', past.state),
    startChain(31338, 'Anvil Two'),
    startBrowser()
  ])
  const explorer = keep(await startExplorer(one.rpcUrl, past.folder))
  const chains = [
    { id: one.id, url: one.line.url, explorer: explorer.origin, tokens: past.tokens },
    { id: two.id, url: two.line.url }
  ]
  const server: Server = keep(await startServer({ chains, prices: past.prices, swap: past.swap, seller, csp }))
  return {
    origin: server.origin,
    browser,
    one,
    two,
    explorer: explorer.origin,
    visit: (path, options) => openVisit(browser, server.origin, path, options),
    async stop() {
      await browser.close()
      await Promise.all([...parts].map((part) => part.stop()))
      parts.clear()
    }
  }
}

async function startChain(id: number, name: string, state?: string): Promise<Chain> {
  const anvil = keep(await startAnvil({ chainId: id, state }))
  const line = await openLine(anvil.rpcUrl)
  keep({ stop: () => line.close() })
  return {
    id,
    name,
    rpcUrl: anvil.rpcUrl,
    line,
    request: anvil.request,
    async balance(address) {
      return BigInt((await anvil.request('eth_getBalance', [address, 'latest'])) as string)
    }
  }
}

function keep<T extends Part>(part: T): T {
  parts.add(part)
  return part
}
