import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const script = join(import.meta.dirname, '../build.mjs')

/** Builds the frame into a new folder; its hash. */
async function built(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-frame-'))
  try {
    const { stdout } = await run(process.execPath, [script, folder])
    return /frameIntegrity: ([\da-f]{64})/.exec(stdout)?.[1] ?? stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

it('the frame built twice has one hash, wherever it is put', async () => {
  const [first, second] = await Promise.all([built(), built()])
  expect(first).toMatch(/^[\da-f]{64}$/)
  expect(second).toBe(first)
}, 60_000)
