//! Draft wallet list: the wallets announced by EIP-6963 that the first frame can show before the core has loaded, unless an option that
//! is not known to leave the core's list alone, or an earlier visit, could change it. When in doubt it is empty, and the skeleton is drawn.

import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import { ahead } from '../generated/constants.ts'
import type { CreateAppKit } from './options.ts'
import { isNew } from './stored.ts'

export interface DraftWallet {
  /** Reverse domain name; also the connector's id, unless another wallet took it first. */
  readonly id: string
  readonly uuid?: string
  readonly name: string
  /** `data:image/…` */
  readonly icon: string
  /** Marks the entry for remote wallets, which is not a wallet itself. */
  readonly kind?: 'remote'
  readonly provider?: Eip1193Provider
}

/** Entry for remote wallets, first in the list where there are relays. Its icon is inline, because the views' icons have not loaded yet. */
const REMOTE: DraftWallet = {
  kind: 'remote',
  id: 'walletConnect',
  name: 'WalletConnect',
  icon: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 40 40"><path fill="none" stroke="%23fff" stroke-width="1.6" d="M3.5 3.5h4v4h-4zm9 0h4v4h-4zm-9 9h4v4h-4zm9 0h1m3 0v4h-4v-1"/></svg>`
}

/** Format of announcements that the core takes unchanged; any other is left to the core. */
const plain = {
  uuid: /^.{36}$/,
  name: /^\w[\w .-]{0,30}\w$/,
  id: /^[\w-]{1,63}\.[\w.-]{1,64}$/,
  icon: /^data:image\//
}

/**
 * Account requests sent before a core had loaded and not answered yet. All kits of the page share them, so that no wallet gets a second
 * request.
 */
export const unanswered = new Map<Eip1193Provider, Promise<unknown>>()

/**
 * Whether list and request may come from the first frame. Not with connectors of the host: they may be the same wallets that announce
 * themselves.
 */
function isUsual(options: CreateAppKit): boolean {
  const { adapters = [] } = options
  const said: Record<string, unknown> = { ...options, ...options.features }
  return (
    adapters.some(({ namespace }) => namespace === ahead.namespace) &&
    ![options, ...adapters].some((one) => (one as CreateAppKit).connectors?.length) &&
    Object.keys(said).every((name) => said[name] === undefined || ahead.understood.test(name))
  )
}

export function draftWallets(options: CreateAppKit): readonly DraftWallet[] {
  const wallets = new Map<unknown, DraftWallet>()
  let odd = false
  const take = (event: Event) => {
    try {
      const { info, provider } = (event as CustomEvent).detail
      const { uuid, rdns: id, name, icon } = info
      const wallet = { uuid, id, name, icon, provider }
      const known = wallets.get(uuid)
      odd ||= known ? known.provider !== provider : !isPlain(wallet, provider)
      if (!known) wallets.set(uuid, wallet)
    } catch {
      odd = true
    }
  }
  try {
    const { relays, enableWalletConnect, projectId } = options
    const remote =
      projectId && enableWalletConnect !== false && relays?.some(({ relayUrl }) => /^wss?:\/\//.test(relayUrl))
    if (!isUsual(options) || !isNew()) return []
    window.addEventListener('eip6963:announceProvider', take)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    const found = [...wallets.values()]
    const single = new Set(found.flatMap(({ id, provider }) => [id, provider])).size === 2 * found.length
    if (odd || !single) return []
    return remote && found.length > 0 ? [REMOTE, ...found] : found
  } catch {
    return []
  } finally {
    window.removeEventListener('eip6963:announceProvider', take)
  }
}

function isPlain(wallet: Record<string, unknown>, provider: Partial<Eip1193Provider>): boolean {
  const isText = ([field, rule]: [string, RegExp]) => typeof wallet[field] === 'string' && rule.test(wallet[field])
  return typeof provider === 'object' && typeof provider.request === 'function' && Object.entries(plain).every(isText)
}

/**
 * Sends the account request to the chosen wallet ahead of the core. Not for a host with several namespaces, which is left to the core, nor
 * after options have changed since the list was drawn, nor where the wallet may sign in by its first request (`shell/oneClick.ts`): Porto, the one that
 * announces itself, and those that the host names.
 */
export function askAhead(options: CreateAppKit, { provider, id }: DraftWallet): Promise<unknown> | undefined {
  try {
    const alone = options.adapters?.every(({ namespace }) => namespace === ahead.namespace)
    if (!provider || !alone || !isUsual(options)) return undefined
    if (/porto$/.test(id) || options.siwx?.oneClickWallets?.includes(id)) return undefined
    let request = unanswered.get(provider)
    if (!request) {
      // Deferred until the map has the entry: the wallet's code may re-enter here before it returns.
      request = Promise.resolve().then(() => provider.request({ method: ahead.method }))
      const forget = () => unanswered.delete(provider)
      request.then(forget, forget)
      unanswered.set(provider, request)
    }
    return request
  } catch {
    // Unreadable options count as unusual.
    return undefined
  }
}
