//! The real server, over the demo as it was built.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a careful host allows, and nothing that the widget or this page would need beyond. */
export const STRICT_CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

export interface ServerOptions {
  readonly chains: readonly { readonly id: number; readonly url: string }[]
  readonly csp?: string | undefined
}

export interface Server {
  readonly origin: string
  stop(): Promise<void>
}

const START_LIMIT = 20_000
const STOP_LIMIT = 3_000

export function repository(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'Cargo.toml'))) folder = dirname(folder)
  return folder
}

export async function startServer({ chains, csp = STRICT_CSP }: ServerOptions): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-e2e-'))
  const config = [
    'listen = "127.0.0.1:0"',
    `database = ${JSON.stringify(join(folder, 'portico.sqlite'))}`,
    `static_dir = ${JSON.stringify(builtDemo())}`,
    `static_csp = ${JSON.stringify(csp)}`,
    'log = "warn"',
    ...chains.map(({ id, url }) => `[[chains]]\nid = "eip155:${id}"\nupstreams = ["${url}"]`)
  ]
  const file = join(folder, 'portico.toml')
  writeFileSync(file, config.join('\n'))
  const child = spawn(binary(), ['serve', '--config', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const origin = await listeningAt(child)
    return {
      origin,
      async stop() {
        await stop(child)
        rmSync(folder, { recursive: true, force: true })
      }
    }
  } catch (error) {
    await stop(child)
    throw error
  }
}

function binary(): string {
  const named = process.env.PORTICO_BIN
  if (named) return named
  const found = ['debug', 'release'].map((kind) => join(repository(), 'target', kind, 'portico')).find(existsSync)
  if (!found) throw new Error('There is no server: build it with `cargo build -p portico-server`.')
  return found
}

function builtDemo(): string {
  const folder = process.env.DEMO_DIST ?? join(repository(), 'examples/demo/dist')
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error(`There is no page in ${folder}: build it with \`npm run build -w examples/demo\`.`)
  }
  return folder
}

function listeningAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const limit = setTimeout(() => reject(new Error(`The server did not start:\n${said}`)), START_LIMIT)
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      const origin = /^listening on (http:\S+)\n/m.exec(said)?.[1]
      if (origin === undefined) return
      clearTimeout(limit)
      resolve(origin)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code}:\n${said}`)))
  })
}

/** Politely; but connections that a browser keeps open are no reason to wait. */
function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT)
    child.once('exit', () => {
      clearTimeout(limit)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
