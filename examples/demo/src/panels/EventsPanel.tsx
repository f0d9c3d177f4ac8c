import { useAppKitEvents } from '@portico/widget/react'
import { useState } from 'react'
import { Panel } from './Panel.tsx'

type Event = ReturnType<typeof useAppKitEvents>

/** The last of them; nothing is sent anywhere. */
const KEPT = 12

export function EventsPanel() {
  const event = useAppKitEvents()
  const [events, setEvents] = useState<readonly Event[]>([])
  // The hook holds the latest event alone, and a new one is a new object.
  if (event.timestamp && events[0]?.timestamp !== event.timestamp) setEvents([event, ...events].slice(0, KEPT))
  return (
    <Panel title="Events">
      {events.length === 0 ? (
        <p className="quiet">Nothing happened yet.</p>
      ) : (
        <ol className="events" data-testid="events">
          {events.map(({ timestamp, data }) => (
            <li key={timestamp}>
              <code>{data.event}</code>
              <small>{'properties' in data ? JSON.stringify(data.properties) : ''}</small>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
