//! Starts a real EVM chain for a test. Node only, so it is an entry of its own: `@portico/testkit/anvil`.

import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const START_LIMIT = 30_000
const KNOCK_PAUSE = 25

export interface Anvil {
  readonly chainId: number
  readonly rpcUrl: string
  request(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Stops the process; resolves when it has exited. */
  stop(): Promise<void>
}

export interface AnvilOptions {
  readonly chainId?: number
  /** Path of a state file that the chain starts from. */
  readonly state?: string | undefined
  /** Additional command line flags. */
  readonly flags?: readonly string[]
}

/** Starts anvil on a port chosen by the system; resolves when it answers requests. */
export async function startAnvil({ chainId = 31337, state, flags = [] }: AnvilOptions = {}): Promise<Anvil> {
  const launcher = join(dirname(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')), 'bin.mjs')
  const child = spawn(
    process.execPath,
    [
      launcher,
      ...['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId)],
      ...(state === undefined ? [] : ['--load-state', state]),
      ...flags
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] }
  )
  try {
    const rpcUrl = `http://127.0.0.1:${await listeningPort(child)}`
    const request = (method: string, params: readonly unknown[] = []) => call(rpcUrl, method, params)
    await untilAnswered(request)
    return { chainId, rpcUrl, request, stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  }
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      const port = /Listening on [^\s]*:(\d+)/.exec(said)?.[1]
      if (port !== undefined) resolve(Number(port))
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`anvil ended with code ${code} before it listened:\n${said}`)))
  })
}

async function untilAnswered(request: (method: string) => Promise<unknown>): Promise<void> {
  const end = Date.now() + START_LIMIT
  for (;;) {
    try {
      await request('eth_chainId')
      return
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, KNOCK_PAUSE))
    }
  }
}

async function call(rpcUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  })
  const body = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (body.error) throw new Error(`${method}: ${body.error.message}`)
  return body.result
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
