//! Starts the WalletConnect client, passes it to the wallet, and renders the page.

import { fetchAttestationKey, SignClient } from '@portico/walletconnect'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style.css'
import { App } from './views/App.tsx'
import { Broken } from './views/Broken.tsx'
import { openRecords, readSettings, type Settings } from './wallet/storage.ts'
import { linkIn } from './wallet/uri.ts'
import { Wallet } from './wallet/wallet.ts'

/** Default settings: the relay of the demo's server, on the page's own origin. */
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
    relays: [{ ...settings, attestationKey: await fetchAttestationKey(settings.relayUrl) }],
    metadata: {
      name: 'Demo Phone Wallet',
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

/** Runs `act` under a lock of this name. Pages in an insecure context have no locks. */
function exclusive<Made>(name: string, act: () => Promise<Made>): Promise<Made> {
  const locks = navigator.locks as LockManager | undefined
  return locks ? locks.request(`@portico-wallet/${name}`, act) : act()
}

/** Takes the pairing URI that an app put into this page's URL, and removes it there so that a reload does not use it again. */
function takeFromAddress(wallet: Wallet): void {
  const link = linkIn(location.href)
  if (link === null) return
  history.replaceState(null, '', location.pathname)
  void wallet.take(link)
}

/** Applies `?theme=dark&dir=rtl`, as the demo page does. */
function dressPage(): void {
  const parameters = new URL(location.href).searchParams
  const { theme, dir } = Object.fromEntries(parameters)
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (dir === 'rtl') document.documentElement.dir = dir
}
