//! Words, keys and codes that the page shows, and the password that is typed: they are in no snapshot of the machine, and are dropped by its order.

/** Private key of an account, in the form that other wallets import. */
export interface PrivateKey {
  readonly namespace: string
  readonly address: string
  readonly path: string
  readonly key: string
}

export type Secret =
  | { readonly type: 'words'; readonly words: string; readonly keys: readonly PrivateKey[] }
  | { readonly type: 'kit'; readonly code: string; readonly mark: string }

export class Secrets {
  readonly #listeners = new Set<() => void>()
  #secret: Secret | undefined
  #typed = ''

  get secret(): Secret | undefined {
    return this.#secret
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  show(secret: Secret): void {
    this.#secret = secret
    this.#tell()
  }

  /** Holds what the visitor typed until its order comes. */
  type(password: string): void {
    this.#typed = password
  }

  /** The typed password, once. */
  take(): string {
    const typed = this.#typed
    this.#typed = ''
    return typed
  }

  conceal(): void {
    this.#secret = undefined
    this.#typed = ''
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
