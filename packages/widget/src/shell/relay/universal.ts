//! WalletConnect as a whole, for hosts that go past the widget.

import type { DappClient, Session } from '@portico/walletconnect/dapp'
import { type Listener, Listeners } from './listeners.ts'
import type { SessionProvider } from './SessionProvider.ts'

interface Asked {
  readonly method: string
  readonly params?: unknown
}

/** What hosts get of it. */
export interface UniversalProvider {
  readonly client: DappClient
  /** The one that this modal shows; else the one that was settled last. `undefined` where there is none. */
  readonly session: Session | undefined
  /** Asks through the session; the chain is CAIP-2, by default the one in use. */
  request(args: Asked, caipChainId?: string): Promise<unknown>
  /** Ends the session. */
  disconnect(): Promise<void>
  /**
   * `display_uri` tells the address of each new code; `connect`, `session_update`, `session_event` and `session_delete` what happens to
   * sessions; `accountsChanged`, `chainChanged`, `disconnect` and `message` are those of EIP-1193.
   */
  on(event: string, listener: Listener): this
  removeListener(event: string, listener: Listener): this
}

/** What the sessions' own providers tell. */
const FOLLOWED = ['accountsChanged', 'chainChanged', 'disconnect', 'message']

export interface UniversalParts {
  /** Those of the session that is spoken to. */
  providers(): readonly SessionProvider[]
  end(topic: string): Promise<void>
}

export class Universal implements UniversalProvider {
  readonly client: DappClient
  readonly #parts: UniversalParts
  readonly #listeners = new Listeners()

  constructor(client: DappClient, parts: UniversalParts) {
    this.client = client
    this.#parts = parts
  }

  get session(): Session | undefined {
    return this.#parts.providers()[0]?.session
  }

  async request(args: Asked, caipChainId?: string): Promise<unknown> {
    const namespace = caipChainId?.split(':', 1)[0]
    const known = this.#parts.providers()
    const provider = known.find((one) => one.namespace === namespace) ?? known[0]
    if (!provider) throw new Error('There is no session')
    return provider.request(args, caipChainId)
  }

  async disconnect(): Promise<void> {
    const topic = this.session?.topic
    if (topic) await this.#parts.end(topic)
  }

  on(event: string, listener: Listener): this {
    this.#listeners.add(event, listener)
    return this
  }

  removeListener(event: string, listener: Listener): this {
    this.#listeners.remove(event, listener)
    return this
  }

  tell(event: string, payload: unknown): void {
    this.#listeners.tell(event, payload)
  }

  follow(provider: SessionProvider): void {
    for (const event of FOLLOWED) provider.on(event, (payload) => this.tell(event, payload))
  }
}
