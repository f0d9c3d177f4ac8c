//! Requests of a page that are on their way.

import type { Page } from 'playwright-core'

/** Time in milliseconds that passes in the page at a time: longer than the widget waits after typing, or before a retry. */
const STEP = 700
/** Number of steps without a request after which the page has nothing left to ask. */
const CALM = 2
const MOST_STEPS = 100

export class Traffic {
  #sent = 0
  #open = 0
  #waiting: (() => void)[] = []

  follow(page: Page): void {
    const done = () => {
      this.#open -= 1
      if (this.#open === 0) for (const go of this.#waiting.splice(0)) go()
    }
    page.on('request', () => {
      this.#sent += 1
      this.#open += 1
    })
    page.on('requestfinished', done)
    page.on('requestfailed', done)
  }

  /** Lets time pass in a page with a clock until it sends no more requests. */
  async settle({ clock }: Page): Promise<void> {
    let calm = 0
    for (let step = 0; calm < CALM; step += 1) {
      if (step === MOST_STEPS) throw new Error('The page never stops sending requests')
      const sent = this.#sent
      await clock.runFor(STEP)
      if (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      calm = sent === this.#sent ? calm + 1 : 0
    }
  }
}
