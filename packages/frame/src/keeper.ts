//! The frame's worker: holds the device's keys, the tokens and the signer. The page gets results, and never one of them.

import initialise, { command } from '../wasm/signer.js'
import type { FrameOperation, FrameOutcome } from './generated/frame.ts'
import { openDatabase } from './keeper/database.ts'
import { Keeper } from './keeper/Keeper.ts'
import type { PageOrder } from './keeper/settings.ts'

/** Module of the signer: loaded once, behind the first request, so that it is there when a code is typed. */
let loading: Promise<unknown> | undefined

function load(): Promise<unknown> {
  loading ??= initialise({ module_or_path: fetch(new URL('../wasm/signer_bg.wasm', import.meta.url)) }).catch(
    (error: unknown) => {
      loading = undefined
      throw error
    }
  )
  return loading
}

async function sign(text: string): Promise<string> {
  await load()
  return command(text)
}

async function usePassword(text: string): Promise<string> {
  const { perform } = await import('./password.ts')
  return perform(text)
}

const keeper = new Keeper({
  records: openDatabase(() => indexedDB),
  command: sign,
  password: usePassword,
  fetch: (path, init) => fetch(path, init),
  exclusively: (work) => navigator.locks.request('portico-session', work)
})

self.onmessage = async ({ data }: MessageEvent<{ id: number; operation: FrameOperation | PageOrder }>) => {
  const outcome: FrameOutcome = await keeper.perform(data.operation)
  self.postMessage({ id: data.id, outcome })
  // A failure is told by the command that needs the signer.
  load().catch(() => {})
}
