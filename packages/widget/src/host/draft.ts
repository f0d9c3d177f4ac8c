//! The wallets that the first frame can show before the core is there: those that announce themselves (EIP-6963), where nothing of the
//! host or of an earlier visit makes the core's list another one. In doubt there is none, and the skeleton stands.

import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import { ahead } from '../generated/constants.ts'
import type { CreateAppKit } from './options.ts'
import { isNew } from './stored.ts'

export interface DraftWallet {
  /** The reverse domain name, which is the connector's id unless another wallet takes it first. */
  readonly id: string
  readonly uuid?: string
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

/** Announcements that the core takes as they are; it alone knows what to do about all others. */
const plain = {
  uuid: /^.{36}$/,
  name: /^\w[\w .-]{0,30}\w$/,
  id: /^[\w-]{1,63}\.[\w.-]{1,64}$/,
  icon: /^data:image\//
}

/**
 * The requests for accounts that wallets were handed before a core was there and have not answered. All kits of the page share them: a
 * wallet is not asked for what it is asked already.
 */
export const unanswered = new Map<Eip1193Provider, Promise<unknown>>()

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
 * Hands a wallet that was chosen its request, where nothing can be asked of it first: a host that serves several namespaces leaves that to
 * the core, and options may have changed since the list was drawn.
 */
export function askAhead(options: CreateAppKit, { provider }: DraftWallet): Promise<unknown> | undefined {
  try {
    const alone = options.adapters?.every(({ namespace }) => namespace === ahead.namespace)
    if (!provider || !alone || !isUsual(options)) return undefined
    let request = unanswered.get(provider)
    if (!request) {
      // After it is written down: the wallet's code may come back here before it returns.
      request = Promise.resolve().then(() => provider.request({ method: ahead.method }))
      const forget = () => unanswered.delete(provider)
      request.then(forget, forget)
      unanswered.set(provider, request)
    }
    return request
  } catch {
    // Options that cannot be read are not the usual ones.
    return undefined
  }
}
