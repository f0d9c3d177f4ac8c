//! Responses to reads of libraries that use a session's provider. The core sends the reads: a remote wallet gets none that a node can answer.

import { field } from '../json.ts'

const INTERNAL = -32603

export class RpcFault extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Result in a JSON-RPC response that the core got. Rejects with the node's error, or with the reason why no node responded. */
export async function resultOf(response: Promise<unknown>): Promise<unknown> {
  const { error, result } = await response.then(
    (answer) => ({ error: field(answer, 'error'), result: field(answer, 'result') }),
    (error: unknown) => ({ error, result: undefined })
  )
  if (!error) return result
  const [code, message] = [field(error, 'code'), field(error, 'message')]
  throw new RpcFault(Number(code) || INTERNAL, String(message ?? 'The node refused'), field(error, 'data'))
}
