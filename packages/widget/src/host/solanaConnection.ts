//! Connection of `@solana/web3.js` to the page's Solana network. That library is the host's own; no other entry point imports it.

import { Connection } from '@solana/web3.js'
import { useSyncExternalStore } from 'react'
import type { SolanaConnectionSettings } from '../adapters/solana/SolanaAdapter.ts'
import { currentAppKit, subscribeKit } from './current.ts'

export interface SolanaConnectionState {
  /** `undefined` before `createAppKit`, on a server, and for a page without a Solana network. */
  readonly connection: Connection | undefined
}

const NONE: SolanaConnectionState = { connection: undefined }

/** The last connection, which all components share: it opens a WebSocket once one of them subscribes to an account. */
let last: { readonly url: string; readonly settings: unknown; readonly state: SolanaConnectionState } | undefined

/**
 * Connection to the page's Solana network, with the `connectionSettings` of the adapter. It is another one after a change of the network; a
 * network of another namespace changes nothing.
 */
export function useAppKitConnection(): SolanaConnectionState {
  return useSyncExternalStore(subscribe, read, () => NONE)
}

function subscribe(tell: () => void): () => void {
  return subscribeKit(currentAppKit, tell)
}

function read(): SolanaConnectionState {
  const kit = currentAppKit()
  const url = kit?.getCaipNetwork('solana')?.rpcUrls.default.http[0]
  if (kit === undefined || url === undefined) return NONE
  const settings = kit.chainAdapters.solana?.connectionSettings as SolanaConnectionSettings | undefined
  if (last?.url !== url || last.settings !== settings)
    last = { url, settings, state: { connection: new Connection(url, settings ?? 'confirmed') } }
  return last.state
}
