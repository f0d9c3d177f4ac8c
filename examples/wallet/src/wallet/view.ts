//! State of the wallet that the page shows.

import type { EventOf, Session } from '@portico/walletconnect'
import type { Network } from './networks.ts'
import type { Peer } from './peer.ts'
import type { Question } from './question.ts'

export interface WalletView {
  /** Epoch seconds. */
  readonly now: number
  readonly relay: { readonly state: 'idle' | EventOf<'relay'>['state']; readonly reason: string | null }
  readonly pairing: Pairing
  /** Open questions, the oldest first. */
  readonly questions: readonly Question[]
  readonly sessions: readonly Connection[]
  /** Notices, the newest last. */
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
  /** Hash of the sent transaction. */
  readonly hash: string | null
  /** End in epoch seconds for results of the user's own actions; null for other notices, which stay until dismissed. */
  readonly until: number | null
}

/** Relay state to show: a closed connection that is not needed counts as idle. */
export function relayOf({ relay, sessions, questions, pairing }: WalletView): WalletView['relay'] {
  const idle = sessions.length === 0 && questions.length === 0 && pairing.phase !== 'waiting'
  return idle && relay.state === 'closed' ? { state: 'idle', reason: null } : relay
}

/** Seconds after which a relay that is not connected is shown as unreachable. */
const REACH = 8

/** Status text while the wallet waits for the application. */
export function waitingWords(view: WalletView): string {
  const { pairing, relay, now } = view
  if (relay.state === 'refused') return 'The relay rejected this wallet. Check its address and project in Settings.'
  if (pairing.phase === 'waiting' && relay.state !== 'open' && now - pairing.since >= REACH) {
    return "Can't reach the relay. Check your connection, and its address in Settings."
  }
  if (isSilent(view)) return "The app isn't responding. It may be closed, or its code was already used."
  return 'Waiting for the app…'
}

/** Seconds after which an application without a message is shown as silent. */
const PATIENCE = 10

/** Whether the application has sent no message within [`PATIENCE`] seconds. */
export function isSilent({ pairing, now }: WalletView): boolean {
  return pairing.phase === 'waiting' && now - pairing.since >= PATIENCE
}
