import { useSyncExternalStore } from 'react'
import type { FrameSnapshot, FrameUiEvent } from '../generated/frame.ts'
import type { Secrets } from '../secrets.ts'
import { SettingsView } from '../settings/SettingsView.tsx'
import { ApproveTransactionView } from './ApproveTransactionView.tsx'

/** Part of the machine that the views use. */
export interface Views {
  readonly snapshot: FrameSnapshot
  readonly subscribe: (listener: () => void) => () => void
  dispatch(event: FrameUiEvent): void
}

/** The frame: a request that waits for the visitor, or the settings; empty without both. */
export function FrameView({ machine, secrets }: { machine: Views; secrets: Secrets }) {
  const { approval, host, settings } = useSyncExternalStore(machine.subscribe, () => machine.snapshot)
  const dispatch = (event: FrameUiEvent) => machine.dispatch(event)
  if (approval) {
    return (
      <ApproveTransactionView
        key={approval.number}
        approval={approval}
        host={host}
        secrets={secrets}
        dispatch={dispatch}
      />
    )
  }
  return settings && <SettingsView settings={settings} host={host.origin} secrets={secrets} dispatch={dispatch} />
}
