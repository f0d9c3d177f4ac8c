import type { CoreEvent } from '../../generated/core.ts'
import { handOver } from '../frame/loginReturn.ts'
import type { Store } from '../store.ts'

/** Query parameter that the core adds to the return URL for on-ramp providers. */
const MARK = 'portico-bought'

/** Query parameter with which the wallet's page sends the visitor of a social login back: the address of that page. */
const LOGIN = 'portico-login'

/** Query parameter with the same for a login that the visitor adds to their wallet. */
const LINK = 'portico-link'

/** Sends the core the visitor's return to this page: from a social login, and from a purchase. */
export function tellReturn(store: Store, dispatch: (event: CoreEvent) => void): void {
  const uri = take(LOGIN)
  const added = take(LINK)
  // The wallet's settings in another page wait for it; without them nothing was added.
  if (added) void handOver('link', added).then(() => window.close())
  if (uri) {
    void handOver('login', uri).then((taken) =>
      taken ? window.close() : dispatch({ feature: 'embedded', event: { type: 'socialReturned', uri } })
    )
  }
  if (take(MARK) !== null) tellPurchase(store, dispatch)
}

/** Value of a parameter, which is removed from the URL, so that a reload or a shared link does not repeat the event. */
function take(name: string): string | null {
  const address = new URL(location.href)
  const value = address.searchParams.get(name)
  if (value === null) return null
  address.searchParams.delete(name)
  history.replaceState(history.state, '', address)
  return value
}

/** A purchase counts once its visitor's account is connected. */
function tellPurchase(store: Store, dispatch: (event: CoreEvent) => void): void {
  const tell = (): void => {
    if (!store.get().account.accounts.some((account) => account.isConnected)) return
    stop()
    dispatch({ feature: 'onramp', event: { type: 'returned' } })
  }
  const stop = store.subscribe(tell)
  tell()
}
