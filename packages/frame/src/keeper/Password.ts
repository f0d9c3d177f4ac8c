//! Commands of the password's module (OPAQUE), which is loaded when one is set or typed. Its forms are those of `crates/password`.

import { random } from './bytes.ts'

/** Refusal of the module. */
export class PasswordError extends Error {
  readonly reason: string

  constructor(reason: string) {
    super('The password was refused')
    this.reason = reason
  }
}

/** Key of a password, and the record of a new one. */
export interface Finished {
  readonly key: string
  readonly record: string | null
}

/** Sends the first message to the vault; returns its answer. */
type Ask = (request: string) => Promise<string>

export class Password {
  readonly #command: (json: string) => Promise<string>

  constructor(command: (json: string) => Promise<string>) {
    this.#command = command
  }

  /** Sets a password. */
  choose(password: string, ask: Ask): Promise<Finished> {
    return this.#perform('choose', password, ask)
  }

  /** Tries a password. */
  try(password: string, ask: Ask): Promise<Finished> {
    return this.#perform('try', password, ask)
  }

  async #perform(type: 'choose' | 'try', typed: string, ask: Ask): Promise<Finished> {
    // Keyboards write the same letter in several ways.
    const password = typed.normalize('NFC')
    const { request } = await this.#told<{ request: string }>('asked', { type, password, random: random(32) })
    let response: string
    try {
      response = await ask(request)
    } catch (error) {
      await this.#told('forgotten', { type: 'forget' })
      throw error
    }
    // The slow hash is in here.
    return this.#told<Finished>('opened', { type: 'answered', response })
  }

  async #told<Answer>(expected: string, command: object): Promise<Answer> {
    const told = JSON.parse(await this.#command(JSON.stringify(command)))
    if (told.type !== expected) throw new PasswordError(told.type === 'refused' ? String(told.reason) : 'form')
    return told
  }
}
