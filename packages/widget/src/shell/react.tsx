import { createContext, useContext, useSyncExternalStore } from 'react'
import type { CoreEvent, Snapshot } from '../generated/core.ts'

/** What views may do: read the snapshot, dispatch an event, and draw a wallet's picture. */
export interface ShellForViews {
  readonly store: { get(): Snapshot; subscribe(listener: () => void): () => void }
  dispatch(event: CoreEvent): void
  /** The `data:` picture that a wallet announced. The core says (`icon: true`) whether it may be drawn. */
  icon(handle: string): string | undefined
}

export const ShellContext = createContext<ShellForViews | null>(null)

function useShell(): ShellForViews {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('A view needs a ShellContext around it')
  return shell
}

/** Re-renders only when what `select` returns is another value. Select what is there; build nothing. */
export function useSnapshot<T>(select: (snapshot: Snapshot) => T): T {
  const { store } = useShell()
  const read = () => select(store.get())
  return useSyncExternalStore(store.subscribe, read, read)
}

export function useDispatch(): ShellForViews['dispatch'] {
  return useShell().dispatch
}

export function useIcon(handle: string | undefined): string | undefined {
  const shell = useShell()
  return handle === undefined ? undefined : shell.icon(handle)
}
