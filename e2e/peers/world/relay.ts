//! Real relay: our server with its own database file, at an address that stays the same across a kill and restart.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, program, startProgram } from '../../world/program.ts'
import { buildDoor } from './door.ts'

/** Project id of 32 hexadecimal digits, which clients require. */
export const PROJECT = '0123456789abcdef0123456789abcdef'

export interface Relay {
  /** `ws://127.0.0.1:…` */
  readonly url: string
  /** Kills it without a shutdown, like a power cut. Clients hear of it at `start`: one that is refused in between tries again after seconds. */
  kill(): Promise<void>
  /** Restarts it after `kill`, with the same file. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts a relay; `project` is the project id that its clients send. */
export async function startRelay(project = PROJECT): Promise<Relay> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-peers-'))
  const door = await buildDoor()
  const config = [
    'listen = "127.0.0.1:0"',
    `database = ${JSON.stringify(join(folder, 'portico.sqlite'))}`,
    'log = "warn"',
    '[relay]\nenabled = true'
  ]
  const file = join(folder, 'portico.toml')
  writeFileSync(file, config.join('\n'))
  const portico = program('portico', 'PORTICO_BIN')
  execFileSync(portico, ['project', 'add', '--id', project, '--any-origin', '--config', file], { stdio: 'pipe' })
  async function start(): Promise<Program> {
    const started = await startProgram(portico, ['serve', '--config', file])
    door.open(Number(new URL(started.origin).port))
    return started
  }
  let running = await start()
  process.once('exit', () => void running.kill())
  return {
    url: `ws://127.0.0.1:${door.port}`,
    async kill() {
      door.hold()
      await running.kill()
    },
    async start() {
      running = await start()
    },
    async stop() {
      door.close()
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
