//! Connects the WalletConnect client to the core: sessions become providers, and the client's events become the core's.

import type { DappClient, Pairing, Session } from '@portico/walletconnect/dapp'
import { connectedKeys } from '../../generated/constants.ts'
import type { ConnectEvent, Outcome } from '../../generated/core.ts'
import { openLink } from '../perform/browser.ts'
import { readStorage, removeStorage } from '../perform/storage.ts'
import { isAlone } from './alone.ts'
import { namespacesOf } from './granted.ts'
import type { RelayParts } from './hands.ts'
import { resultOf } from './rpc.ts'
import { SessionProvider } from './SessionProvider.ts'
import { Universal, type UniversalProvider } from './universal.ts'

/** The core's handle of a remote wallet in one namespace. */
export function handleOf(namespace: string, topic: string): string {
  return `walletConnect:${namespace}:${topic}`
}

type Proposed = Parameters<DappClient['proposeNow']>[0]['optionalNamespaces']

export class Relay {
  readonly #universal: Universal
  readonly #parts: RelayParts
  readonly #client: DappClient
  /** Providers by topic, one for each namespace. */
  readonly #providers = new Map<string, readonly SessionProvider[]>()
  /** Links that bring a wallet's app to the front, by topic. */
  readonly #links = new Map<string, string>()

  constructor(parts: RelayParts, client: DappClient) {
    this.#parts = parts
    this.#client = client
    this.#universal = new Universal(client, {
      providers: () => this.#shown(),
      end: (topic) => this.#leave(topic)
    })
    const { on } = { on: client.on.bind(client) }
    for (const session of client.sessions) this.#keep(session)
    on('settled', ({ session }) => this.settle(session))
    on('rejected', ({ pairingTopic: topic, code, message }) =>
      this.#tell({ type: 'pairingRejected', topic, code, message })
    )
    on('proposalExpired', ({ pairingTopic }) => {
      // The key of an expired proposal is of no use. A pairing that another tab stored meanwhile stays.
      const key = connectedKeys[2]
      if (readStorage([key])[0]?.value.includes(pairingTopic)) removeStorage('local', key)
    })
    on('updated', ({ session }) => this.#change(session))
    on('extended', ({ session }) => this.#change(session))
    on('deleted', ({ topic }) => this.#end(topic))
    on('expired', ({ topic }) => this.#end(topic))
    on('emitted', ({ topic, chainId, name, data }) => {
      for (const provider of this.#providers.get(topic) ?? []) {
        if (chainId.startsWith(`${provider.namespace}:`)) provider.hear(name, data, chainId)
      }
      this.#universal.tell('session_event', { topic, params: { event: { name, data }, chainId } })
    })
    on('relay', ({ relayUrl, state, reason }) => {
      this.#tell({ type: 'relayTold', relay: relayUrl, state, reason: reason ?? null })
    })
  }

  /** Provider for hosts. */
  get universal(): UniversalProvider {
    return this.#universal
  }

  sessions(): readonly Session[] {
    return this.#client.sessions
  }

  /** Sends the relays' states to a core that started after them: modals share the client, and a core may restart. */
  tellRelays(): void {
    for (const { relayUrl, state, reason } of this.#client.relays.values()) {
      this.#tell({ type: 'relayTold', relay: relayUrl, state, reason: reason ?? null })
    }
  }

  /** Whether no other page of the site, nor another modal of this one, may show the sessions. */
  isAlone(): Promise<boolean> {
    return isAlone()
  }

  /** Creates a pairing within the caller's stack, before any relay has answered: its link may open in the visitor's gesture. */
  pair(namespaces: unknown): Outcome | Promise<Outcome> {
    // Reconnects refused relays: the cause may be gone when a visitor wants a new code.
    this.#client.wake()
    return this.offer(this.#client.proposeNow({ optionalNamespaces: namespaces as Proposed }))
  }

  protected offer(pairing: Pairing): Outcome {
    this.#universal.tell('display_uri', pairing.uri)
    return { type: 'answered', value: { ...pairing } }
  }

  close(topic: string): Outcome {
    // The result does not depend on whether the wallet receives the cancellation.
    this.#client.cancelPairing(topic).catch(() => {})
    return { type: 'done' }
  }

  /** Ends a session at once here; the wallet is notified as soon as a relay is reachable. */
  end(topic: string): Outcome {
    this.#client.delete(topic).catch(() => {})
    this.#forget(topic)
    return { type: 'done' }
  }

  /** Sets the link that brings the wallet's app to the front for a request. */
  link(handle: string, href: string | null): void {
    const topic = handle.slice(handle.lastIndexOf(':') + 1)
    if (href === null) this.#links.delete(topic)
    else this.#links.set(topic, href)
  }

  /** Sets the current chain of the provider with this handle. */
  stand(handle: string, chain: string): void {
    const [, namespace, topic = ''] = handle.split(':')
    this.#providers
      .get(topic)
      ?.find((one) => one.namespace === namespace)
      ?.stand(chain)
  }

  protected settle(session: Session): void {
    this.#keep(session)
    this.#tell({ type: 'sessionSettled', session })
    this.#universal.tell('connect', { session })
  }

  #keep(session: Session): void {
    const { topic } = session
    for (const provider of this.#providers.get(topic) ?? []) provider.end()
    const providers = namespacesOf(session).map((namespace) => {
      const { networks, page, read } = this.#parts
      const provider = new SessionProvider({
        client: this.#client,
        namespace,
        session,
        networks,
        read: (chain, method, params) => resultOf(read(chain, method, params)),
        summon: () => this.#summon(topic),
        reached: () => this.#client.relays.get(session.relayUrl)?.state === 'open',
        end: () => this.#leave(topic),
        silent: () => this.#tell({ type: 'walletSilent', topic })
      })
      this.#universal.follow(provider)
      page.providers.set(handleOf(namespace, topic), provider)
      return provider
    })
    this.#providers.set(topic, providers)
  }

  /** Providers of the session that this modal shows; else of the one settled last, which may be another tab's. */
  #shown(): readonly SessionProvider[] {
    const all = [...this.#providers]
    const { watches } = this.#parts.page
    const shown = ([topic, ones]: (typeof all)[number]) =>
      ones.some((one) => watches.has(handleOf(one.namespace, topic)))
    return (all.findLast(shown) ?? all.at(-1))?.[1] ?? []
  }

  #summon(topic: string): void {
    const href = this.#links.get(topic)
    if (href) openLink(href, href.startsWith('https:') ? '_blank' : '_self')
  }

  #change(session: Session): void {
    const known = this.#providers.get(session.topic)
    if (!known) return
    for (const provider of known) provider.update(session)
    this.#tell({ type: 'sessionChanged', session })
    const { topic, namespaces } = session
    this.#universal.tell('session_update', { topic, params: { namespaces } })
  }

  #end(topic: string): void {
    this.#tell({ type: 'sessionEnded', topic })
    this.#forget(topic)
    this.#universal.tell('session_delete', { topic })
  }

  /** Ends a session at the host's request. The visitor gets no message, but the core learns of it from the providers. */
  async #leave(topic: string): Promise<void> {
    const ended = this.#client.delete(topic)
    this.#forget(topic)
    await ended
  }

  #forget(topic: string): void {
    for (const provider of this.#providers.get(topic) ?? []) {
      this.#parts.page.providers.delete(handleOf(provider.namespace, topic))
      provider.end()
    }
    this.#providers.delete(topic)
    this.#links.delete(topic)
  }

  #tell(event: ConnectEvent): void {
    this.#parts.dispatch({ feature: 'connect', event })
  }
}
