//! Host without a framework: the same widget, two elements and three subscriptions.

import { createAppKit } from '@portico/widget'
import './style.css'
import { optionsFromUrl } from './options.ts'
import { dressPage } from './page.ts'
import { announceDemoWallets } from './wallets.ts'

dressPage(location.href)
await announceDemoWallets(location.href)
const kit = createAppKit(optionsFromUrl(location.href))
Object.assign(window, { kit })

const root = document.getElementById('root')
if (root) {
  root.innerHTML = `
    <header class="bar">
      <a class="brand" href="/vanilla.html"><img src="/icon.svg" alt="" width="28" height="28">Portico</a>
      <div class="controls"><appkit-network-button></appkit-network-button><appkit-button></appkit-button></div>
    </header>
    <main class="page" dir="ltr" lang="en">
      <div class="lead"><h1>Without a framework</h1><p>The same widget in a page of plain elements.</p></div>
      <section class="card" aria-labelledby="account"><h2 id="account">Account</h2>
        <dl class="facts">
          <div><dt>Status</dt><dd data-testid="account-status">–</dd></div>
          <div><dt>Address</dt><dd data-testid="account-address">–</dd></div>
          <div><dt>Network</dt><dd data-testid="network-caip-id">–</dd></div>
          <div><dt>Modal open</dt><dd data-testid="state-open">–</dd></div>
        </dl>
        <div class="row">
          <button type="button" class="primary" data-testid="open">Open</button>
          <button type="button" data-testid="disconnect">Disconnect</button>
        </div>
      </section>
    </main>`
}

function show(testId: string, value: unknown): void {
  const place = document.querySelector(`[data-testid="${testId}"]`)
  if (place) place.textContent = value === undefined || value === null || value === '' ? '–' : String(value)
}

function press(testId: string, work: () => unknown): void {
  document.querySelector(`[data-testid="${testId}"]`)?.addEventListener('click', work)
}

/** Shows the current state: subscriptions report only later changes. */
function showAll(): void {
  const { status, address } = kit.getAccount()
  show('account-status', status)
  show('account-address', address)
  show('network-caip-id', kit.getCaipNetworkId())
  show('state-open', kit.getState().open)
}

showAll()
kit.subscribeAccount(showAll)
kit.subscribeNetwork(showAll)
kit.subscribeState(showAll)
press('open', () => kit.open())
press('disconnect', () => kit.disconnect())
