import { Executor, type Input } from './executor.ts'
import { Known, type RelayTold } from './Known.ts'
import { Bound, type Wasm } from './load.ts'
import { Kept, localRecords, type Records } from './records.ts'
import type { OpenSocket } from './sockets.ts'
import type { ClientEvent, Metadata, Pairing, Proposing, Requesting, Session } from './types.ts'
import { codes } from './WalletConnectError.ts'
import { agent, listenToWorld } from './world.ts'

export interface ClientParts {
  /** Relays in order of preference. Wallets from an app store use only their vendor's relay. */
  readonly relays: readonly {
    readonly relayUrl: string
    readonly projectId?: string
    /** Wallet: the relay's key from `fetchAttestationKey`, with which it attests the pages of applications. */
    readonly attestationKey?: string | null
  }[]
  readonly metadata: Metadata
  /** Default: `localStorage` under `@portico/`, or memory if there is none. */
  readonly storage?: Records
  /** Default: the global `WebSocket`. */
  readonly webSocket?: OpenSocket
  /** The module or its URL. Default: beside this package's file. The first client of a page decides. */
  readonly wasm?: Wasm
  /** Clock in epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number
}

/** Event of this package itself, beside those of the sign client. */
export type DriverEvent = { readonly type: 'storageRefused'; readonly error: unknown }

export type EventName = (ClientEvent | DriverEvent)['type']
export type EventOf<Name extends EventName> = Extract<ClientEvent | DriverEvent, { readonly type: Name }>

type Listener = (event: ClientEvent | DriverEvent) => void

/** Common base of all clients: offers pairings, sends requests to wallets, takes part in sessions. */
export class Client {
  readonly #executor: Executor
  readonly #known: Known
  readonly #listeners = new Map<EventName, Set<Listener>>()
  readonly #stopListening: () => void

  /** Requires the module to be loaded. */
  protected constructor(parts: ClientParts, known = new Known()) {
    this.#known = known
    const now = parts.now ?? Date.now
    const records = new Kept(parts.storage ?? localRecords(), (error) => this.#tell({ type: 'storageRefused', error }))
    const config = JSON.stringify({ relays: parts.relays, metadata: parts.metadata, ...agent() })
    this.#executor = new Executor({
      boot: (stored, now) => new Bound(config, stored, now),
      records,
      open: parts.webSocket ?? ((url) => new WebSocket(url)),
      now,
      tell: (event) => {
        this.#known.heard(event)
        this.#tell(event)
      }
    })
    const stopRecords = records.listen((key, value) => this.#executor.turn({ type: 'stored', key, value }))
    const stopWorld = listenToWorld(() => this.wake())
    this.#stopListening = () => {
      stopRecords()
      stopWorld()
    }
    try {
      this.#executor.start()
    } catch (error) {
      this.#stopListening()
      throw error
    }
  }

  /** Current sessions; a new list after each change. */
  get sessions(): readonly Session[] {
    return this.#known.sessions
  }

  /** Last state of each relay by URL, for listeners added after its `relay` event. Relays that were never needed are missing. */
  get relays(): ReadonlyMap<string, RelayTold> {
    return this.#known.relays
  }

  /** Offers a pairing on every relay. Resolves before any relay responds; the wallet's response is the event `settled` or `rejected`. */
  async propose(asked: Proposing): Promise<Pairing> {
    return this.proposeNow(asked)
  }

  /** Like `propose`, but synchronous, for a link that must open in the visitor's gesture. */
  proposeNow(asked: Proposing): Pairing {
    return this.#executor.askNow({ ...asked, type: 'propose' })
  }

  cancelPairing(topic: string): Promise<void> {
    return this.#executor.ask({ type: 'cancelPairing', topic })
  }

  /** Sends a request to the wallet. Rejects with its code and message, or with 8000 if it does not respond in time. */
  request(asked: Requesting): Promise<unknown> {
    return this.#executor.ask({ ...asked, type: 'request' })
  }

  /** Resolves when the other side responds. */
  ping(topic: string): Promise<void> {
    return this.#executor.ask({ type: 'ping', topic })
  }

  /** Ends a session: here at once, on the other side when it receives the message. */
  delete(topic: string, code: number = codes.userDisconnected, message = 'User disconnected.'): Promise<void> {
    const ended = this.#executor.ask<void>({ type: 'delete', topic, code, message })
    this.#known.ended(topic)
    return ended
  }

  /** Adds a listener. Returns a function that removes it. */
  on<Name extends EventName>(name: Name, listener: (event: EventOf<Name>) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set<Listener>()
    this.#listeners.set(name, listeners)
    // A wrapper for each call, so that a listener that was added twice is removed once.
    const one: Listener = (event) => listener(event as EventOf<Name>)
    listeners.add(one)
    return () => listeners.delete(one)
  }

  /** Checks sockets and timers after a possible sleep or network change. */
  wake(): void {
    this.#executor.turn({ type: 'wake' })
  }

  /** Closes all sockets and rejects pending calls. Sessions stay stored. */
  stop(): void {
    this.#stopListening()
    this.#executor.stop()
  }

  protected ask<Answer>(command: Input): Promise<Answer> {
    return this.#executor.ask(command)
  }

  protected askNow<Answer>(command: Input): Answer {
    return this.#executor.askNow(command)
  }

  /** Called for an event without listeners. */
  protected unheard(_: ClientEvent | DriverEvent): void {}

  #tell(event: ClientEvent | DriverEvent): void {
    const listeners = [...(this.#listeners.get(event.type) ?? [])]
    if (listeners.length === 0) this.unheard(event)
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        // A listener's error is the page's, and must not keep the next listener from the event.
        reportError(error)
      }
    }
  }
}

function reportError(error: unknown): void {
  const { reportError: report } = globalThis
  if (report) report(error)
  else console.error(error)
}
