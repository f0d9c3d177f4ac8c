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
}

/**
 * What may change which wallets are listed, and in which order, by a piece of its name: `enableWallets`, `allWallets`, `customWallets` and
 * their like, the lists of ids, `enableEIP6963`, `connectorImages`, `connectorTypeOrder`, `connectMethodsOrder`, `legalCheckbox`.
 */
const telling = /allets|alletI|EIP|connector[IT]|MethodsO|legalC/

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
    const served = options.adapters?.some(({ namespace }) => namespace === 'eip155')
    if (!served || !isNew() || Object.keys(said).some((name) => telling.test(name) && said[name] !== undefined))
      return []
    window.addEventListener('eip6963:announceProvider', take)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    const found = [...wallets.values()]
    const known = ({ id, name, icon }: DraftWallet) =>
      plain.id.test(id) && plain.name.test(name) && plain.icon.test(icon)
    const single = new Set(found.map(({ id }) => id)).size === found.length
    return single && found.every(known) ? found : []
  } catch {
    return []
  } finally {
    window.removeEventListener('eip6963:announceProvider', take)
  }
}
