import { type createAppKit, type EventsState, useAppKitEvents } from '@portico/widget/react'
import { useMemo, useSyncExternalStore } from 'react'
import { Panel } from './Panel.tsx'

/** Number of the latest events that the panel shows. They are not sent anywhere. */
const KEPT = 12

type Kit = ReturnType<typeof createAppKit>

/** Log with its own subscription: the hook has only the last event, and several may happen in one turn. */
function eventLog(kit: Kit) {
  let events: readonly EventsState[] = []
  return {
    get: () => events,
    subscribe: (tell: () => void) =>
      kit.subscribeEvents((event) => {
        events = [event, ...events].slice(0, KEPT)
        tell()
      })
  }
}

export function EventsPanel({ kit }: { kit: Kit }) {
  const log = useMemo(() => eventLog(kit), [kit])
  const events = useSyncExternalStore(log.subscribe, log.get)
  const { data, timestamp } = useAppKitEvents()
  return (
    <Panel title="Events">
      {timestamp === 0 ? (
        <p className="quiet">No events yet.</p>
      ) : (
        <p className="quiet">
          Latest: <code data-testid="last-event">{data.event}</code>
        </p>
      )}
      <ol className="events" data-testid="events">
        {events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a log only grows at its front
          <li key={events.length - index}>
            <code>{event.data.event}</code>
            <small>{JSON.stringify(event.data.properties)}</small>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
