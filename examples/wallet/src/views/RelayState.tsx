import type { WalletView } from '../wallet/view.ts'

const WORDS = {
  idle: 'Ready',
  connecting: 'Connecting…',
  open: 'Online',
  closed: 'Offline',
  refused: 'Access denied'
} as const

/** State of the connection to the relay. */
export function RelayState({ relay: { state, reason } }: { relay: WalletView['relay'] }) {
  return (
    <span className="relay" role="status" data-state={state} data-testid="relay-state" title={reason ?? undefined}>
      <span className="unseen">Relay: </span>
      {WORDS[state]}
    </span>
  )
}
