//! Store of the state that views read, with its subscribers.

import { isFor, type Question } from './question.ts'
import type { Notice, WalletView } from './view.ts'

const MOST_NOTICES = 3

export class Shown {
  readonly #now: () => number
  readonly #listeners = new Set<() => void>()
  #view: WalletView
  #lastNotice = 0

  /** `now` is in epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now
    this.#view = {
      now: this.seconds(),
      relay: { state: 'idle', reason: null },
      pairing: { phase: 'none' },
      questions: [],
      sessions: [],
      notices: []
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): WalletView => this.#view

  /** Removes expired questions and notices. */
  readonly tick = (): void => {
    const now = this.seconds()
    const { pairing, questions, notices } = this.#view
    const told = notices.filter(({ until }) => until === null || until > now)
    if (told.length < notices.length) this.show({ notices: told })
    // The time is updated only if a countdown is visible.
    if (questions.length === 0 && pairing.phase !== 'waiting') return
    this.show({ now, questions: questions.filter(({ expiry, busy }) => busy || expiry === null || expiry > now) })
  }

  show(change: Partial<WalletView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** Adds a notice for `seconds`, or until the user dismisses it. */
  note(words: string, seconds?: number, hash: string | null = null): void {
    this.#lastNotice += 1
    const until = seconds === undefined ? null : this.seconds() + seconds
    const notice = { id: this.#lastNotice, words, hash, until }
    this.show({ notices: [...this.#view.notices, notice].slice(-MOST_NOTICES) })
  }

  dismiss(notice: Notice): void {
    this.show({ notices: this.#view.notices.filter((one) => one !== notice) })
  }

  /** Marks the pairing as failed. */
  fail(words: string): void {
    this.show({ pairing: { phase: 'failed', words } })
  }

  /** Current state of the question, if it is still open. */
  current(question: Question): Question | undefined {
    return this.#view.questions.find((one) => isFor(one, question))
  }

  change(question: Question, change: Pick<Question, 'busy' | 'fault'>): void {
    const questions = this.#view.questions.map((one) => (isFor(one, question) ? { ...one, ...change } : one))
    this.show({ questions })
  }

  drop(question: Question): void {
    this.dropWhere((one) => isFor(one, question))
  }

  dropWhere(gone: (question: Question) => boolean): void {
    this.show({ questions: this.#view.questions.filter((one) => !gone(one)) })
  }

  seconds(): number {
    return Math.floor(this.#now() / 1000)
  }
}
