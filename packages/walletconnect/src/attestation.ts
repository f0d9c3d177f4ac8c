//! Key with which a relay attests the pages of applications.

/** Timeout in milliseconds: a wallet starts without the key rather than late. */
const PATIENCE = 3_000

/**
 * Asks a Portico relay for the key with which it signs the origins of applications, for `attestationKey`. Resolves with `null` if the relay
 * has none or does not answer; all applications are unverified then. A wallet that knows its relay's key needs no request.
 */
export async function fetchAttestationKey(relayUrl: string): Promise<string | null> {
  try {
    const url = new URL('/relay/attestation-key', relayUrl.replace(/^ws/, 'http'))
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), credentials: 'omit' })
    const { key } = (await response.json()) as { key?: unknown }
    return response.ok && typeof key === 'string' && key.startsWith('did:key:') ? key : null
  } catch {
    return null
  }
}
