/**
 * Tracked event (spec 8.54). It goes to the host's subscribers and, where the host sets `endpoints` and leaves `analytics` on, to that
 * server (spec 7.2).
 */
export interface TrackedEvent {
  readonly type: 'track'
  /** Name of the event: `MODAL_OPEN`, `CONNECT_SUCCESS`, … */
  readonly event: string
  readonly properties: Readonly<Record<string, unknown>>
  /** Active address, if any. */
  readonly address?: string
}

/** Writes to the console, unless the host turned that off. */
export type Log = (...what: readonly unknown[]) => void

export interface EventsState {
  /** Time of `data` in epoch milliseconds; 0 before the first event. */
  readonly timestamp: number
  readonly lastFlush: number
  readonly reportedErrors: Readonly<Record<string, boolean>>
  /** Most recent event; a placeholder before the first. */
  readonly data: TrackedEvent
  readonly pendingEvents: readonly TrackedEvent[]
}

/** State before the first event, also for server rendering. */
export const noEvent: EventsState = {
  timestamp: 0,
  lastFlush: 0,
  reportedErrors: {},
  data: { type: 'track', event: 'MODAL_CREATED', properties: {} },
  pendingEvents: []
}

/** Calls a callback of the host. An error that it throws is logged and does not break the widget. */
export function guarded(tell: () => void, log: Log): void {
  try {
    tell()
  } catch (error) {
    log(error)
  }
}
