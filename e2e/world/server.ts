//! Starts the real server with the built demo page.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../peers/world/port.ts'
import type { Relay } from './farcaster.ts'
import type { Identities } from './identity.ts'
import { program, repository, startProgram } from './program.ts'
import { type Shop, startShop } from './shop.ts'
import { walletSettings } from './wallet.ts'

/** Content security policy of a strict host. The widget and this page must work with it. */
export const STRICT_CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

export interface ServedChain {
  readonly id: number
  readonly url: string
  readonly explorer?: string
  /** Path of the token list. */
  readonly tokens?: string
}

export interface ServerOptions {
  readonly chains: readonly ServedChain[]
  /** Path of the file with the prices. */
  readonly prices: string
  /** Path of the file with the swap configuration. */
  readonly swap: string
  /** URL of the on-ramp provider; without it there is none. */
  readonly seller?: string | undefined
  readonly csp?: string | undefined
  /** Whether there is an embedded wallet, on an origin of its own; 'localhost' is where browsers have passkeys without https. */
  readonly wallet?: boolean | 'localhost' | undefined
  /** Whether visitors can log in to it at other services; 'emulated' has those of the package `emulate`. */
  readonly socials?: boolean | 'emulated' | undefined
  /** A Solana network: CAIP-2 id, and URLs of its node and of the node's WebSocket. */
  readonly solana?: { readonly id: string; readonly url: string; readonly socket: string } | undefined
  /** A Bitcoin network: CAIP-2 id, and URL of its node, which is asked as Esplora. */
  readonly bitcoin?: { readonly id: string; readonly url: string } | undefined
  /** Seconds between two mails to an address; 30 by default (spec 9.11). */
  readonly mailPause?: number | undefined
}

export interface Server {
  readonly origin: string
  /** Origin of the embedded wallet. */
  readonly wallet: string | undefined
  /** Services at which visitors log in. */
  readonly identities: Identities | undefined
  /** Farcaster's relay. */
  readonly relay: Relay | undefined
  /** Server of the host, with accounts of its own. */
  readonly shop: Shop | undefined
  stop(): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const { chains, prices, swap, seller } = options
  // The origin of the wallet is in the policy of the page, so it is known before the server starts. It is of the same site as the page: the
  // private windows of tests deny frames of other sites all storage.
  const name = options.wallet === 'localhost' ? 'localhost' : '127.0.0.1'
  const wallet = options.wallet ? `http://${name}:${await freePort()}` : undefined
  const { identities, relay, shop } =
    wallet !== undefined && options.socials ? await startServices(wallet, options.socials) : {}
  const farcaster = relay && `[wallet.social.farcaster]\nnode = "${chains[0]?.url}"\nrelay = "${relay.origin}"`
  const csp = (options.csp ?? STRICT_CSP) + (wallet === undefined ? '' : `; frame-src ${wallet}`)
  const folder = mkdtempSync(join(tmpdir(), 'portico-e2e-'))
  const config = [
    'listen = "127.0.0.1:0"',
    `database = ${JSON.stringify(join(folder, 'portico.sqlite'))}`,
    `static_dir = ${JSON.stringify(builtDemo())}`,
    `static_csp = ${JSON.stringify(csp)}`,
    'log = "warn"',
    '[relay]\nenabled = true',
    '[names]\nparent = "portico.eth"\nens_chain = "eip155:31337"\nper_address = 100',
    `[sources]\nprice_file = ${JSON.stringify(prices)}`,
    ...chains.flatMap(({ id, url, explorer, tokens }) => [
      `[[chains]]\nid = "eip155:${id}"\nupstreams = ["${url}"]`,
      ...(explorer === undefined ? [] : [`explorer = ${JSON.stringify(explorer)}`]),
      ...(tokens === undefined ? [] : [`tokens = ${JSON.stringify(tokens)}`])
    ]),
    ...(options.solana
      ? [
          `[[chains]]\nid = "${options.solana.id}"`,
          `upstreams = [{ url = "${options.solana.url}", ws_url = "${options.solana.socket}" }]`
        ]
      : []),
    ...(options.bitcoin ? [`[[chains]]\nid = "${options.bitcoin.id}"\nupstreams = ["${options.bitcoin.url}"]`] : []),
    readFileSync(swap, 'utf8'),
    ...(wallet === undefined
      ? []
      : [walletSettings(wallet, options.mailPause), identities?.settings ?? '', farcaster ?? '', shop?.settings ?? '']),
    ...(seller === undefined ? [] : [`[onramp]\nmeld_key = "secret-key"\nmeld_url = ${JSON.stringify(seller)}`])
  ]
  const file = join(folder, 'portico.toml')
  writeFileSync(file, config.join('\n'))
  const portico = program('portico', 'PORTICO_BIN')
  execFileSync(portico, ['project', 'add', '--id', 'demo', '--any-origin', '--config', file], { stdio: 'pipe' })
  if (wallet !== undefined) execFileSync(portico, ['vault', 'init', '--config', file], { cwd: folder, stdio: 'pipe' })
  const { origin, stop } = await startProgram(portico, ['serve', '--config', file], { cwd: folder })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Removes the folder at exit too, in case the process ends before the server does.
  process.once('exit', remove)
  return {
    origin: origin.replace('127.0.0.1', name),
    wallet,
    identities,
    relay,
    shop,
    async stop() {
      await stop()
      shop?.stop()
      await Promise.all([identities?.stop(), relay?.stop()])
      remove()
      process.off('exit', remove)
    }
  }
}

/** Services at which visitors log in. Their packages are loaded by the tests alone that need them. */
async function startServices(
  wallet: string,
  kind: true | 'emulated'
): Promise<{ identities: Identities; relay: Relay; shop: Shop }> {
  const start =
    kind === 'emulated'
      ? (await import('./emulated.ts')).startEmulated
      : (await import('./identity.ts')).startIdentities
  const { startRelay } = await import('./farcaster.ts')
  const [identities, relay, shop] = await Promise.all([start(wallet), startRelay(), startShop()])
  return { identities, relay, shop }
}

function builtDemo(): string {
  const folder = process.env.DEMO_DIST ?? join(repository(), 'examples/demo/dist')
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error(`There is no page in ${folder}: build it with \`npm run build -w examples/demo\`.`)
  }
  return folder
}
