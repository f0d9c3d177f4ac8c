//! What a request is read with.

import { type Account, sameAddress } from './accounts.ts'
import { CODES, Refusal } from './ask.ts'
import type { Network } from './networks.ts'
import type { Peer } from './peer.ts'

export interface Situation {
  readonly network: Network
  /** Those of the session on that network, the active one first. */
  readonly accounts: readonly Account[]
  readonly peer: Peer
  /** Makes a network the active one of the session, and tells the application. */
  switchTo(network: Network): Promise<void>
}

/** The account of the session that an application names. */
export function permitted(address: unknown, { accounts, network }: Situation): Account {
  const named = (one: Account) => typeof address === 'string' && sameAddress(network.namespace, one.address, address)
  const account = accounts.find(named)
  if (!account) throw new Refusal(CODES.unauthorizedAccount, 'The session has no such account.')
  return account
}
