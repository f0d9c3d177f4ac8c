//! The page's side of the worker.

import type { FrameOperation, FrameOutcome } from './generated/frame.ts'
import type { PageOrder } from './keeper/settings.ts'

/** Script address for browsers with Trusted Types: the page names no other one. */
function workerAddress(): string | URL {
  const address = new URL('./keeper.ts', import.meta.url).href
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): unknown } }).trustedTypes
  if (!factory) return address
  const policy = factory.createPolicy('portico-keeper', { createScriptURL: () => address })
  return (policy as { createScriptURL(text: string): URL }).createScriptURL('')
}

export function startWorker(): (operation: FrameOperation | PageOrder) => Promise<FrameOutcome> {
  const worker = new Worker(workerAddress(), { type: 'module' })
  const waiting = new Map<number, (outcome: FrameOutcome) => void>()
  let last = 0
  worker.onmessage = ({ data }: MessageEvent<{ id: number; outcome: FrameOutcome }>) => {
    waiting.get(data.id)?.(data.outcome)
    waiting.delete(data.id)
  }
  // A worker that could not load never answers: all that waits fails.
  worker.onerror = () => {
    for (const answer of waiting.values()) answer({ type: 'failed', kind: 'broken', message: '' })
    waiting.clear()
  }
  return (operation) =>
    new Promise((answer) => {
      last += 1
      waiting.set(last, answer)
      worker.postMessage({ id: last, operation })
    })
}
