//! WalletConnect's hands (design: nothing of it is fetched before the core asks for it).

import type { CoreEvent, Outcome } from '../../generated/core.ts'
import type { CreateAppKit } from '../../host/options.ts'
import type { Page } from '../page.ts'
import type { Networks } from './granted.ts'
import type { Relay } from './relay.ts'
import type { UniversalProvider } from './universal.ts'

export interface RelayParts {
  /** As they are when the client is started. */
  options(): CreateAppKit
  /** The host's, also those that it added later. */
  readonly networks: Networks
  readonly page: Page
  dispatch(event: CoreEvent): void
}

/** What the core may ask of WalletConnect. */
export interface RelayHands {
  /** Fetches the client and starts it, once. */
  open(): Promise<Outcome>
  /** The client, where it is there; all but `open` are asked of it in the caller's stack. */
  there(): Relay
  /** For hosts: `undefined` where no relay is configured, or WalletConnect is switched off. */
  universal(): Promise<UniversalProvider | undefined>
}

export function relayHands(parts: RelayParts): RelayHands {
  let here: Relay | undefined
  let coming: Promise<Relay> | undefined
  const begin = async (): Promise<Relay> => {
    const { startRelay } = await import('./relay.ts')
    return startRelay(parts)
  }
  const start = async (): Promise<Relay> => {
    coming ??= begin()
    try {
      here = await coming
      return here
    } catch (error) {
      // The line was down: the next one who asks may find it whole.
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
      if (!here) throw new Error('The client of WalletConnect is not there')
      return here
    },
    async universal() {
      const { relays, enableWalletConnect } = parts.options()
      return Array.isArray(relays) && enableWalletConnect !== false ? (await start()).universal : undefined
    }
  }
}
