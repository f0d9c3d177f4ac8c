//! The wallets that the first frame can show before the core is there: those that announce themselves (EIP-6963), where nothing of the
//! host or of an earlier visit makes the core's list another one. In doubt there is none, and the skeleton stands.

import type { CreateAppKit } from './options.ts'
import { isNew } from './stored.ts'

export interface DraftWallet {
  /** The reverse domain name, which is the connector's id. */
  readonly id: string
  readonly name: string
  /** `data:image/…` */
  readonly icon: string
  /** What else is known of its picture. */
  readonly kind?: 'remote'
}

/** The way to all others stands first where there are relays. Its sign is drawn anew, for the views have theirs from a file that is not there. */
const REMOTE: DraftWallet = {
  kind: 'remote',
  id: 'walletConnect',
  name: 'WalletConnect',
  icon: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 40 40"><path fill="none" stroke="%23fff" stroke-width="1.6" d="M3.5 3.5h4v4h-4zm9 0h4v4h-4zm-9 9h4v4h-4zm7-9v4m0 3h6m-13 0h4m3 2v4m3-4v1.5m3-1.5v4"/></svg>`
}

/**
 * What may change which wallets are listed, and in which order, by a piece of its name: `enableWallets`, `allWallets`, `customWallets` and
 * their like, the lists of ids, `enableEIP6963`, `manualWCControl`, `connectorImages`, `connectorTypeOrder`, `connectMethodsOrder`,
 * `legalCheckbox`.
 */
const telling = /allets|alletI|EIP|manual|connector[IT]|MethodsO|legalC/

/** Names and ids that the core takes as they are; it alone knows what to do about all others. */
const plain = { name: /^\w[\w .-]{0,30}\w$/, id: /^[\w-]+(\.[\w-]+)+$/, icon: /^data:image\// }

export function draftWallets(options: CreateAppKit): readonly DraftWallet[] {
  const wallets = new Map<unknown, DraftWallet>()
  const take = (event: Event) => {
    const { uuid, rdns: id, name, icon } = (event as CustomEvent).detail.info
    wallets.set(uuid, { id, name, icon })
  }
  try {
    const said: Record<string, unknown> = { ...options, ...options.features }
    const { relays, enableWalletConnect, projectId } = options
    const remote = projectId && enableWalletConnect !== false && relays?.some(({ relayUrl }) => /^wss?:/.test(relayUrl))
    const served = options.adapters?.some(({ namespace }) => namespace === 'eip155')
    if (!served || !isNew() || Object.keys(said).some((name) => telling.test(name) && said[name] !== undefined))
      return []
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
