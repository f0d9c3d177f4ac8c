//! Context that a request is read in.

import { type Account, sameAddress } from './accounts.ts'
import { CODES, Refusal } from './ask.ts'
import type { Network } from './networks.ts'
import type { Peer } from './peer.ts'

export interface Situation {
  readonly network: Network
  /** Accounts of the session on that network, the active one first. */
  readonly accounts: readonly Account[]
  readonly peer: Peer
  /** Makes a network the active one of the session, and notifies the application. */
  switchTo(network: Network): Promise<void>
}

/** Account of the session with this address; throws a `Refusal` if there is none. */
export function permitted(address: unknown, { accounts, network }: Situation): Account {
  const named = (one: Account) => typeof address === 'string' && sameAddress(network.namespace, one.address, address)
  const account = accounts.find(named)
  if (!account) throw new Refusal(CODES.unauthorizedAccount, 'The session has no such account.')
  return account
}
