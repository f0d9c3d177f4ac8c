//! Features of Solana wallets (https://github.com/wallet-standard/wallet-standard).

import type { StandardWallet } from '../standard.ts'

export type Feature = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>

/** Feature of the first version; a later one may mean something else. */
export function featureOf({ features }: StandardWallet, name: string): Feature {
  const feature = features[name] as Feature | null | undefined
  return feature && String(feature.version).startsWith('1.') ? feature : {}
}

export function isSolana(chain: unknown): boolean {
  return String(chain).startsWith('solana:')
}

/** Whether a wallet serves Solana: by a chain that it names, and by a connection that it offers. */
export function servesSolana(wallet: StandardWallet): boolean {
  const { connect } = featureOf(wallet, 'standard:connect')
  return typeof connect === 'function' && wallet.chains.some(isSolana)
}
