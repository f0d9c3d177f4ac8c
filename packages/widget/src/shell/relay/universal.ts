//! WalletConnect provider for hosts that need more than the widget's own methods.

import type { DappClient, Session } from '@portico/walletconnect/dapp'
import { type Listener, Listeners } from './listeners.ts'
import type { SessionProvider } from './SessionProvider.ts'

interface RequestArguments {
  readonly method: string
  readonly params?: unknown
}

/** WalletConnect provider for hosts. */
export interface UniversalProvider {
  readonly client: DappClient
  /** Session that this modal shows; else the one settled last. `undefined` if there is none. */
  readonly session: Session | undefined
  /** Sends a request through the session; the chain is a CAIP-2 id, by default the active one. */
  request(args: RequestArguments, caipChainId?: string): Promise<unknown>
  /** Ends the session. */
  disconnect(): Promise<void>
  /**
   * Subscribes to an event. `display_uri` has the URI of each new pairing; `connect`, `session_update`, `session_event` and
   * `session_delete` report changes of sessions; `accountsChanged`, `chainChanged`, `disconnect` and `message` are those of EIP-1193.
   */
  on(event: string, listener: Listener): this
  removeListener(event: string, listener: Listener): this
}

/** Events of the sessions' own providers that are passed on. */
const FOLLOWED = ['accountsChanged', 'chainChanged', 'disconnect', 'message']

export interface UniversalParts {
  /** Providers of the session in use. */
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

  async request(args: RequestArguments, caipChainId?: string): Promise<unknown> {
    const namespace = caipChainId?.split(':', 1)[0]
    const known = this.#parts.providers()
    const provider = known.find((one) => one.namespace === namespace) ?? known[0]
    if (!provider) throw new Error('No session found. Connect first.')
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
