//! What waits for the visitor's answer.

import type { Ask } from './ask.ts'
import type { Offer } from './grant.ts'
import type { Peer } from './peer.ts'

interface Waiting {
  readonly id: number
  readonly peer: Peer
  /** Epoch seconds; afterwards nobody waits for the answer. */
  readonly expiry: number | null
  /** The answer is on its way. */
  readonly busy: boolean
  /** Why the answer did not go through. */
  readonly fault: string | null
}

export type Question =
  | (Waiting & { readonly kind: 'proposal'; readonly pairingTopic: string; readonly offer: Offer })
  | (Waiting & { readonly kind: 'authenticate'; readonly pairingTopic: string; readonly ask: Ask })
  | (Waiting & { readonly kind: 'request'; readonly topic: string; readonly ask: Ask })

/** Ids are the other side's: two applications may choose the same. */
export function isFor(one: Question, other: Question): boolean {
  if (one.id !== other.id) return false
  return one.kind === other.kind && topicOf(one) === topicOf(other)
}

const topicOf = (question: Question) => (question.kind === 'request' ? question.topic : question.pairingTopic)

/** Whether it came with the code of that topic. */
export const isOfPairing = (one: Question, topic: string) => one.kind !== 'request' && one.pairingTopic === topic
