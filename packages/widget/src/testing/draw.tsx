//! Renders views in tests, from the snapshots that the core's own scenarios wrote.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, cleanup, render } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach } from 'vitest'
import type { CoreEvent, Snapshot } from '../generated/core.ts'
import { ShellContext, type ShellForViews } from '../shell/react.tsx'
import { english, type Language, LanguageContext } from '../text/text.tsx'

const snapshots = join(import.meta.dirname, '../../../../fixtures/snapshots')

afterEach(cleanup)

/** Names of all snapshots. */
export const states = (): string[] => readdirSync(snapshots).map((file) => file.replace('.json', ''))

/** Snapshot by its name, as in `Connect.wallets`. */
export function pictureOf(name: string): Snapshot {
  return JSON.parse(readFileSync(join(snapshots, `${name}.json`), 'utf8'))
}

/** Fake shell: shows a given snapshot and records dispatched events. */
export class NotedShell implements ShellForViews {
  readonly said: CoreEvent[] = []
  #snapshot: Snapshot
  readonly #listeners = new Set<() => void>()

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  readonly store = {
    get: () => this.#snapshot,
    subscribe: (listener: () => void) => {
      this.#listeners.add(listener)
      return () => this.#listeners.delete(listener)
    }
  }

  readonly dispatch = (event: CoreEvent): void => {
    this.said.push(event)
  }

  readonly icon = (handle: string): string => `data:image/svg+xml,${handle}`

  /** Changes the snapshot, and draws all that follows from it. */
  tell(changes: Partial<Snapshot>): void {
    act(() => this.arrive(changes))
  }

  /** Changes the snapshot, and leaves the drawing to React. */
  arrive(changes: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...changes }
    for (const listener of [...this.#listeners]) listener()
  }
}

/** Renders a view with a snapshot. */
export function draw(View: ComponentType, picture: string | Snapshot, language: Language = english): NotedShell {
  const shell = new NotedShell(typeof picture === 'string' ? pictureOf(picture) : picture)
  render(
    <ShellContext.Provider value={shell}>
      <LanguageContext.Provider value={language}>
        <View />
      </LanguageContext.Provider>
    </ShellContext.Provider>
  )
  return shell
}
