import type { HostAnswer } from '../generated/core.ts'

/** Why a call of the host failed. */
export class PorticoError extends Error {
  /** A word to branch on: `userRejected`, `modalClosed`, `networkNotFound`. */
  readonly reason: string
  /** The EIP-1193 or JSON-RPC code, where a wallet or a node gave one. */
  readonly code: number | null

  constructor(reason: string, message: string, code: number | null = null) {
    super(message)
    this.name = 'PorticoError'
    this.reason = reason
    this.code = code
  }
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: PorticoError): void
}

/** The promises that host calls returned, by the number under which the core knows them. */
export class Tickets {
  #last = 0
  readonly #waiting = new Map<number, Waiting>()

  take<T>(): { readonly ticket: number; readonly promise: Promise<T> } {
    this.#last += 1
    const ticket = this.#last
    const promise = new Promise<T>((resolve, reject) => {
      this.#waiting.set(ticket, { resolve: resolve as Waiting['resolve'], reject })
    })
    return { ticket, promise }
  }

  settle(ticket: number, answer: HostAnswer): void {
    const waiting = this.#waiting.get(ticket)
    this.#waiting.delete(ticket)
    if (answer.type === 'resolved') {
      waiting?.resolve(answer.value)
    } else {
      const { reason, message, code } = answer.error
      waiting?.reject(new PorticoError(reason, message, code))
    }
  }

  rejectAll(reason: string, message: string): void {
    for (const ticket of [...this.#waiting.keys()]) {
      this.settle(ticket, { type: 'rejected', error: { reason, message, code: null } })
    }
  }
}
