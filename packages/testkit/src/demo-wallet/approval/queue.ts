import { type Deferred, deferred } from '../../deferred.ts'
import type { Approval, Asker, Decision } from './approval.ts'

interface Waiting {
  readonly approval: Approval
  readonly decision: Deferred<Decision>
}

/** Shows one approval at a time to the visitor; the others wait in order. */
export class ApprovalQueue {
  readonly #asker: () => Asker
  readonly #waiting: Waiting[] = []

  constructor(asker: () => Asker) {
    this.#asker = asker
  }

  ask(approval: Approval): Promise<Decision> {
    const waiting = { approval, decision: deferred<Decision>() }
    this.#waiting.push(waiting)
    if (this.#waiting.length === 1) void this.#present(waiting)
    return waiting.decision.promise
  }

  get pending(): readonly Approval[] {
    return this.#waiting.map(({ approval }) => approval)
  }

  /** Decides the approval in front programmatically. Returns false when none is pending. */
  decide(decision: Decision): boolean {
    const [front] = this.#waiting
    front?.decision.resolve(decision)
    return front !== undefined
  }

  async #present(waiting: Waiting): Promise<void> {
    const elsewhere = new AbortController()
    const { decision } = waiting
    try {
      const answered = Promise.resolve(this.#asker()(waiting.approval, elsewhere.signal))
      answered.then((answer) => decision.resolve(asDecision(answer)), decision.reject)
    } catch (error) {
      decision.reject(error)
    }
    await decision.promise.catch(() => {})
    elsewhere.abort()
    this.#waiting.shift()
    const [next] = this.#waiting
    if (next) void this.#present(next)
  }
}

function asDecision(answer: Decision | boolean): Decision {
  return typeof answer === 'boolean' ? { approved: answer } : answer
}
