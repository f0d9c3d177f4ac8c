//! Whether a message was signed by a Bitcoin account: by "Bitcoin Signed Message" (BIP-137), or by BIP-322 in its simple form.

import type { SIWXSession } from '../../host/siwx.ts'
import type { SIWXVerifier } from './DefaultSIWX.ts'
import { says } from './says.ts'

/**
 * Verifies the sessions of Bitcoin accounts, in the page alone. Addresses of one key: P2PKH, P2SH-P2WPKH, P2WPKH, and P2TR spent by its key.
 * Those of scripts are refused.
 */
export class BIP122Verifier implements SIWXVerifier {
  readonly chainNamespace = 'bip122'

  async verify({ data, message, signature }: SIWXSession): Promise<boolean> {
    if (!says(message, data)) return false
    const { isSignedBy } = await import('./bitcoin.ts')
    return isSignedBy(message, data.accountAddress, data.chainId, signature)
  }
}
