import type { createAppKit } from '@portico/widget/react'
import { AccountPanel } from './panels/AccountPanel.tsx'
import { ActionsPanel } from './panels/ActionsPanel.tsx'
import { EventsPanel } from './panels/EventsPanel.tsx'
import { LibraryPanel } from './panels/LibraryPanel.tsx'
import { NetworkPanel } from './panels/NetworkPanel.tsx'

export function App({ kit }: { kit: ReturnType<typeof createAppKit> }) {
  const embedded = new URL(location.href).searchParams.has('embedded')
  return (
    <>
      <header className="bar">
        <a className="brand" href="/">
          <img src="/icon.svg" alt="" width="28" height="28" />
          Portico
        </a>
        <div className="controls">
          <appkit-network-button />
          <appkit-button />
        </div>
      </header>
      {/* The content is English, also when the page's direction is right-to-left. */}
      <main className="page" dir="ltr" lang="en">
        <div className="lead">
          <h1>Connect a wallet</h1>
          <p>
            This page is a sample host. It calls <code>createAppKit</code> with two networks and an adapter, puts two
            elements in its header, and reads everything below through hooks. The chains are real and run on this
            machine. The wallets hold test keys only.
          </p>
          <p>
            <a className="aside" href="/wallet/" target="_blank" rel="noopener">
              Open the demo wallet
            </a>{' '}
            to connect with a QR code. Wallets from an app store can't scan one from here: they use their vendors'
            relays, and this page has its own.
          </p>
        </div>
        {embedded && <w3m-modal />}
        <div className="cards">
          <ActionsPanel kit={kit} />
          <AccountPanel />
          <NetworkPanel />
          <LibraryPanel />
          <EventsPanel kit={kit} />
        </div>
      </main>
    </>
  )
}
