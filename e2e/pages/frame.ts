//! Scripted frame of an embedded wallet, on an origin of its own: a login with the code 123456, and an approval by a click in the frame.
//!
//! The origin is another port of the page's own host, and so of the same site: in the private windows that tests use, Chromium denies a frame
//! of another site every storage.

import type { FrameLocator, Page } from 'playwright-core'

/** Origin of the frame beside a page. */
export const walletBeside = (origin: string): string => `http://${new URL(origin).hostname}:4999`

/** Address of the account behind every login. */
export const EMBEDDED_ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Signature that the frame answers with. */
export const SIGNATURE = `0x${'ab'.repeat(65)}`

const SCRIPT = `
const host = new URL(location.href).searchParams.get('host')
const { port1, port2 } = new MessageChannel()
const known = () => localStorage.getItem('session') === 'yes'
let waiting
const settle = (suffix, payload) => {
  if (waiting) port1.postMessage({ type: '@w3m-frame/RPC_REQUEST' + suffix, id: waiting.id, payload })
  waiting = undefined
  document.body.replaceChildren()
}
const user = () => ({ email: localStorage.getItem('email'), address: '${EMBEDDED_ACCOUNT}', chainId: 31337, accounts: [{ address: '${EMBEDDED_ACCOUNT}', type: 'eoa' }], preferredAccountType: 'eoa' })
const answers = {
  IS_CONNECTED: () => ({ isConnected: known() }),
  CONNECT_EMAIL: ({ email }) => { localStorage.setItem('email', email); return { action: 'VERIFY_OTP' } },
  CONNECT_OTP: ({ otp }) => { if (otp !== '123456') throw { message: 'Wrong code. Check the mail.' }; localStorage.setItem('session', 'yes') },
  GET_USER: () => { if (!known()) throw { message: 'Not logged in. Log in first.' }; return user() },
  SIGN_OUT: () => { localStorage.clear() },
  SWITCH_NETWORK: (chosen) => chosen,
  SYNC_DAPP_DATA: (told) => localStorage.setItem('host', JSON.stringify(told)),
  SYNC_THEME: (told) => localStorage.setItem('theme', JSON.stringify(told))
}
port1.onmessage = ({ data: { type, id, payload } }) => {
  const name = type.slice('@w3m-app/'.length)
  if (name === 'RPC_ABORT') { waiting = undefined; document.body.replaceChildren(); return }
  if (name === 'RPC_REQUEST') {
    if (payload.method.startsWith('wallet_get')) return port1.postMessage({ type: '@w3m-frame/RPC_REQUEST_SUCCESS', id, payload: {} })
    waiting = { id }
    const text = document.createElement('p')
    text.textContent = payload.method
    const approve = document.createElement('button')
    approve.textContent = 'Approve'
    approve.onclick = () => settle('_SUCCESS', '${SIGNATURE}')
    const decline = document.createElement('button')
    decline.textContent = 'Decline'
    decline.onclick = () => settle('_ERROR', { message: 'Declined', code: 4001 })
    document.body.replaceChildren(text, approve, decline)
    return
  }
  try {
    port1.postMessage({ type: '@w3m-frame/' + name + '_SUCCESS', id, payload: answers[name](payload) })
  } catch (error) {
    port1.postMessage({ type: '@w3m-frame/' + name + '_ERROR', id, payload: error })
  }
}
parent.postMessage({ type: '@w3m-frame/READY', id: 'ready' }, host, [port2])
`

/** Serves the frame of an origin to a page. */
export async function serveFrame(page: Page, wallet: string): Promise<void> {
  const body = `<!doctype html><html lang="en"><title>Wallet</title><body></body><script>${SCRIPT}</script></html>`
  await page.route(`${wallet}/**`, (route) => route.fulfill({ contentType: 'text/html', body }))
}

/** What the page told the frame of itself, the host's data or its theme. */
export async function toldTo(page: Page, wallet: string, subject: 'host' | 'theme'): Promise<unknown> {
  const frame = page.frames().find((frame) => frame.url().startsWith(wallet))
  return frame?.evaluate((subject) => JSON.parse(localStorage.getItem(subject) ?? 'null'), subject)
}

/** The frame as the page shows it. */
export function frameOf(page: Page): FrameLocator {
  return page.frameLocator('#w3m-iframe')
}
