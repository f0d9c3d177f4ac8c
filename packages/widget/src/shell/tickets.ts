import type { HostAnswer } from '../generated/core.ts'
import type { PorticoError } from '../host/PorticoError.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Ticket of no call: its answers are what listeners at the embedded wallet's provider hear. */
const LISTENERS = 0

/** Pending promises of host calls, by the ticket number that the core has for them. */
export class Tickets {
  #last = 0
  readonly #waiting = new Map<number, Waiting>()
  readonly #error: typeof PorticoError

  /** The error class comes from the page: hosts compare errors with that class, so it must not be bundled again here. */
  constructor(error: typeof PorticoError) {
    this.#error = error
  }

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
    if (ticket !== LISTENERS) this.#waiting.delete(ticket)
    if (answer.type === 'resolved') {
      waiting?.resolve(answer.value)
    } else {
      const { reason, message, code } = answer.error
      waiting?.reject(new this.#error(reason, message, code))
    }
  }

  /** Takes all answers to `LISTENERS`. */
  listen(tell: (told: unknown) => void): void {
    this.#waiting.set(LISTENERS, { resolve: tell, reject() {} })
  }

  rejectAll(reason: string, message: string): void {
    for (const ticket of [...this.#waiting.keys()]) {
      this.settle(ticket, { type: 'rejected', error: { reason, message, code: null } })
    }
  }
}
