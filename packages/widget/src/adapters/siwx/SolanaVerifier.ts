//! Whether a message was signed by a Solana account.

import { base58 } from '@scure/base'
import type { SIWXSession } from '../../host/siwx.ts'
import type { SIWXVerifier } from './DefaultSIWX.ts'

/** Verifies the sessions of Solana accounts by the browser's own Ed25519. Rejects in a browser that has none. */
export class SolanaVerifier implements SIWXVerifier {
  readonly chainNamespace = 'solana'

  async verify({ data, message, signature }: SIWXSession): Promise<boolean> {
    const [key, signed] = [read(data.accountAddress, 32), read(signature, 64)]
    if (key === undefined || signed === undefined) return false
    const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify'])
    return crypto.subtle.verify('Ed25519', imported, signed, new TextEncoder().encode(message))
  }
}

function read(text: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(base58.decode(text))
    return bytes.length === length ? bytes : undefined
  } catch {
    return undefined
  }
}
