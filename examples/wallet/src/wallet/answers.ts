//! Tells applications what became of their requests, however often it takes: nothing is done twice, and no fault of the line becomes an
//! error of what was done.

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
  /** Acts while no other tab of the wallet does under this name. */
  readonly exclusive: <Made>(name: string, act: () => Promise<Made>) => Promise<Made>
  /** The application could not be told; `hash` is that of what was sent. */
  readonly untold: (words: string, hash: string | null) => void
}

export class Answers {
  readonly #parts: AnswersParts
  /** What is said without asking anybody, or was refused; by request. */
  readonly #said = new Map<string, Answer>()
  /** What was answered a second time: a relay that takes nothing would be asked for ever. */
  readonly #repeated = new Set<string>()

  constructor(parts: AnswersParts) {
    this.#parts = parts
  }

  /**
   * Does what was approved, unless it is done already, here or in another tab, or nobody asks for it any more: null then. What is done is
   * kept before anybody is told; throws where nothing was.
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

  /** Answers with what was done and kept. Whether the application could be told. */
  async tell(done: Done, again = false): Promise<boolean> {
    const { client, records, untold } = this.#parts
    const { topic, id, result } = done
    try {
      await client.respond(topic, id, { result })
    } catch {
      // The client told of the request anew, and the same answer is on its way again.
      if (!again && this.#repeated.has(nameOf(topic, id))) return false
      const hash = done.sent && typeof result === 'string' ? result : null
      untold(`${done.sent ? 'Sent' : 'Done'}. The app could not be told.`, hash)
      return false
    }
    forgetDone(records, done)
    return true
  }

  /** Answers what nothing has to be done for. Whether the application could be told. */
  async say(topic: string, id: number, answer: Answer): Promise<boolean> {
    this.#said.set(nameOf(topic, id), answer)
    return this.#parts.client.respond(topic, id, answer).then(
      () => true,
      () => false
    )
  }

  /** Whether that request was answered before: it is once more then, and nobody is asked again. */
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
