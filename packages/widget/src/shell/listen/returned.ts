import type { CoreEvent } from '../../generated/core.ts'
import type { Store } from '../store.ts'

/** What the core adds to the address of the page to which one who sells coins leads a visitor back. */
const MARK = 'portico-bought'

/**
 * Tells that the visitor was led back from buying, once their account is there. The mark is taken off the address, so that a reload, or a
 * link that is passed on, does not say it again.
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
