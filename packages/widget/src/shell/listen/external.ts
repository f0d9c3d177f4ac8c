//! Wallets that the host adds (spec 1.2, 3.9), with provider objects of its own.

import type { ChainAdapter, ExternalWallet } from '../../adapters/adapter.ts'
import type { CreateAppKit } from '../../host/options.ts'
import { field } from '../json.ts'
import { isProvider, isText } from './providers.ts'

/** Wallet of the host with the namespace of its adapter; those that the host adds without an adapter are EVM wallets. */
export type HostWallet = ExternalWallet & { readonly namespace?: string }

/** Usable wallets of all adapters and of the host itself; for a duplicate id the last one. */
export function externalWallets(options: CreateAppKit): HostWallet[] {
  const read = [...listed(field(options, 'adapters')), options].flatMap((one) => {
    const namespace = one === options ? undefined : field(one, 'namespace')
    const wallets = listed(field(one, 'connectors')).flatMap((wallet) => readWallet(wallet) ?? [])
    return typeof namespace === 'string' ? wallets.map((wallet) => ({ ...wallet, namespace })) : wallets
  })
  return [...new Map(read.map((wallet) => [wallet.id, wallet])).values()]
}

/** Subscribes to adapters whose wallets may change later, `adapter.on('connectors', …)`, and tells them networks and accounts in use. */
export function listenToAdapters(
  options: CreateAppKit,
  changed: () => void,
  network: (namespace: string) => string | undefined,
  address: (namespace: string) => string | undefined
): void {
  for (const given of listed(field(options, 'adapters'))) {
    const adapter = given as ChainAdapter
    try {
      const { namespace } = adapter
      adapter.follow?.(
        () => network(namespace),
        () => address(namespace)
      )
      adapter.on?.('connectors', changed)
    } catch {
      // An adapter that fails here sends no changes.
    }
  }
}

export function listed(value: unknown): unknown[] {
  try {
    return Array.isArray(value) ? [...value] : []
  } catch {
    // The list is a revoked proxy.
    return []
  }
}

function readWallet(wallet: unknown): ExternalWallet | undefined {
  const [id, name, provider, rdns, imageUrl, installed] = [
    'id',
    'name',
    'provider',
    'rdns',
    'imageUrl',
    'installed'
  ].map((one) => field(wallet, one))
  if (!isText(id) || !isText(name) || !isProvider(provider)) return undefined
  return {
    id,
    name,
    provider,
    ...(isText(rdns) ? { rdns } : {}),
    ...(typeof imageUrl === 'string' && imageUrl !== '' ? { imageUrl } : {}),
    ...(installed === true ? { installed } : {})
  }
}
