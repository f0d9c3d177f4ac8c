const LIMIT = 20_000

interface Named {
  readonly type: string
}

/** Events of a side, which tests await in any order, with a time limit. */
export class Inbox<Event extends Named> {
  #events: Event[] = []
  readonly #waiting = new Set<() => void>()

  push(event: Event): void {
    this.#events.push(event)
    for (const look of [...this.#waiting]) look()
  }

  /** Waits for the next event of a type and removes it. */
  next<Type extends Event['type']>(
    type: Type,
    fits: (event: Extract<Event, { type: Type }>) => boolean = () => true
  ): Promise<Extract<Event, { type: Type }>> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.#events.find((event) => event.type === type && fits(event as Extract<Event, { type: Type }>))
        if (!found) return
        this.#events = this.#events.filter((event) => event !== found)
        this.#waiting.delete(look)
        clearTimeout(limit)
        resolve(found as Extract<Event, { type: Type }>)
      }
      const limit = setTimeout(() => {
        this.#waiting.delete(look)
        const told = this.#events.map((event) => event.type).join(', ') || 'nothing'
        reject(new Error(`No ${type} was told; what was: ${told}`))
      }, LIMIT)
      this.#waiting.add(look)
      look()
    })
  }

  /** Number of received events of a type that were not removed. */
  count(type: Event['type']): number {
    return this.#events.filter((event) => event.type === type).length
  }
}
