import type { Listener, ProviderEvent } from './provider.ts'

/** Event listeners of one provider. */
export class Emitter {
  readonly #listeners = new Map<ProviderEvent, Listener[]>()

  add(event: ProviderEvent, listener: Listener): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener])
  }

  remove(event: ProviderEvent, listener: Listener): void {
    const listeners = [...(this.#listeners.get(event) ?? [])]
    const index = listeners.lastIndexOf(listener)
    if (index >= 0) listeners.splice(index, 1)
    this.#listeners.set(event, listeners)
  }

  count(event: ProviderEvent): number {
    return this.#listeners.get(event)?.length ?? 0
  }

  /** Calls every listener, even if one throws. */
  emit(event: ProviderEvent, payload: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        ;(listener as (payload: unknown) => void)(payload)
      } catch (error) {
        console.error(error)
      }
    }
  }
}
