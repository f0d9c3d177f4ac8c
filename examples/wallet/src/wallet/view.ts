//! What the page shows of the wallet.

import type { EventOf, Session } from '@portico/walletconnect'
import type { Network } from './networks.ts'
import type { Peer } from './peer.ts'
import type { Question } from './question.ts'

export interface WalletView {
  /** Epoch seconds. */
  readonly now: number
  readonly relay: { readonly state: 'idle' | EventOf<'relay'>['state']; readonly reason: string | null }
  readonly pairing: Pairing
  /** What the visitor has not answered, the oldest first. */
  readonly questions: readonly Question[]
  readonly sessions: readonly Connection[]
  /** What happened without the visitor, the newest last. */
  readonly notices: readonly Notice[]
}

export type Pairing =
  | { readonly phase: 'none' }
  | { readonly phase: 'waiting'; readonly topic: string; readonly since: number; readonly expiry: number | null }
  | { readonly phase: 'failed'; readonly words: string }

export interface Connection {
  readonly session: Session
  readonly peer: Peer
  readonly chain: Network | null
}

export interface Notice {
  readonly id: number
  readonly words: string
  /** Of what was sent. */
  readonly hash: string | null
  /** Epoch seconds: what the visitor did is told for a while, the rest until it is read. */
  readonly until: number | null
}

/** What stands of the relay: one that nothing needs has no business to be there. */
export function relayOf({ relay, sessions, questions, pairing }: WalletView): WalletView['relay'] {
  const idle = sessions.length === 0 && questions.length === 0 && pairing.phase !== 'waiting'
  return idle && relay.state === 'closed' ? { state: 'idle', reason: null } : relay
}

/** After this many seconds a relay that is not there is called out of reach. */
const REACH = 8

/** What is waited for, or why it does not come. */
export function waitingWords(view: WalletView): string {
  const { pairing, relay, now } = view
  if (relay.state === 'refused')
    return 'The relay refuses this wallet. Look at its address and project in the settings.'
  if (pairing.phase === 'waiting' && relay.state !== 'open' && now - pairing.since >= REACH) {
    return 'The relay cannot be reached. Look at your connection, and at its address in the settings.'
  }
  if (isSilent(view)) return 'The app does not answer. It may be closed, or its code was used already.'
  return 'Waiting for the app…'
}

/** After this many seconds an application that says nothing is called silent. */
const PATIENCE = 10

/** Whether the application should have said something by now. */
export function isSilent({ pairing, now }: WalletView): boolean {
  return pairing.phase === 'waiting' && now - pairing.since >= PATIENCE
}
