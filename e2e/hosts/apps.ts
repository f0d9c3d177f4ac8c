//! Sample host applications in the folder that `cargo xtask test hosts` prepares, with the packed widget installed.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Environment without the variables of the test runner, which would change the tools' builds. */
const ENV = { ...process.env, NODE_ENV: undefined, VITEST: undefined }

/** Folder of an application. */
export function app(name: string): string {
  const { HOSTS } = process.env
  if (!HOSTS) throw new Error('Run these by `cargo xtask test hosts`')
  return join(HOSTS, name)
}

export interface Said {
  readonly code: number
  readonly out: string
}

/** Runs a program of the installed packages until it ends, successfully or not. */
export async function tool(name: string, args: readonly string[], cwd: string, env: object = {}): Promise<Said> {
  const program = join(app('node_modules/.bin'), name)
  try {
    const { stdout, stderr } = await run(program, [...args], { cwd, env: { ...ENV, ...env }, maxBuffer: 2 ** 26 })
    return { code: 0, out: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: `${stdout}${stderr}` }
  }
}

export interface Served {
  readonly origin: string
  stop(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm'
}

/** Static file server that responds with 404 to missing files. */
export async function serve(folder: string): Promise<Served> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    const file = join(folder, normalize(pathname === '/' ? '/index.html' : pathname))
    if (!existsSync(file)) return void response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html>')
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** Starts the server of an application, and waits until it prints its address. */
export async function start(name: string, args: readonly string[], cwd: string, env: object = {}): Promise<Served> {
  const child = spawn(join(app('node_modules/.bin'), name), [...args], {
    cwd,
    env: { ...ENV, ...env, NO_COLOR: '1', FORCE_COLOR: '0' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  process.once('exit', () => end(child))
  const origin = await new Promise<string>((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk
      const told = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)/.exec(said)
      if (told) resolve(`http://localhost:${told[1]}`)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', () => reject(new Error(`${name} ended:\n${said}`)))
  })
  return {
    origin,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        end(child)
      })
  }
}

/** Ends a process and all its child processes. */
function end(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
