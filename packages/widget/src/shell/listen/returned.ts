import type { CoreEvent } from '../../generated/core.ts'
import type { Store } from '../store.ts'

/** Query parameter that the core adds to the return URL for on-ramp providers. */
const MARK = 'portico-bought'

/**
 * Sends the core the visitor's return from a purchase, once their account is connected. Removes the parameter from the URL, so that a
 * reload or a shared link does not repeat the event.
 */
export function tellReturn(store: Store, dispatch: (event: CoreEvent) => void): void {
  const address = new URL(location.href)
  if (!address.searchParams.has(MARK)) return
  address.searchParams.delete(MARK)
  history.replaceState(history.state, '', address)
  const tell = (): void => {
    if (!store.get().account.accounts.some((account) => account.isConnected)) return
    stop()
    dispatch({ feature: 'onramp', event: { type: 'returned' } })
  }
  const stop = store.subscribe(tell)
  tell()
}
