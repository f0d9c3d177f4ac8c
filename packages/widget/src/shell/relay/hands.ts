//! WalletConnect functions for the core. None of the client's code is fetched before the core requests it.

import type { CoreEvent, Outcome } from '../../generated/core.ts'
import type { CreateAppKit } from '../../host/options.ts'
import type { Page } from '../page.ts'
import type { Networks } from './granted.ts'
import type { Relay } from './sessions.ts'
import type { UniversalProvider } from './universal.ts'

export interface RelayParts {
  /** Options at the time the client is started. */
  options(): CreateAppKit
  /** The host's networks, including those added later. */
  readonly networks: Networks
  readonly page: Page
  dispatch(event: CoreEvent): void
  /** Sends a read to a node of the chain by way of the core. Resolves with the JSON-RPC response. */
  read(chain: string, method: string, params: unknown): Promise<unknown>
}

/** WalletConnect functions that the core uses. */
export interface RelayHands {
  /** Fetches and starts the client, once. */
  open(): Promise<Outcome>
  /** Running client; everything but `open` runs within the caller's stack. */
  there(): Relay
  /** Provider for hosts; `undefined` if no relay is configured, or WalletConnect is off. */
  universal(): Promise<UniversalProvider | undefined>
}

export function relayHands(parts: RelayParts): RelayHands {
  let here: Relay | undefined
  let coming: Promise<Relay> | undefined
  const begin = async (): Promise<Relay> => {
    const { siwx, siweConfig } = parts.options()
    const { startRelay } = await (siwx || siweConfig ? import('./relaySigning.ts') : import('./relay.ts'))
    return startRelay(parts)
  }
  const start = async (): Promise<Relay> => {
    coming ??= begin()
    try {
      here = await coming
      return here
    } catch (error) {
      // The fetch failed: the next call may succeed.
      coming = undefined
      throw error
    }
  }
  return {
    async open() {
      const relay = await start()
      relay.tellRelays()
      return { type: 'answered', value: { sessions: relay.sessions(), alone: await relay.isAlone() } }
    },
    there() {
      if (!here) throw new Error("WalletConnect isn't started")
      return here
    },
    async universal() {
      const { relays, enableWalletConnect } = parts.options()
      return Array.isArray(relays) && enableWalletConnect !== false ? (await start()).universal : undefined
    }
  }
}
