//! Receivers that an account paid from this browser, and spenders that it let take tokens, the latest first. They stay here: neither the host page nor the server gets them.

import type { Records } from './database.ts'

/** Maximum number of receivers of one account; the oldest is dropped. */
const MOST = 200

/** Addresses of EVM have letters of any case; in base58 another case is another address. */
const nameOf = (address: string): string => `paid ${address.startsWith('0x') ? address.toLowerCase() : address}`

const listOf = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((paid) => typeof paid === 'string') : []

export async function readPaid(records: Records, address: string): Promise<readonly string[]> {
  return listOf(await records.get(nameOf(address)))
}

export function keepPaid(records: Records, address: string, paid: string): Promise<void> {
  return records.change(nameOf(address), (stored) => {
    const others = listOf(stored).filter((known) => known !== paid)
    return [paid, ...others].slice(0, MOST)
  })
}
