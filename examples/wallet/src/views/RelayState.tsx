import type { WalletView } from '../wallet/view.ts'

const WORDS = {
  idle: 'Relay: idle',
  connecting: 'Relay: connecting…',
  open: 'Relay: connected',
  closed: 'Relay: disconnected',
  refused: 'Relay: access denied'
} as const

/** State of the connection to the relay. */
export function RelayState({ relay: { state, reason } }: { relay: WalletView['relay'] }) {
  return (
    <span className="relay" role="status" data-state={state} data-testid="relay-state" title={reason ?? undefined}>
      {WORDS[state]}
    </span>
  )
}
