import { type ComponentType, useState, useSyncExternalStore } from 'react'
import { useText } from '../text/text.tsx'
import { Button } from './Button.tsx'
import { Empty } from './Empty.tsx'

/** Brings a component's file. */
export type File = () => Promise<ComponentType>

/** Components that are files of their own, each fetched when it is first needed; `here` are those that are there at once. */
export class Lazy<Name> {
  readonly #fileOf: (name: Name) => File
  readonly #parts: Map<Name, ComponentType>
  /** How often a file did not come while it was waited for. */
  readonly #failures = new Map<Name, number>()
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

  failures(name: Name): number {
    return this.#failures.get(name) ?? 0
  }

  /** Fetches a component before it is asked for: one that does not come is asked for again when it is needed. */
  async load(name: Name): Promise<void> {
    await this.#fetch(name).catch(() => {})
  }

  /** Fetches a component that is waited for. Never rejects: that it did not come is kept. */
  async need(name: Name): Promise<void> {
    try {
      await this.#fetch(name)
    } catch {
      this.#failures.set(name, this.failures(name) + 1)
      this.#tell()
    }
  }

  async #fetch(name: Name): Promise<void> {
    if (this.#parts.has(name)) return
    this.#parts.set(name, await this.#fileOf(name)())
    this.#failures.delete(name)
    this.#tell()
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

interface PartProps<Name> {
  readonly of: Lazy<Name>
  readonly name: NoInfer<Name>
  readonly skeleton: ComponentType
}

/** The component of a name, which is its key as well; its skeleton until its file is there, and in words that it did not come. */
export function Part<Name>({ of, name, skeleton: Skeleton }: PartProps<Name>) {
  const read = () => of.get(name)
  const Component = useSyncExternalStore(of.subscribe, read, read)
  const count = () => of.failures(name)
  const failures = useSyncExternalStore(of.subscribe, count, count)
  // Whoever comes again asks anew.
  const [before] = useState(() => {
    if (!Component) void of.need(name)
    return failures
  })
  if (Component) return <Component />
  return failures > before ? <Missing failures={failures} again={() => of.need(name)} /> : <Skeleton />
}

/** A file that did not come. Some browsers answer every further import of an address with the failure of the first: only the page helps then. */
function Missing({ failures, again }: { failures: number; again: () => Promise<void> }) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const retry = () => {
    setBusy(true)
    void again().finally(() => setBusy(false))
  }
  return (
    <div role="alert">
      <Empty icon="warning" title={t('notLoaded')} hint={t(failures > 1 ? 'notLoadedStill' : 'notLoadedHint')}>
        <Button kind="primary" icon="retry" busy={busy} data-testid="load-again" onClick={retry}>
          {t('tryAgain')}
        </Button>
        {failures > 1 && (
          <Button data-testid="reload-page" onClick={() => location.reload()}>
            {t('reloadPage')}
          </Button>
        )}
      </Empty>
    </div>
  )
}
