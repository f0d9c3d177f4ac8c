import type { Alert, HostAnswer, Outcome } from '../../generated/core.ts'

/** What the host's side of the page does for the core. */
export interface HostHands {
  /** Settles the promise that a host's call returned. */
  settle(ticket: number, answer: HostAnswer): void
  /** Tells a tracked event to the host's subscribers. */
  publish(event: string, properties: unknown, address: string | null): void
  /** Writes an alert down for who made the page. */
  warn(alert: Alert): void
}

export function answerHost(host: HostHands, ticket: number, answer: HostAnswer): Outcome {
  host.settle(ticket, answer)
  return { type: 'done' }
}

export function publishEvent(host: HostHands, event: string, properties: unknown, address: string | null): Outcome {
  host.publish(event, properties, address)
  return { type: 'done' }
}
