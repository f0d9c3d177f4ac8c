/** Longest delay in milliseconds: a longer one overflows the timers of all engines. */
const LONGEST = 2 ** 31 - 1
/** Delay in milliseconds from which a late timer means that the computer slept. */
const ASLEEP = 5000

/** Single timer of a client. */
export class Alarm {
  readonly #now: () => number
  readonly #ring: (slept: boolean) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #due: number | null = null

  constructor(now: () => number, ring: (slept: boolean) => void) {
    this.#now = now
    this.#ring = ring
  }

  /** Sets the time to ring in epoch milliseconds, or never. */
  set(due: number | null): void {
    if (due === this.#due) return
    clearTimeout(this.#timer)
    this.#due = due
    if (due === null) return
    const wait = Math.min(Math.max(due - this.#now(), 0), LONGEST)
    const expected = this.#now() + wait
    this.#timer = setTimeout(() => {
      this.#due = null
      this.#ring(this.#now() - expected > ASLEEP)
    }, wait)
  }
}
