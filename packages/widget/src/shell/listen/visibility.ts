import type { CoreEvent } from '../../generated/core.ts'
import type { Store } from '../store.ts'

/** Sends an event when the page becomes visible again while connected: the account may have changed meanwhile. */
export function listenToVisibility(store: Store, dispatch: (event: CoreEvent) => void): void {
  document.addEventListener('visibilitychange', () => {
    const connected = store.get().account.accounts.some((account) => account.isConnected)
    if (connected && document.visibilityState === 'visible') {
      dispatch({ feature: 'account', event: { type: 'pageShown' } })
    }
  })
}
