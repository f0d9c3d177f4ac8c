//! Login at another service that is under way: its id outlives the page, since the service's page may take the place of the host's.

import type { Records } from './database.ts'

/** Path of a login that begins. */
export const SOCIAL = '/wallet/v1/login/social'

const RECORD = 'social'

interface Kept {
  readonly transaction: string
  readonly provider: string
}

/** Remembers a login that began. */
export function keepSocial(records: Records, asked: unknown, told: unknown): Promise<void> {
  const { provider } = asked as { provider: string }
  const { transaction } = told as { transaction: string }
  return records.set(RECORD, { transaction, provider } satisfies Kept)
}

/** Takes the login that an earlier page began at this service; it can be finished once. */
export async function keptSocial(records: Records, provider: string): Promise<string | undefined> {
  const kept = (await records.get(RECORD)) as Kept | undefined
  await records.delete(RECORD)
  return kept?.provider === provider ? kept.transaction : undefined
}
