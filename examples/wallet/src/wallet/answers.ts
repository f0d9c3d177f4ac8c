//! Sends responses to applications, again if needed: no action is performed twice, and a failed delivery is not reported as a failed
//! action.

import type { Records, SignClient } from '@portico/walletconnect'
import { type Done, doneFor, forgetDone, keepDone } from './done.ts'
import type { Question } from './question.ts'

export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

export interface AnswersParts {
  readonly client: Pick<SignClient, 'respond'>
  readonly records: Records
  /** Epoch seconds. */
  readonly now: () => number
  /** Runs `act` under a lock of this name, which all tabs of the wallet share. */
  readonly exclusive: <Made>(name: string, act: () => Promise<Made>) => Promise<Made>
  /** Called if a response could not be delivered; `hash` is that of the sent transaction. */
  readonly untold: (words: string, hash: string | null) => void
}

export class Answers {
  readonly #parts: AnswersParts
  /** Responses that needed no action (answered at once or refused), by request. */
  readonly #said = new Map<string, Answer>()
  /** Requests whose response was sent a second time; there is no third, else a failing relay would be retried forever. */
  readonly #repeated = new Set<string>()

  constructor(parts: AnswersParts) {
    this.#parts = parts
  }

  /**
   * Performs an approved request once. Returns null if it was already performed, here or in another tab, or is no longer pending. The
   * result is stored before the response is sent; throws if the action failed.
   */
  async once(
    { topic, id, expiry, ask }: Extract<Question, { kind: 'request' }>,
    isAsked: () => boolean
  ): Promise<Done | null> {
    const { records, now, exclusive } = this.#parts
    const keep = (result: unknown): Done => {
      const done = { topic, id, result, expiry: expiry ?? now(), sent: ask.body.type === 'transaction' }
      keepDone(records, done, now())
      return done
    }
    return exclusive(nameOf(topic, id), async () => {
      if (!isAsked() || this.repeats(topic, id)) return null
      try {
        return keep(await ask.perform(keep))
      } catch (error) {
        forgetDone(records, { topic, id })
        throw error
      }
    })
  }

  /** Responds with a stored result. Returns whether the response was delivered. */
  async tell(done: Done, again = false): Promise<boolean> {
    const { client, records, untold } = this.#parts
    const { topic, id, result } = done
    try {
      await client.respond(topic, id, { result })
    } catch {
      // The client reported the request again, and the same response is being sent again.
      if (!again && this.#repeated.has(nameOf(topic, id))) return false
      const hash = done.sent && typeof result === 'string' ? result : null
      untold(`${done.sent ? 'Sent' : 'Done'}. The app couldn't be notified.`, hash)
      return false
    }
    forgetDone(records, done)
    return true
  }

  /** Responds to a request that needs no action. Returns whether the response was delivered. */
  async say(topic: string, id: number, answer: Answer): Promise<boolean> {
    this.#said.set(nameOf(topic, id), answer)
    return this.#parts.client.respond(topic, id, answer).then(
      () => true,
      () => false
    )
  }

  /** Sends the response again if the request was answered before. Returns whether it was, so that the user is not prompted again. */
  repeats(topic: string, id: number): boolean {
    const name = nameOf(topic, id)
    const [done, said] = [doneFor(this.#parts.records, topic, id), this.#said.get(name)]
    if (!done && !said) return false
    if (!this.#repeated.has(name)) {
      this.#repeated.add(name)
      if (done) void this.tell(done, true)
      else if (said) void this.say(topic, id, said)
    }
    return true
  }
}

const nameOf = (topic: string, id: number) => `${topic}/${id}`
