//! Which wallets are asked to connect and sign in by one approval.

import { ahead } from '../generated/constants.ts'
import type { CoreEvent } from '../generated/core.ts'
import type { CreateAppKit } from '../host/options.ts'
import type { WalletRequest } from './perform/wallet.ts'

/** The page to which a wallet signs in. */
export interface Site {
  readonly options: CreateAppKit
  /** Networks of the site, by CAIP-2 id. */
  readonly networks: Pick<ReadonlyMap<string, unknown>, 'has'>
  dispatch(event: CoreEvent): void
}

/** EVM wallets whose documentation has `wallet_connect` with a sign-in (porto.sh, docs.base.org): reverse domains, and an id that hosts use. */
const DOCUMENTED = ['xyz.ithaca.porto', 'app.base.account', 'baseAccount']

/**
 * Whether a request connects a wallet that may sign in at once. A Solana wallet tells. An EVM wallet doesn't, and some never answer a method
 * that they don't know: only those are asked whose documentation has `wallet_connect` (ERC-7846), or that the host names (decision 21).
 */
export function connectsAtOnce({ siwx, siweConfig }: CreateAppKit, { method, wallet = '' }: WalletRequest): unknown {
  if (method === 'standard:connect') return siwx
  const known = () => DOCUMENTED.includes(wallet) || siwx?.oneClickWallets?.includes(wallet)
  return method === ahead.method && (siwx ?? siweConfig) && known()
}
