//! Real relay: our server with its own database file, on a port that stays the same across a kill and restart.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, program, startProgram } from '../../world/program.ts'
import { freePort } from './port.ts'

/** Project id of 32 hexadecimal digits, which clients require. */
export const PROJECT = '0123456789abcdef0123456789abcdef'

export interface Relay {
  /** `ws://127.0.0.1:…` */
  readonly url: string
  /** Kills it without a shutdown, like a power cut. */
  kill(): Promise<void>
  /** Restarts it after `kill`, on the same port and file. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts a relay; `project` is the project id that its clients send. */
export async function startRelay(project = PROJECT): Promise<Relay> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-peers-'))
  const port = await freePort()
  const config = [
    `listen = "127.0.0.1:${port}"`,
    `database = ${JSON.stringify(join(folder, 'portico.sqlite'))}`,
    'log = "warn"',
    '[relay]\nenabled = true'
  ]
  const file = join(folder, 'portico.toml')
  writeFileSync(file, config.join('\n'))
  const portico = program('portico', 'PORTICO_BIN')
  execFileSync(portico, ['project', 'add', '--id', project, '--any-origin', '--config', file], { stdio: 'pipe' })
  const start = () => startProgram(portico, ['serve', '--config', file])
  let running: Program = await start()
  process.once('exit', () => void running.kill())
  return {
    url: `ws://127.0.0.1:${port}`,
    kill: () => running.kill(),
    async start() {
      running = await start()
    },
    async stop() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
