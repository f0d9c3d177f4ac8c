//! Description of the page for relays, a lock across tabs, and wake-up events. Works without a window too.

const VERSION = '0.1.0'

/** User agent and origin for relays, for example `wc-2/js-0.1.0/linux/browser:app.example`. */
export function agent(): { readonly userAgent: string; readonly origin?: string } {
  const { location, navigator } = globalThis
  const system = systemOf(navigator?.userAgent ?? '')
  if (!location?.host) return { userAgent: `wc-2/js-${VERSION}/${system}/nodejs` }
  return { userAgent: `wc-2/js-${VERSION}/${system}/browser:${location.host}`, origin: location.origin }
}

/** Only as much detail as a relay needs to tell kinds of clients apart. Android comes first because its user agent contains Linux too. */
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux']

function systemOf(userAgent: string): string {
  const found = SYSTEMS.find((system) => userAgent.includes(system)) ?? 'unknown'
  return found
    .toLowerCase()
    .replace(/iphone|ipad/, 'ios')
    .replace(' ', '')
}

/** Timeout of the lock in milliseconds: another tab finishes at once, or is stuck. */
const PATIENCE = 2_000

/** Runs `make` under a lock across tabs: clients that start at the same moment must create one key, not two. */
export async function alone<Made>(make: () => Made): Promise<Made> {
  const locks = globalThis.navigator?.locks
  // A page with an opaque origin has no locks, and shares no storage with other tabs.
  return locks ? locks.request('@portico/wc', { signal: AbortSignal.timeout(PATIENCE) }, make).catch(make) : make()
}

/** Calls `wake` when sockets may have died unnoticed: the network is back, the page is visible again or came from the cache. */
export function listenToWorld(wake: () => void): () => void {
  const { document } = globalThis
  if (typeof globalThis.addEventListener !== 'function' || !document) return () => undefined
  const seen = () => {
    if (document.visibilityState === 'visible') wake()
  }
  globalThis.addEventListener('online', wake)
  globalThis.addEventListener('pageshow', wake)
  document.addEventListener('visibilitychange', seen)
  return () => {
    globalThis.removeEventListener('online', wake)
    globalThis.removeEventListener('pageshow', wake)
    document.removeEventListener('visibilitychange', seen)
  }
}
