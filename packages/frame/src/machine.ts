//! Runs the machine: passes events in, performs its effects, keeps its snapshot for React. All decisions are the machine's.

import type { FrameEffect, FrameOutcome, FrameSnapshot, FrameUiEvent } from './generated/frame.ts'

/** Methods of the module; each answers with JSON, or with `!` and the part that was not understood. */
export interface Wasm {
  dispatch(event: string, now: number): string
  resolve(id: number, outcome: string, now: number): string
  tick(now: number): string
}

interface Report {
  readonly effects: readonly FrameEffect[]
  readonly timeout: number | null
  readonly snapshot: FrameSnapshot | null
}

/** Performs one effect. Never rejects. */
export type Perform = (operation: FrameEffect['operation']) => Promise<FrameOutcome> | FrameOutcome

export class Machine {
  readonly #wasm: Wasm
  readonly #perform: Perform
  readonly #trapped: () => void
  readonly #listeners = new Set<() => void>()
  #snapshot: FrameSnapshot | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `trapped` is called when the module broke off: it must not be called again. */
  constructor(wasm: Wasm, perform: Perform, trapped: () => void) {
    this.#wasm = wasm
    this.#perform = perform
    this.#trapped = trapped
  }

  /** Reads the first snapshot. */
  start(): void {
    this.#turn((now) => this.#wasm.tick(now))
  }

  get snapshot(): FrameSnapshot {
    if (!this.#snapshot) throw new Error('The machine was not started')
    return this.#snapshot
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  dispatch(event: FrameUiEvent): void {
    const text = JSON.stringify(event)
    this.#turn((now) => this.#wasm.dispatch(text, now))
  }

  #turn(step: (now: number) => string): void {
    let told: string
    try {
      told = step(Date.now())
    } catch (error) {
      this.#trapped()
      throw error
    }
    if (told.startsWith('!')) throw new Error(`Not understood: ${told.slice(1)}`)
    const report: Report = JSON.parse(told)
    clearTimeout(this.#timer)
    if (report.timeout !== null) {
      const wait = Math.max(0, report.timeout - Date.now())
      this.#timer = setTimeout(() => this.#turn((now) => this.#wasm.tick(now)), wait)
    }
    if (report.snapshot) {
      this.#snapshot = report.snapshot
      for (const listener of this.#listeners) listener()
    }
    for (const { id, operation } of report.effects) void this.#do(id, operation)
  }

  async #do(id: number, operation: FrameEffect['operation']): Promise<void> {
    const outcome = JSON.stringify(await this.#perform(operation))
    this.#turn((now) => this.#wasm.resolve(id, outcome, now))
  }
}
