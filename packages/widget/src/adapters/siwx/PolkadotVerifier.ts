//! Whether a message was signed by a Polkadot account.

import type { SIWXSession } from '../../host/siwx.ts'
import type { SIWXVerifier } from './DefaultSIWX.ts'
import { says } from './says.ts'

/**
 * Verifies the sessions of Polkadot accounts, in the page alone: sr25519, ed25519 and ecdsa keys. Accounts that are no single key (multisig,
 * proxy) and those of 20 bytes are refused.
 */
export class PolkadotVerifier implements SIWXVerifier {
  readonly chainNamespace = 'polkadot'

  async verify({ data, message, signature }: SIWXSession): Promise<boolean> {
    if (!says(message, data)) return false
    const { isSignedBy } = await import('./polkadot.ts')
    return isSignedBy(message, data.accountAddress, data.chainId, signature)
  }
}
