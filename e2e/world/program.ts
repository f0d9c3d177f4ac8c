//! Starts our programs that print the address they listen on: the server and the explorer.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const START_LIMIT = 20_000
const STOP_LIMIT = 3_000

export interface Program {
  /** Address that it listens on, `http://127.0.0.1:…`. */
  readonly origin: string
  stop(): Promise<void>
  /** Ends it without a shutdown, like a power cut. */
  kill(): Promise<void>
}

export function repository(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'Cargo.toml'))) folder = dirname(folder)
  return folder
}

/** Path of a binary: from an environment variable, or in cargo's target folder. */
export function program(name: string, variable: string): string {
  const named = process.env[variable]
  if (named) return named
  const found = ['debug', 'release'].map((kind) => join(repository(), 'target', kind, name)).find(existsSync)
  if (!found) throw new Error(`There is no ${name}: build it with \`cargo build --bin ${name}\`.`)
  return found
}

/** Starts a program, in a folder with an environment, and resolves once it listens. */
export async function startProgram(
  binary: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
): Promise<Program> {
  const child = spawn(binary, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    return { origin: await listeningAt(child), stop: () => stop(child), kill: () => stop(child, 'SIGKILL') }
  } catch (error) {
    await stop(child)
    throw error
  }
}

function listeningAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const limit = setTimeout(() => reject(new Error(`It did not start:\n${said}`)), START_LIMIT)
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
    child.once('exit', (code) => reject(new Error(`It ended with code ${code}:\n${said}`)))
  })
}

/** Stops a program with a signal, and kills it after a time limit, because open connections of a browser would block the shutdown. */
function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT)
    child.once('exit', () => {
      clearTimeout(limit)
      resolve()
    })
    child.kill(signal)
  })
}
