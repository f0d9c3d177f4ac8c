import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { useText } from '../text/text.tsx'
import { Button } from './Button.tsx'
import { Empty } from './Empty.tsx'

/** Loader of a component's file. */
export type File = () => Promise<ComponentType>

/** Components in files of their own, each fetched when first needed; `here` are those that are there from the start. */
export class Lazy<Name> {
  readonly #fileOf: (name: Name) => File
  readonly #parts: Map<Name, ComponentType>
  /** Number of failed loads per component that was needed. */
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

  /** Fetches a component ahead of time; after a failure it is fetched again when needed. */
  async load(name: Name): Promise<void> {
    await this.#fetch(name).catch(() => {})
  }

  /** Fetches a component that is needed now. Never rejects: a failure is counted in `failures`. */
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
  /** Whether the skeleton stays although the file is there. */
  readonly held?: boolean
}

/** The component called `name`, which must be its key as well; a skeleton while its file loads, and an error message if that fails. */
export function Part<Name>({ of, name, skeleton: Skeleton, held }: PartProps<Name>) {
  const read = () => of.get(name)
  const Component = useSyncExternalStore(of.subscribe, read, read)
  const count = () => of.failures(name)
  const failures = useSyncExternalStore(of.subscribe, count, count)
  // Mounting it again starts a new attempt.
  const [before] = useState(() => {
    if (!Component) void of.need(name)
    return failures
  })
  if (Component && !held) return <Component />
  return failures > before ? <Missing failures={failures} again={() => of.need(name)} /> : <Skeleton />
}

/**
 * Error message for a file that failed to load. Some browsers answer every further import of a URL with the first failure: then only a page
 * reload helps.
 */
function Missing({ failures, again }: { failures: number; again: () => Promise<void> }) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const retry = () => {
    setBusy(true)
    void again().finally(() => setBusy(false))
  }
  // The connection is back.
  useEffect(() => {
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  })
  return (
    <div role="alert" className="missing">
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
