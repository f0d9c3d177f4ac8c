//! Whether a message was signed by a Solana account.

import { base58 } from '@scure/base'
import type { SIWXSession } from '../../host/siwx.ts'
import type { SIWXVerifier } from './DefaultSIWX.ts'
import { says } from './says.ts'

/** Verifies the sessions of Solana accounts, in the page alone. */
export class SolanaVerifier implements SIWXVerifier {
  readonly chainNamespace = 'solana'

  async verify({ data, message, signature }: SIWXSession): Promise<boolean> {
    const [key, signed] = [read(data.accountAddress, 32), read(signature, 64)]
    if (key === undefined || signed === undefined || !says(message, data)) return false
    const { ed25519 } = await import('@noble/curves/ed25519')
    // Strict: keys of small order, which nobody owns, would accept signatures of anybody.
    return ed25519.verify(signed, new TextEncoder().encode(message), key, { zip215: false })
  }
}

function read(text: string, length: number): Uint8Array | undefined {
  try {
    const bytes = text.length > 2 * length ? undefined : base58.decode(text)
    return bytes?.length === length ? bytes : undefined
  } catch {
    return undefined
  }
}
