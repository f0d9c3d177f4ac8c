//! What the page tells of itself and of the world. Nothing here where there is no window.

const VERSION = '0.1.0'

/** How the relay is told who calls: `wc-2/js-0.1.0/linux/browser:app.example`. */
export function agent(): { readonly userAgent: string; readonly origin?: string } {
  const { location, navigator } = globalThis
  const system = systemOf(navigator?.userAgent ?? '')
  if (!location?.host) return { userAgent: `wc-2/js-${VERSION}/${system}/nodejs` }
  return { userAgent: `wc-2/js-${VERSION}/${system}/browser:${location.host}`, origin: location.origin }
}

/** No more than what a relay needs to tell one kind of client from another; an Android names Linux too. */
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux']

function systemOf(userAgent: string): string {
  const found = SYSTEMS.find((system) => userAgent.includes(system)) ?? 'unknown'
  return found
    .toLowerCase()
    .replace(/iphone|ipad/, 'ios')
    .replace(' ', '')
}

/** Milliseconds: another tab makes what it makes at once, or is stuck. */
const PATIENCE = 2_000

/** Makes something while no other tab does: clients that begin in the same moment are to draw one key, not two. */
export async function alone<Made>(make: () => Made): Promise<Made> {
  const locks = globalThis.navigator?.locks
  // A page without an origin of its own has no locks, and no other tab.
  return locks ? locks.request('@portico/wc', { signal: AbortSignal.timeout(PATIENCE) }, make).catch(make) : make()
}

/** Calls when sockets may have died unnoticed: the network is back, the page is seen again or was taken from the cache. */
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
