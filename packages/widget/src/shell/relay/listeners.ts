//! Event listeners of a provider.

export type Listener = (payload: never) => void

export class Listeners {
  readonly #listeners = new Map<string, Set<Listener>>()

  add(event: string, listener: Listener): void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
  }

  remove(event: string, listener: Listener): void {
    this.#listeners.get(event)?.delete(listener)
  }

  tell(event: string, payload: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        listener(payload as never)
      } catch (error) {
        // A listener's error is the page's own and is reported as such; the other listeners still run.
        reportError(error)
      }
    }
  }
}
