//! Store of performed actions whose response may not have been delivered, so that no action is performed twice.

import type { Records } from '@portico/walletconnect'
import { entry } from './storage.ts'

export interface Done {
  readonly topic: string
  readonly id: number
  /** Result for the response. */
  readonly result: unknown
  /** Expiry of the request in epoch seconds; afterwards the client does not report it again. */
  readonly expiry: number
  /** Whether a transaction was sent. */
  readonly sent: boolean
}

/** Maximum number of stored entries; each is dropped when its request expires. */
const MOST = 50

/** Stored result of a request, also from another tab or from before a reload. */
export function doneFor(records: Records, topic: string, id: number): Done | undefined {
  return all(records).find((one) => one.topic === topic && one.id === id)
}

/** Stores a result; call it before the response is sent. `now` is in epoch seconds. */
export function keepDone(records: Records, done: Done, now: number): void {
  const others = all(records).filter((one) => one.expiry > now && !isSame(one, done))
  records.set('done', JSON.stringify([...others, done].slice(-MOST)))
}

export function forgetDone(records: Records, done: Pick<Done, 'topic' | 'id'>): void {
  records.set('done', JSON.stringify(all(records).filter((one) => !isSame(one, done))))
}

/** Stored entries. The storage is untrusted, so malformed entries are ignored. */
function all(records: Records): readonly Done[] {
  try {
    const stored: unknown = JSON.parse(entry(records, 'done') ?? '[]')
    return Array.isArray(stored) ? stored.filter(isDone) : []
  } catch {
    return []
  }
}

function isDone(value: unknown): value is Done {
  const { topic, id, expiry, sent } = (value ?? {}) as Partial<Done>
  return typeof topic === 'string' && typeof id === 'number' && typeof expiry === 'number' && typeof sent === 'boolean'
}

const isSame = (one: Done, other: Pick<Done, 'topic' | 'id'>) => one.topic === other.topic && one.id === other.id
