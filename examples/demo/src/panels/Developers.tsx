import type { createAppKit } from '@portico/widget/react'
import { useId, useState } from 'react'
import { developersShown, keepDevelopersShown } from '../developers.ts'
import { AccountPanel } from './AccountPanel.tsx'
import { ActionsPanel } from './ActionsPanel.tsx'
import { ConnectionsPanel } from './ConnectionsPanel.tsx'
import { EventsPanel } from './EventsPanel.tsx'
import { LibraryPanel } from './LibraryPanel.tsx'
import { NetworkPanel } from './NetworkPanel.tsx'
import { WalletButtonsPanel } from './WalletButtonsPanel.tsx'

/** State, calls and events of the widget, as a host's code has them; behind a switch, because a visitor of the shop needs none of it. */
export function Developers({ kit }: { kit: ReturnType<typeof createAppKit> }) {
  const [shown, setShown] = useState(developersShown)
  const id = useId()
  const turn = () => {
    keepDevelopersShown(!shown)
    setShown(!shown)
  }
  return (
    <section className="developers" aria-labelledby={id}>
      <div className="turn">
        <div>
          <h2 id={id}>
            <label htmlFor={`${id}-switch`}>For developers</label>
          </h2>
          <p className="quiet">State, calls and events of the widget on this page</p>
        </div>
        <button
          id={`${id}-switch`}
          type="button"
          role="switch"
          className="switch"
          aria-checked={shown}
          aria-labelledby={id}
          data-testid="developers"
          onClick={turn}
        />
      </div>
      {shown && (
        <>
          <p className="quiet">
            This page calls <code>createAppKit</code> with two networks and an adapter, puts two elements in its header,
            and reads everything below through hooks.
          </p>
          <div className="cards">
            <ActionsPanel kit={kit} />
            <AccountPanel />
            <WalletButtonsPanel logins={kit.options.embeddedWallet !== undefined} />
            {kit.options.features?.multiWallet && <ConnectionsPanel />}
            <NetworkPanel />
            <LibraryPanel />
            <EventsPanel kit={kit} />
          </div>
        </>
      )}
    </section>
  )
}
