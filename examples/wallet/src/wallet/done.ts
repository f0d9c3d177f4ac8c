//! What was done for an application that may not have heard of it: whatever becomes of the answer, it is never done twice.

import type { Records } from '@portico/walletconnect'
import { entry } from './storage.ts'

export interface Done {
  readonly topic: string
  readonly id: number
  /** What the application is answered. */
  readonly result: unknown
  /** Epoch seconds; afterwards the client tells nothing of the request any more. */
  readonly expiry: number
  /** Whether a transaction went out. */
  readonly sent: boolean
}

/** So many are remembered; each is over with its request. */
const MOST = 50

/** What was done for a request, also by another tab or before the page was loaded again. */
export function doneFor(records: Records, topic: string, id: number): Done | undefined {
  return all(records).find((one) => one.topic === topic && one.id === id)
}

/** To be kept before the application is answered. `now` in epoch seconds. */
export function keepDone(records: Records, done: Done, now: number): void {
  const others = all(records).filter((one) => one.expiry > now && !isSame(one, done))
  records.set('done', JSON.stringify([...others, done].slice(-MOST)))
}

export function forgetDone(records: Records, done: Pick<Done, 'topic' | 'id'>): void {
  records.set('done', JSON.stringify(all(records).filter((one) => !isSame(one, done))))
}

/** What is stored is anybody's who can write here: what does not have its form is as if it were absent. */
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
