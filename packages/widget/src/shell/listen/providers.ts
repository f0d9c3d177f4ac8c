//! Discovers wallets by EIP-6963 and `window.ethereum`. All their data is untrusted.

import type { Eip1193Provider } from '../../adapters/eip155/provider.ts'
import type { CoreEvent, Found, Outcome } from '../../generated/core.ts'
import type { Page } from '../page.ts'

type Dispatch = (event: CoreEvent) => void

/** Handle of `window.ethereum`. No announcement may use it. */
const INJECTED = 'injected'

const LONGEST_TEXT = 256
const LONGEST_ICON = 256 * 1024
/** Limit of announced wallets, far above what any browser has; more than that is an attack. */
const MOST_WALLETS = 1_000
/** Limit of flags: wallets that pose as many others set about a dozen. */
const MOST_FLAGS = 32

/** Active listener of each page: a repeated request must not listen twice. */
const listening = new WeakMap<Page, { dispatch: Dispatch }>()

/** Requests announcements of wallets, and keeps listening for later ones. */
export function discoverWallets(page: Page, dispatch: Dispatch): Outcome {
  const known = listening.get(page)
  if (known) {
    // The core is new: it gets the known wallets again.
    known.dispatch = dispatch
  } else {
    const ears = { dispatch }
    listening.set(page, ears)
    window.addEventListener('eip6963:announceProvider', (event) => announced(page, event, ears.dispatch))
    window.addEventListener('ethereum#initialized', () => injected(page, ears.dispatch))
  }
  external(page, dispatch)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  injected(page, dispatch)
  return { type: 'done' }
}

/** Adds the host's wallets. The latest provider for an id wins, unless the visitor is connected with the earlier one. */
function external(page: Page, dispatch: Dispatch): void {
  for (const { id, name, rdns, provider, imageUrl, installed, namespace = 'eip155' } of page.external()) {
    if (!installed && page.ours.get(id) === page.providers.get(id) && !page.watches.has(id)) page.providers.delete(id)
    if (id === INJECTED || !keep(page, id, provider)) continue
    page.ours.set(id, provider)
    page.domains.set(id, rdns ?? id)
    const kind = installed ? 'ANNOUNCED' : 'EXTERNAL'
    const icon = installed ? keepIcon(page, id, imageUrl) : 'other'
    found(dispatch, { kind, namespace, handle: id, name, rdns: rdns ?? null, icon })
  }
}

function announced(page: Page, event: Event, dispatch: Dispatch): void {
  try {
    const { info, provider } = (event as CustomEvent).detail
    const { uuid, name, rdns, icon } = info
    if (!isText(uuid) || !isText(name) || uuid === INJECTED || !isProvider(provider)) return
    // The handles of wallets that do not announce themselves this way have a colon.
    if (uuid.includes(':')) return
    // The first wallet with a uuid keeps it: no other can take the place of a wallet in use.
    if (!keep(page, uuid, provider)) return
    const rdnsText = isText(rdns) ? rdns : null
    if (rdnsText) page.domains.set(uuid, rdnsText)
    found(dispatch, { kind: 'ANNOUNCED', handle: uuid, name, rdns: rdnsText, icon: keepIcon(page, uuid, icon) })
  } catch {
    // Not a valid announcement.
  }
}

function injected(page: Page, dispatch: Dispatch): void {
  try {
    const provider: unknown = (window as { ethereum?: unknown }).ethereum
    if (!isProvider(provider) || !keep(page, INJECTED, provider)) return
    found(dispatch, {
      kind: 'INJECTED',
      handle: INJECTED,
      name: 'Browser Wallet',
      rdns: null,
      icon: 'other',
      flags: flags(provider)
    })
  } catch {
    // The getter throws: no usable wallet.
  }
}

function found(
  dispatch: Dispatch,
  wallet: Omit<Found, 'namespace' | 'flags'> & { namespace?: string; flags?: readonly string[] }
): void {
  dispatch({
    feature: 'connect',
    event: { type: 'walletFound', wallet: { namespace: 'eip155', flags: [], ...wallet } }
  })
}

/** Keeps the picture of a wallet. Any other address than a `data:` URI would cause a request to a third party. */
function keepIcon(page: Page, handle: string, icon: unknown): Found['icon'] {
  if (typeof icon !== 'string' || icon.length > LONGEST_ICON || !icon.startsWith('data:image/')) return 'other'
  page.icons.set(handle, icon)
  return 'data'
}

function keep(page: Page, handle: string, provider: Eip1193Provider): boolean {
  const known = page.providers.get(handle)
  if (known === undefined && page.providers.size < MOST_WALLETS) page.providers.set(handle, provider)
  return page.providers.get(handle) === provider
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_TEXT
}

export function isProvider(value: unknown): value is Eip1193Provider {
  return typeof value === 'object' && value !== null && typeof (value as { request?: unknown }).request === 'function'
}

/** Flags by which wallets identify themselves, such as `isMetaMask`. */
function flags(provider: object): string[] {
  const own = Object.getOwnPropertyNames(provider).filter((name) => {
    try {
      return /^is[A-Z]\w{0,60}$/.test(name) && (provider as Record<string, unknown>)[name] === true
    } catch {
      return false
    }
  })
  return own.slice(0, MOST_FLAGS)
}
