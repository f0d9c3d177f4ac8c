//! Starts the server with the embedded wallet on an origin of its own, a chain, and a host page that embeds the frame.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '@portico/testkit/anvil'
import { freePort } from '../peers/world/port.ts'
import { program, repository, startProgram } from './program.ts'

/** Mail of the outbox, the newest first. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface WalletWorld {
  /** Origin of the wallet. */
  readonly wallet: string
  /** Origin of the host page, which the project lists. */
  readonly host: string
  /** Origin of a page that the project does not list. */
  readonly stranger: string
  readonly chain: Anvil
  mails(): Promise<readonly Mail[]>
  stop(): Promise<void>
}

const CHAIN = 31337

export async function startWallet(): Promise<WalletWorld> {
  const chain = await startAnvil({ chainId: CHAIN })
  const [page, other] = await Promise.all([servePage(), servePage()])
  const folder = mkdtempSync(join(tmpdir(), 'portico-wallet-'))
  const wallet = `http://localhost:${await freePort()}`
  const file = join(folder, 'portico.toml')
  writeFileSync(
    file,
    [
      'listen = "127.0.0.1:0"',
      `database = ${JSON.stringify(join(folder, 'portico.sqlite'))}`,
      'log = "warn"',
      `[[chains]]\nid = "eip155:${CHAIN}"\nname = "Devnet"\nupstreams = ["${chain.rpcUrl}"]`,
      walletSettings(wallet)
    ].join('\n')
  )
  const portico = program('portico', 'PORTICO_BIN')
  const run = (...args: string[]) => execFileSync(portico, [...args, '--config', file], { cwd: folder, stdio: 'pipe' })
  run('vault', 'init')
  run('project', 'add', '--id', 'demo', '--origin', page.origin)
  const server = await startProgram(portico, ['serve', '--config', file], { cwd: folder })
  return {
    wallet,
    host: page.origin,
    stranger: other.origin,
    chain,
    mails: () => mailsOf(wallet),
    async stop() {
      await server.stop()
      await Promise.all([chain.stop(), close(page.server), close(other.server)])
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Settings of a server with an embedded wallet, whose mails are shown by a page. */
export function walletSettings(origin: string, mailPause?: number): string {
  return [
    `[wallet]\norigin = "${origin}"\nlisten = "127.0.0.1:${new URL(origin).port}"`,
    `frame = ${JSON.stringify(builtFrame())}`,
    '[wallet.mail]\noutbox = true',
    ...(mailPause === undefined ? [] : [`pause_seconds = ${mailPause}`])
  ].join('\n')
}

/** Mails that a server keeps, the newest first. */
export async function mailsOf(wallet: string): Promise<readonly Mail[]> {
  return (await fetch(`${wallet}/outbox.json`)).json()
}

/** Folder of the built frame. */
export function builtFrame(): string {
  const folder = process.env.FRAME_DIST ?? join(repository(), 'packages/frame/dist')
  if (!existsSync(join(folder, 'index.html')))
    throw new Error(`There is no frame in ${folder}: build it with \`npm run build -w packages/frame\`.`)
  return folder
}

/** An empty page on a port of its own. */
async function servePage(): Promise<{ origin: string; server: Server }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Host</title><body></body>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
