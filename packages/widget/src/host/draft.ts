//! The wallets that the first frame can show before the core is there: those that announce themselves (EIP-6963), where nothing of the
//! host or of an earlier visit makes the core's list another one. In doubt there is none, and the skeleton stands.

import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import { ahead } from '../generated/constants.ts'
import type { CreateAppKit } from './options.ts'
import { isNew } from './stored.ts'

export interface DraftWallet {
  /** The reverse domain name, which is the connector's id. */
  readonly id: string
  readonly name: string
  /** `data:image/…` */
  readonly icon: string
  /** The way to remote wallets, which is no wallet itself. */
  readonly kind?: 'remote'
  readonly provider?: Eip1193Provider
}

/** The way to all others stands first where there are relays. Its sign is drawn anew, for the views have theirs from a file that is not there. */
const REMOTE: DraftWallet = {
  kind: 'remote',
  id: 'walletConnect',
  name: 'WalletConnect',
  icon: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 40 40"><path fill="none" stroke="%23fff" stroke-width="1.6" d="M3.5 3.5h4v4h-4zm9 0h4v4h-4zm-9 9h4v4h-4zm9 0h1m3 0v4h-4v-1"/></svg>`
}

/** Names and ids that the core takes as they are; it alone knows what to do about all others. */
const plain = { name: /^\w[\w .-]{0,30}\w$/, id: /^[\w-]+(\.[\w-]+)+$/, icon: /^data:image\// }

/**
 * The requests that wallets were handed before the core was there. All kits of a page share them, so that none asks a wallet for what it
 * is asked already; the core finds them here when it asks.
 */
export const inFlight = new Map<Eip1193Provider, Promise<unknown>>()

/** Whether the host leaves the list and the request to the first frame. Wallets that the host brings along may be the ones that announce themselves. */
function isUsual(options: CreateAppKit): boolean {
  const { adapters = [] } = options
  const said: Record<string, unknown> = { ...options, ...options.features }
  return (
    adapters.some(({ namespace }) => namespace === ahead.namespace) &&
    ![options, ...adapters].some((one) => (one as CreateAppKit).connectors?.length) &&
    !ahead.unless.some((name) => said[name] !== undefined)
  )
}

export function draftWallets(options: CreateAppKit): readonly DraftWallet[] {
  const wallets = new Map<unknown, DraftWallet>()
  const take = (event: Event) => {
    const { info, provider } = (event as CustomEvent).detail
    const { uuid, rdns: id, name, icon } = info
    wallets.set(uuid, { id, name, icon, provider })
  }
  try {
    const { relays, enableWalletConnect, projectId } = options
    const remote = projectId && enableWalletConnect !== false && relays?.some(({ relayUrl }) => /^wss?:/.test(relayUrl))
    if (!isUsual(options) || !isNew()) return []
    window.addEventListener('eip6963:announceProvider', take)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    const found = [...wallets.values()]
    const known = ({ id, name, icon }: DraftWallet) =>
      plain.id.test(id) && plain.name.test(name) && plain.icon.test(icon)
    const single = new Set(found.map(({ id }) => id)).size === found.length
    if (!single || !found.every(known)) return []
    return remote && found.length > 0 ? [REMOTE, ...found] : found
  } catch {
    return []
  } finally {
    window.removeEventListener('eip6963:announceProvider', take)
  }
}

/**
 * Hands a wallet that was chosen its request, where nothing can be asked of it first: a host that serves several namespaces leaves that to
 * the core, and options may have changed since the list was drawn.
 */
export function askAhead(options: CreateAppKit, provider: Eip1193Provider): void {
  if (!isUsual(options) || !options.adapters?.every(({ namespace }) => namespace === ahead.namespace)) return
  const request =
    inFlight.get(provider)?.finally() ?? new Promise((resolve) => resolve(provider.request({ method: ahead.method })))
  // The core hears of it where the visitor still waits.
  request.catch(() => {})
  inFlight.set(provider, request)
}

/** A choice was taken back: the answer to it is for no later one, unless the visitor chooses the wallet again before it comes. */
export function takeBack(provider: Eip1193Provider): void {
  const request = inFlight.get(provider)
  const forget = () => {
    if (inFlight.get(provider) === request) inFlight.delete(provider)
  }
  request?.then(forget, forget)
}
