import type { Alert, HostAnswer, Outcome } from '../../generated/core.ts'

/** Functions of the host's side that the core uses. */
export interface HostHands {
  /** Settles the promise of a host's call. */
  settle(ticket: number, answer: HostAnswer): void
  /** Sends a tracked event to the host's subscribers. */
  publish(event: string, properties: unknown, address: string | null): void
  /** Logs an alert for the page's developer. */
  warn(alert: Alert): void
  /** Logs a text for the page's developer. */
  log(text: string): void
}

export function answerHost(host: HostHands, ticket: number, answer: HostAnswer): Outcome {
  host.settle(ticket, answer)
  return { type: 'done' }
}

export function publishEvent(host: HostHands, event: string, properties: unknown, address: string | null): Outcome {
  host.publish(event, properties, address)
  return { type: 'done' }
}
