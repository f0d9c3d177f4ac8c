import { type ComponentType, useSyncExternalStore } from 'react'

/** Brings a component's file. */
export type File = () => Promise<ComponentType>

/** Components that are files of their own, each fetched when it is first needed; `here` are those that are there at once. */
export class Lazy<Name> {
  readonly #fileOf: (name: Name) => File
  readonly #parts: Map<Name, ComponentType>
  readonly #listeners = new Set<() => void>()

  constructor(fileOf: (name: Name) => File, here: readonly (readonly [Name, ComponentType])[] = []) {
    this.#fileOf = fileOf
    this.#parts = new Map(here)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get(name: Name): ComponentType | undefined {
    return this.#parts.get(name)
  }

  /** Fetches a component before it is asked for. A file that does not come is asked for again the next time. */
  async load(name: Name): Promise<void> {
    if (this.#parts.has(name)) return
    try {
      this.#parts.set(name, await this.#fileOf(name)())
      for (const listener of [...this.#listeners]) listener()
    } catch {
      // The skeleton stays; going away and coming again asks anew.
    }
  }
}

/** The component of a name; its skeleton until its file is there. */
export function usePart<Name>(lazy: Lazy<Name>, name: Name, skeleton: ComponentType): ComponentType {
  const read = () => lazy.get(name)
  const component = useSyncExternalStore(lazy.subscribe, read, read)
  if (component) return component
  void lazy.load(name)
  return skeleton
}
