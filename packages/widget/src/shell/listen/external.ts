//! Wallets that the host brings along (spec 1.2, 3.9): it names them, and their providers are its own objects.

import type { ExternalWallet } from '../../adapters/adapter.ts'
import type { CreateAppKit } from '../../host/options.ts'
import { field } from '../json.ts'
import { isProvider, isText } from './providers.ts'

/** Those of all adapters that can be used. */
export function externalWallets(options: CreateAppKit): ExternalWallet[] {
  const adapters = field(options, 'adapters')
  return listed(adapters).flatMap((adapter) => {
    const wallets = listed(field(adapter, 'connectors'))
    return wallets.flatMap((wallet) => read(wallet) ?? [])
  })
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? [...value] : []
}

function read(wallet: unknown): ExternalWallet | undefined {
  const [id, name, provider, rdns, imageUrl] = ['id', 'name', 'provider', 'rdns', 'imageUrl'].map((one) =>
    field(wallet, one)
  )
  if (!isText(id) || !isText(name) || !isProvider(provider)) return undefined
  return {
    id,
    name,
    provider,
    ...(isText(rdns) ? { rdns } : {}),
    ...(typeof imageUrl === 'string' && imageUrl !== '' ? { imageUrl } : {})
  }
}
