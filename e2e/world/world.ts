//! Environment of every e2e test: two chains, the server, the page and a browser, without test doubles.

import { type Anvil, startAnvil } from '@portico/testkit/anvil'
import { storedWorld } from '@portico/testkit/world'
import type { Browser } from 'playwright-core'
import { startBrowser } from './browser.ts'
import { startExplorer } from './explorer.ts'
import type { Relay } from './farcaster.ts'
import type { Identities } from './identity.ts'
import { type Line, openLine } from './line.ts'
import { startServer } from './server.ts'
import type { Shop } from './shop.ts'
import { type Visit, type VisitOptions, Visits } from './visit.ts'

export interface Chain {
  readonly id: number
  readonly name: string
  /** Balance in wei, queried from the chain directly. */
  balance(address: string): Promise<bigint>
  request: Anvil['request']
  /** Delays the next block until after `work`, as on a chain with slow blocks. */
  beforeTheNextBlock(work: () => Promise<void>): Promise<void>
  /** URL of the chain itself; the server uses the proxy `line`. */
  readonly rpcUrl: string
  readonly line: Line
}

export interface World {
  readonly origin: string
  readonly browser: Browser
  readonly one: Chain
  readonly two: Chain
  /** Origin of the embedded wallet, if the world has one. */
  readonly wallet: string | undefined
  /** Services at which visitors log in to it. */
  readonly identities: Identities | undefined
  /** Farcaster's relay. */
  readonly relay: Relay | undefined
  /** Server of the host, with accounts of its own. */
  readonly shop: Shop | undefined
  /** URL of the first chain's explorer, which stays reachable when a line is cut. */
  readonly explorer: string
  visit(path: string, options?: VisitOptions): Promise<Visit>
  stop(): Promise<void>
}

export interface WorldOptions {
  /** Whether the browser has windows, for tests of popups, the clipboard, private windows and languages. */
  readonly windows?: boolean | undefined
  readonly csp?: string | undefined
  /** URL of the on-ramp provider. */
  readonly seller?: string | undefined
  /** Whether there is an embedded wallet. */
  readonly wallet?: boolean | 'localhost' | undefined
  /** A Solana network, of `startSolana`. */
  readonly solana?: { readonly id: string; readonly url: string; readonly socket: string } | undefined
  /** A Bitcoin network, of `startBitcoin`. */
  readonly bitcoin?: { readonly id: string; readonly url: string } | undefined
  /** Seconds between two mails to an address, for tests that log in again; 30 by default (spec 9.11). */
  readonly mailPause?: number | undefined
  /** Whether visitors can log in to it at other services; 'emulated' has those of the package `emulate`. */
  readonly socials?: boolean | 'emulated' | undefined
}

type Part = { stop(): unknown }

/** Running parts, which are stopped at the end of the run, however it ends. */
const parts = new Set<Part>()

process.once('exit', () => {
  for (const part of parts) void part.stop()
})
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
// If the test runner is killed, its workers notice only by the closed channel.
process.once('disconnect', () => process.exit(1))

/** Parts that are slow to start and reusable: all test files of a process share them. */
interface Ground {
  readonly past: ReturnType<typeof storedWorld>
  readonly one: KeptChain
  readonly two: KeptChain
}

/** A browser, and the visits in it. */
interface Seen {
  readonly browser: Browser
  readonly visits: Visits
}

/** Browsers of this process, by whether they have windows. */
const browsers = new Map<boolean, Promise<Seen>>()

let ground: Promise<Ground> | undefined

/** Starts a world: the shared chains are reset to their stored state, and the server is new. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { windows = false, csp, seller, wallet, socials, solana, bitcoin, mailPause } = options
  ground ??= startGround()
  const [{ past, one, two }, { browser, visits }] = await Promise.all([ground, browserWith(windows)])
  await Promise.all([one.begin(), two.begin()])
  const explorer = keep(await startExplorer(one.rpcUrl, past.folder))
  const chains = [
    { id: one.id, url: one.line.url, explorer: explorer.origin, tokens: past.tokens },
    { id: two.id, url: two.line.url }
  ]
  const { prices, swap } = past
  const further = { solana, bitcoin }
  const server = keep(await startServer({ chains, prices, swap, seller, csp, wallet, socials, mailPause, ...further }))
  return {
    origin: server.origin,
    wallet: server.wallet,
    identities: server.identities,
    relay: server.relay,
    shop: server.shop,
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
  const [one, two] = await Promise.all([startChain(31337, 'Anvil One', past.state), startChain(31338, 'Anvil Two')])
  return { past, one, two }
}

function browserWith(windows: boolean): Promise<Seen> {
  const started = browsers.get(windows) ?? startSeen(windows)
  browsers.set(windows, started)
  return started
}

async function startSeen(windows: boolean): Promise<Seen> {
  const browser = await startBrowser({ windows })
  keep({ stop: () => browser.close() })
  return { browser, visits: new Visits(browser) }
}

/** Stops the shared parts of this process. Callers without a test runner must call it at the end. */
export async function stopAll(): Promise<void> {
  await Promise.all([...parts].map((part) => part.stop()))
  parts.clear()
  browsers.clear()
  ground = undefined
}

interface KeptChain extends Chain {
  /** Resets the chain to its initial state. */
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
      // Reverting consumes the snapshot, so a new one is taken.
      if (snapshot !== undefined) await anvil.request('evm_revert', [snapshot])
      snapshot = await anvil.request('evm_snapshot')
      // A revert also takes the clock back, to the age of the stored world; servers and pages have today's.
      await anvil.request('evm_setTime', [Math.floor(Date.now() / 1000)])
      // A failed test may have stopped block production, or cut the line.
      await anvil.request('evm_setAutomine', [true])
      line.mend()
    }
  }
}

function keep<T extends Part>(part: T): T {
  parts.add(part)
  return part
}
