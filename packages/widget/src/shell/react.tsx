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

/** A wallet's picture: the host's own, else the one that it announced, where that may be drawn. */
export function useIcon(
  wallet: { readonly imageUrl: string | null; readonly icon: boolean; readonly handle: string } | null | undefined
): string | undefined {
  const shell = useShell()
  return wallet?.imageUrl ?? (wallet?.icon ? shell.icon(wallet.handle) : undefined)
}
