//! Whether a message was signed by a Solana account.

import type { SIWXSession } from '../../host/siwx.ts'
import type { SIWXVerifier } from './DefaultSIWX.ts'
import { says } from './says.ts'

/** Verifies the sessions of Solana accounts, in the page alone. */
export class SolanaVerifier implements SIWXVerifier {
  readonly chainNamespace = 'solana'

  async verify({ data, message, signature }: SIWXSession): Promise<boolean> {
    if (!says(message, data)) return false
    const { isSignedBy } = await import('./ed25519.ts')
    return isSignedBy(message, data.accountAddress, signature)
  }
}
