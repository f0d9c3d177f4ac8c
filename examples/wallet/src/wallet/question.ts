//! Questions: requests and proposals that wait for the user's answer.

import type { Ask } from './ask.ts'
import type { Offer } from './grant.ts'
import type { Peer } from './peer.ts'

interface Waiting {
  readonly id: number
  readonly peer: Peer
  /** Expiry in epoch seconds; afterwards the application does not wait for the response. */
  readonly expiry: number | null
  /** Whether the response is being sent. */
  readonly busy: boolean
  /** Error of a response that failed. */
  readonly fault: string | null
}

export type Question =
  | (Waiting & { readonly kind: 'proposal'; readonly pairingTopic: string; readonly offer: Offer })
  | (Waiting & { readonly kind: 'authenticate'; readonly pairingTopic: string; readonly ask: Ask })
  | (Waiting & { readonly kind: 'request'; readonly topic: string; readonly ask: Ask })

/** Whether both are the same question. Applications choose the ids, so ids of two applications may be equal. */
export function isFor(one: Question, other: Question): boolean {
  if (one.id !== other.id) return false
  return one.kind === other.kind && topicOf(one) === topicOf(other)
}

const topicOf = (question: Question) => (question.kind === 'request' ? question.topic : question.pairingTopic)

/** Whether the question came over the pairing of this topic. */
export const isOfPairing = (one: Question, topic: string) => one.kind !== 'request' && one.pairingTopic === topic
