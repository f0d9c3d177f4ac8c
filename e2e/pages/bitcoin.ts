//! Accounts on the regtest chain, and the demo page connected with one.

import { BITCOIN_TEST_KEYS, type BitcoinKey, bitcoinKeysOf, type PaymentKind } from '@portico/testkit'
import type { UsedWorld } from '../use-world.ts'
import type { Visit } from '../world/visit.ts'
import { connect } from './journey.ts'

export const BITCOIN_WALLET = 'bitcoin:demo bitcoin wallet'
export const SATS_WALLET = 'bitcoin:demo sats wallet'

/** Account of a secret key, by default the one of the demo wallets. */
export function accountOf(kind: PaymentKind, secret = BITCOIN_TEST_KEYS[0] as Uint8Array): BitcoinKey {
  const [account] = bitcoinKeysOf(secret, 'regtest', kind)
  if (!account) throw new Error('The key has no account')
  return account
}

/** Address that no demo wallet has: that of a key of 32 equal bytes. */
export function stranger(byte: number, kind: PaymentKind = 'p2wpkh'): string {
  return accountOf(kind, new Uint8Array(32).fill(byte)).address
}

/** Visit of somebody who connected a wallet whose account is of this kind. The page's time can be advanced. */
export async function connectOnRegtest(world: UsedWorld, wallet: string, kind: PaymentKind): Promise<Visit> {
  const visit = await world.visit(`/?relays=off&bitcoin=regtest&bitcoinPayment=${kind}`, { clock: true })
  await connect(visit, wallet)
  return visit
}

/** Lets the time pass after which the page looks again for the block of a payment. */
export const nextLook = ({ page }: Visit): Promise<void> => page.clock.fastForward(10_000)
