//! Calls to chains in one batch, through the server's proxy on the frame's own origin.

import type { FrameOperation, FrameOutcome } from './generated/frame.ts'

/** Time limit of a batch in milliseconds (spec 9.16). */
const PATIENCE = 10_000

export async function sendRpc(
  { chain, calls }: Extract<FrameOperation, { type: 'sendRpc' }>,
  project: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>
): Promise<FrameOutcome> {
  const query = new URLSearchParams({ chainId: chain, projectId: project })
  const body = JSON.stringify(calls.map(({ method, params }, index) => ({ jsonrpc: '2.0', id: index, method, params })))
  let told: unknown
  try {
    const response = await fetch(`/rpc/v1?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE)
    })
    told = await response.json()
    if (!Array.isArray(told)) return { type: 'failed', kind: 'refused', message: sentenceOf(told) }
  } catch {
    return { type: 'failed', kind: 'unreachable', message: '' }
  }
  const answers: readonly { id?: unknown }[] = told
  return { type: 'answered', value: calls.map((_, index) => answers.find((one) => one?.id === index) ?? null) }
}

/** The server's own sentence about a refusal. */
export function sentenceOf(problem: unknown): string {
  const reasons = (problem as { reasons?: { description?: unknown }[] } | null)?.reasons
  const sentence = Array.isArray(reasons) ? reasons[0]?.description : undefined
  return typeof sentence === 'string' ? sentence : ''
}
