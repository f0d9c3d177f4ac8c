//! Performs the machine's effects: messages through the port, calls to chains, what follows a click by the part that comes with the views, and
//! everything else by the worker. Always answers.

import type { performClick } from './clicks.ts'
import type { FrameOperation, FrameOutcome } from './generated/frame.ts'
import type { PageOrder } from './keeper/settings.ts'
import type { Perform } from './machine.ts'
import { sendRpc } from './rpc.ts'
import type { Secrets } from './secrets.ts'
import type { DecisionWindow } from './window/DecisionWindow.ts'

export interface PerformParts {
  /** The frame's end of the channel to the host page. */
  readonly port: { postMessage(message: unknown): void }
  /** Performs an operation in the worker. */
  readonly worker: (operation: FrameOperation | PageOrder) => Promise<FrameOutcome>
  /** Words, keys and codes that the page shows. */
  readonly secrets: Secrets
  /** Project of the host page. */
  readonly project: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Performs what follows a click; absent before the views are there, when nobody can click. */
  clicks: typeof performClick | undefined
  /** Window for large values; comes with them. */
  window?: DecisionWindow | undefined
}

export function performer(parts: PerformParts): Perform {
  return async (operation) => {
    try {
      switch (operation.type) {
        case 'postMessage': {
          const { type, id, payload } = operation.message
          parts.port.postMessage(payload === null ? { type, id } : { type, id, payload })
          return { type: 'done' }
        }
        case 'sendRpc':
          return await sendRpc(operation, parts.project, parts.fetch)
        default:
          return await (parts.clicks ?? parts.worker)(operation, parts)
      }
    } catch {
      // What was thrown may hold a text of the host or the server; the machine has words of its own.
      return { type: 'failed', kind: 'broken', message: '' }
    }
  }
}
