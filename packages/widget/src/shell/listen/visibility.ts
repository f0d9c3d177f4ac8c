import type { CoreEvent } from '../../generated/core.ts'
import type { Store } from '../store.ts'

/**
 * Sends an event when the page becomes visible again while connected, because the account may have changed meanwhile, and when the
 * browser is online again, because requests failed meanwhile.
 */
export function listenToVisibility(store: Store, dispatch: (event: CoreEvent) => void): void {
  const shown = () => {
    const connected = store.get().account.accounts.some((account) => account.isConnected)
    if (connected && !document.hidden) {
      dispatch({ feature: 'account', event: { type: 'pageShown' } })
    }
  }
  document.addEventListener('visibilitychange', shown)
  window.addEventListener('online', shown)
}
