//! WalletConnect of pages without a sign-in. The bundler puts code and module into one file.

import { DappClient } from '@portico/walletconnect/dapp'
import { sharedClient } from './client.ts'
import type { RelayParts } from './hands.ts'
import { Relay } from './sessions.ts'

export async function startRelay(parts: RelayParts): Promise<Relay> {
  return new Relay(parts, await sharedClient(parts.options(), DappClient))
}
