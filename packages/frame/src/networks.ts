//! Names of chains in the configuration of the wallet's own server.

import type { NetworkName } from './generated/frame.ts'

/** Time limit in milliseconds. */
const PATIENCE = 10_000

/** Names of the server; none if it does not tell them. Never rejects. */
export async function readNetworks(
  fetch: (url: string, init: RequestInit) => Promise<Response>
): Promise<readonly NetworkName[]> {
  try {
    const response = await fetch('/networks.json', {
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE)
    })
    const told: { networks?: unknown } = await response.json()
    return Array.isArray(told.networks) ? told.networks.map(nameOf).filter((name) => name !== undefined) : []
  } catch {
    return []
  }
}

function nameOf(told: { chain?: unknown; name?: unknown; coin?: unknown } | null): NetworkName | undefined {
  const { chain, name, coin } = told ?? {}
  if (typeof chain !== 'string' || typeof name !== 'string') return undefined
  return { chain, name, coin: typeof coin === 'string' ? coin : null }
}
