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

/** Before the first event; a server renders it. */
export const noEvent: EventsState = {
  timestamp: 0,
  lastFlush: 0,
  reportedErrors: {},
  data: { type: 'track', event: 'MODAL_CREATED', properties: {} },
  pendingEvents: []
}

/** Calls what the host gave. What it throws is its own, and breaks nothing of ours. */
export function guarded(tell: () => void, log: Log): void {
  try {
    tell()
  } catch (error) {
    log(error)
  }
}
