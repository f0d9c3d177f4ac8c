import type { createAppKit } from '@portico/widget/react'
import { outboxFor } from './options.ts'
import { Developers } from './panels/Developers.tsx'
import { Shop } from './shop/Shop.tsx'
import { SignIn } from './shop/SignIn.tsx'

export function App({ kit }: { kit: ReturnType<typeof createAppKit> }) {
  const embedded = new URL(location.href).searchParams.has('embedded')
  const outbox = outboxFor(location.href)
  return (
    <>
      <header className="bar">
        <a className="brand" href="/">
          <img src="/shop.svg" alt="" width="32" height="32" />
          <span>Halcyon Prints</span>
        </a>
        <div className="controls">
          <appkit-network-button />
          <appkit-button />
        </div>
      </header>
      {/* The content is English, also when the page's direction is right-to-left. */}
      <main className="page shop" dir="ltr" lang="en">
        {embedded && <w3m-modal />}
        <SignIn kit={kit} />
        <Shop />
        <Developers kit={kit} />
      </main>
      <footer className="foot" dir="ltr" lang="en">
        <p>
          A demo of Portico. The chains are real and run on this machine. The wallets hold test keys only.{' '}
          <a href="/wallet/" target="_blank" rel="noopener">
            Open the demo wallet
          </a>{' '}
          to connect with a QR code. Wallets from an app store can't connect here, because this demo has a relay of its
          own.
          {outbox && (
            <>
              {' '}
              Login emails arrive in{' '}
              <a href={outbox} target="_blank" rel="noopener">
                this outbox
              </a>
              .
            </>
          )}
        </p>
      </footer>
    </>
  )
}
