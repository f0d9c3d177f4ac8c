//! The frame's worker: holds the device's keys, the tokens and the signer. The page gets results, and never one of them.

import initialise, { command } from '../wasm/signer.js'
import type { FrameOperation, FrameOutcome } from './generated/frame.ts'
import { openDatabase } from './keeper/database.ts'
import { Keeper } from './keeper/Keeper.ts'

/** The signer is loaded behind everything else, and once. */
let loading: Promise<unknown> | undefined

async function sign(text: string): Promise<string> {
  loading ??= initialise({ module_or_path: fetch(new URL('../wasm/signer_bg.wasm', import.meta.url)) })
  try {
    await loading
  } catch (error) {
    loading = undefined
    throw error
  }
  return command(text)
}

const keeper = new Keeper({
  records: openDatabase(indexedDB),
  command: sign,
  fetch: (path, init) => fetch(path, init),
  exclusively: (work) => navigator.locks.request('portico-session', work)
})

self.onmessage = async ({ data }: MessageEvent<{ id: number; operation: FrameOperation }>) => {
  const outcome: FrameOutcome = await keeper.perform(data.operation)
  self.postMessage({ id: data.id, outcome })
}
