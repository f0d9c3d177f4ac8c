import { Executor, type Input } from './executor.ts'
import { Known, type RelayTold } from './Known.ts'
import { Bound, type Wasm } from './load.ts'
import { Kept, localRecords, type Records } from './records.ts'
import type { OpenSocket } from './sockets.ts'
import type { ClientEvent, Metadata, Pairing, Proposing, Requesting, Session } from './types.ts'
import { codes } from './WalletConnectError.ts'
import { agent, listenToWorld } from './world.ts'

export interface ClientParts {
  /** Where both sides meet, in the order of preference. A wallet from a store meets at its vendor's relay alone. */
  readonly relays: readonly { readonly relayUrl: string; readonly projectId?: string }[]
  readonly metadata: Metadata
  /** Default: `localStorage` under `@portico/`, or memory where there is none. */
  readonly storage?: Records
  /** Default: the global `WebSocket`. */
  readonly webSocket?: OpenSocket
  /** The module, or where it is. Default: beside this package's file. The first client of a page decides. */
  readonly wasm?: Wasm
  /** Epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number
}

/** What the driver tells beside the machine's events. */
export type DriverEvent = { readonly type: 'storageRefused'; readonly error: unknown }

export type EventName = (ClientEvent | DriverEvent)['type']
export type EventOf<Name extends EventName> = Extract<ClientEvent | DriverEvent, { readonly type: Name }>

type Listener = (event: ClientEvent | DriverEvent) => void

/** What every client does: it offers pairings, asks wallets, and takes part in sessions. */
export class Client {
  readonly #executor: Executor
  readonly #known: Known
  readonly #listeners = new Map<EventName, Set<Listener>>()
  readonly #stopListening: () => void

  /** The module has to be there. */
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

  /** Those of this moment; a new list after each change. */
  get sessions(): readonly Session[] {
    return this.#known.sessions
  }

  /** How each relay stands, by its address: for whoever comes later than its `relay`. One that was never wanted is not in it. */
  get relays(): ReadonlyMap<string, RelayTold> {
    return this.#known.relays
  }

  /** Offers a pairing on every relay. Answered before any relay is; the wallet's answer is `settled` or `rejected`. */
  async propose(asked: Proposing): Promise<Pairing> {
    return this.proposeNow(asked)
  }

  /** The same in this very call, for a link that must open in the visitor's gesture. */
  proposeNow(asked: Proposing): Pairing {
    return this.#executor.askNow({ ...asked, type: 'propose' })
  }

  cancelPairing(topic: string): Promise<void> {
    return this.#executor.ask({ type: 'cancelPairing', topic })
  }

  /** Asks the wallet; rejects with its code and words, or with 8000 where it did not answer in time. */
  request(asked: Requesting): Promise<unknown> {
    return this.#executor.ask({ ...asked, type: 'request' })
  }

  /** Resolves when the other side is there. */
  ping(topic: string): Promise<void> {
    return this.#executor.ask({ type: 'ping', topic })
  }

  /** Ends a session, here at once and there when the other side hears of it. */
  delete(topic: string, code: number = codes.userDisconnected, message = 'User disconnected.'): Promise<void> {
    const ended = this.#executor.ask<void>({ type: 'delete', topic, code, message })
    this.#known.ended(topic)
    return ended
  }

  /** Returns what takes the listener away again. */
  on<Name extends EventName>(name: Name, listener: (event: EventOf<Name>) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set<Listener>()
    this.#listeners.set(name, listeners)
    // A listener of its own for each call, so that one that was given twice is taken away once.
    const one: Listener = (event) => listener(event as EventOf<Name>)
    listeners.add(one)
    return () => listeners.delete(one)
  }

  /** The world may have changed: looks at the sockets and at what is due now. */
  wake(): void {
    this.#executor.turn({ type: 'wake' })
  }

  /** Closes all and refuses what was not answered. Sessions stay stored. */
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

  /** Nobody listens to an event. */
  protected unheard(_: ClientEvent | DriverEvent): void {}

  #tell(event: ClientEvent | DriverEvent): void {
    const listeners = [...(this.#listeners.get(event.type) ?? [])]
    if (listeners.length === 0) this.unheard(event)
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        // A listener's fault is the page's, and no reason for the next one not to hear.
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
