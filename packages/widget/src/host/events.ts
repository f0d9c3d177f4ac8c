/** A tracked event (spec 8.54). It is told to the host's subscribers and, where the host names an `endpoints` and leaves `analytics` on, sent there (spec 7.2). */
export interface TrackedEvent {
  readonly type: 'track'
  /** `MODAL_OPEN`, `CONNECT_SUCCESS`, … */
  readonly event: string
  readonly properties: Readonly<Record<string, unknown>>
  /** The active address, where there is one. */
  readonly address?: string
}

/** Writes to the console, where the host wants to read it. */
export type Log = (...what: readonly unknown[]) => void

export interface EventsState {
  /** When `data` happened, in epoch milliseconds; 0 before the first. */
  readonly timestamp: number
  readonly lastFlush: number
  readonly reportedErrors: Readonly<Record<string, boolean>>
  /** The last event; before the first, one that says so. */
  readonly data: TrackedEvent
  readonly pendingEvents: readonly TrackedEvent[]
}

const NOTHING: EventsState = {
  timestamp: 0,
  lastFlush: 0,
  reportedErrors: {},
  data: { type: 'track', event: 'MODAL_CREATED', properties: {} },
  pendingEvents: []
}

/** The last tracked event, and who wants to know of the next one. */
export class Events {
  #state = NOTHING
  readonly #listeners = new Set<() => void>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  readonly get = (): EventsState => this.#state

  /** What a server renders. */
  readonly first = (): EventsState => NOTHING

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly publish = (event: string, properties: unknown, address: string | null): void => {
    const data = { type: 'track', event, properties: properties as TrackedEvent['properties'] } as const
    this.#state = { ...NOTHING, timestamp: Date.now(), data: address === null ? data : { ...data, address } }
    for (const listener of [...this.#listeners]) guarded(listener, this.#log)
  }
}

/** Calls what the host gave. What it throws is its own, and breaks nothing of ours. */
export function guarded(tell: () => void, log: Log): void {
  try {
    tell()
  } catch (error) {
    log(error)
  }
}
