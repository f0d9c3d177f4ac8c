import { useSyncExternalStore } from 'react'
import type { FrameSnapshot, FrameUiEvent } from '../generated/frame.ts'
import { ApproveTransactionView } from './ApproveTransactionView.tsx'

/** Part of the machine that the views use. */
export interface Views {
  readonly snapshot: FrameSnapshot
  readonly subscribe: (listener: () => void) => () => void
  dispatch(event: FrameUiEvent): void
}

/** The frame: empty while nothing waits for the visitor. */
export function FrameView({ machine }: { machine: Views }) {
  const { approval, host } = useSyncExternalStore(machine.subscribe, () => machine.snapshot)
  if (!approval) return null
  const dispatch = (event: FrameUiEvent) => machine.dispatch(event)
  return <ApproveTransactionView key={approval.number} approval={approval} host={host} dispatch={dispatch} />
}
