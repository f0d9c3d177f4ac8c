//! Starts the client of the protocol, gives it to the wallet, and draws the page.

import { SignClient } from '@portico/walletconnect'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style.css'
import { App } from './views/App.tsx'
import { Broken } from './views/Broken.tsx'
import { openRecords, readSettings, type Settings } from './wallet/storage.ts'
import { linkIn } from './wallet/uri.ts'
import { Wallet } from './wallet/wallet.ts'

/** The relay that the demo's server runs on the page's own origin. */
const STANDARD: Settings = { relayUrl: `${location.origin.replace(/^http/, 'ws')}/relay`, projectId: 'demo' }

dressPage()
const element = document.getElementById('root')
if (element) {
  const root = createRoot(element)
  try {
    root.render(<StrictMode>{await start()}</StrictMode>)
  } catch (error) {
    root.render(<Broken reason={error} />)
  }
}

async function start() {
  const records = openRecords()
  const settings = readSettings(records, STANDARD)
  const home = new URL('.', location.href).href.replace(/\/$/, '')
  const client = await SignClient.start({
    relays: [settings],
    metadata: {
      name: 'Portico demo wallet',
      description: 'A wallet with test keys only',
      url: location.origin,
      icons: [new URL('icon.svg', location.href).href],
      redirect: { universal: home }
    },
    storage: records
  })
  const page = { origin: location.origin, referrer: document.referrer }
  const wallet = new Wallet({ client, records, page, now: Date.now, exclusive })
  setInterval(() => wallet.tick(), 1000)
  takeFromAddress(wallet)
  return <App wallet={wallet} records={records} settings={settings} standard={STANDARD} />
}

/** Pages that are not secure have no locks. */
function exclusive<Made>(name: string, act: () => Promise<Made>): Promise<Made> {
  const locks = navigator.locks as LockManager | undefined
  return locks ? locks.request(`@portico-wallet/${name}`, act) : act()
}

/** An app that opened this page left its code in the address; it is used once, also when the page is loaded again. */
function takeFromAddress(wallet: Wallet): void {
  const link = linkIn(location.href)
  if (link === null) return
  history.replaceState(null, '', location.pathname)
  void wallet.take(link)
}

/** `?theme=dark&dir=rtl`, as on the demo page. */
function dressPage(): void {
  const parameters = new URL(location.href).searchParams
  const { theme, dir } = Object.fromEntries(parameters)
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (dir === 'rtl') document.documentElement.dir = dir
}
