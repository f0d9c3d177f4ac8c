import { createContext, useContext, useSyncExternalStore } from 'react'
import type { CoreEvent, Snapshot } from '../generated/core.ts'

/** Shell as views see it: the snapshot, events to dispatch, and wallets' pictures. */
export interface ShellForViews {
  readonly store: { get(): Snapshot; subscribe(listener: () => void): () => void }
  dispatch(event: CoreEvent): void
  /** Announced `data:` picture of a wallet. The core decides whether it may be drawn (`icon: true`). */
  icon(handle: string): string | undefined
}

export const ShellContext = createContext<ShellForViews | null>(null)

function useShell(): ShellForViews {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('A view needs a ShellContext around it')
  return shell
}

/** Re-renders only when `select` returns another value. Select existing values; do not build new objects. */
export function useSnapshot<T>(select: (snapshot: Snapshot) => T): T {
  const { store } = useShell()
  const read = () => select(store.get())
  return useSyncExternalStore(store.subscribe, read, read)
}

export function useDispatch(): ShellForViews['dispatch'] {
  return useShell().dispatch
}

/** Picture of a wallet: the host's, else the announced one, where it may be drawn. */
export function useIcon(
  wallet: { readonly imageUrl: string | null; readonly icon: boolean; readonly handle: string } | null | undefined
): string | undefined {
  const shell = useShell()
  return wallet?.imageUrl ?? (wallet?.icon ? shell.icon(wallet.handle) : undefined)
}
