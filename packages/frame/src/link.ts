//! Adds a login at a service to the wallet: in a window that the visitor's click opens, which hands the code to this page and to no other origin.
//! A service may cut its window off from this page (`Cross-Origin-Opener-Policy`, as X does): its visitor comes back by a page of the host.

import type { FrameOperation, FrameOutcome } from './generated/frame.ts'
import type { PageOrder } from './keeper/settings.ts'
import { Unfulfilled } from './passkey/wish.ts'
import { ofPage } from './text/ofPage.ts'

/** Type of the message of the callback page. */
const RETURNED = '@portico/social'
/** Browsers do not tell when a window is closed: it is looked at this often, in milliseconds. */
const LOOK = 400

type Worker = (operation: FrameOperation | PageOrder) => Promise<FrameOutcome>

/** The window is opened within the caller's stack, as browsers want it. */
export async function addLogin(provider: string, worker: Worker): Promise<FrameOutcome> {
  const opened = window.open('', '_blank', 'popup,width=600,height=720')
  if (!opened) throw new Unfulfilled(ofPage.popup)
  try {
    const back = new URLSearchParams(location.hash.slice(1)).get('back')
    const begun = await ask(worker, '/wallet/v1/login/link', { provider, back })
    if (begun.type !== 'answered') return begun
    const { transaction, uri } = begun.value as { transaction: string; uri: string }
    if (!/^https?:\/\//.test(uri)) throw new Unfulfilled(ofPage.broken)
    opened.location.replace(uri)
    const code = await returned(opened, provider)
    return await ask(worker, '/wallet/v1/login/link/finish', { transaction, code })
  } finally {
    opened.close()
  }
}

function ask(worker: Worker, path: string, body: object): Promise<FrameOutcome> {
  return worker({ type: 'ask', path, body, session: true })
}

/** Code with which the visitor comes back; rejects when the visitor refuses at the service or closes the window. */
function returned(opened: Window, provider: string): Promise<string> {
  const start = `${location.origin}/wallet/callback/${provider}`
  const host = new URLSearchParams(location.search).get('host')
  return new Promise((resolve, reject) => {
    const end = (code?: string) => {
      window.removeEventListener('message', hear)
      clearInterval(looking)
      if (code) resolve(code)
      else reject(new Unfulfilled(ofPage.unlinked))
    }
    const hear = ({ source, origin, data }: MessageEvent) => {
      const isOwn = source === opened && origin === location.origin
      const isHosts = source === window.parent && origin === host
      if (!(isOwn || isHosts) || data?.type !== RETURNED) return
      const uri = String(data.uri)
      if (uri === start || uri.startsWith(`${start}?code=`)) end(uri.slice(start.length + '?code='.length))
    }
    // A window that was cut off counts as closed too, but its visitor is there and not here. A message that the page posted just before it closed the
    // window is heard first.
    const looking = setInterval(() => opened.closed && document.hasFocus() && setTimeout(end), LOOK)
    window.addEventListener('message', hear)
  })
}
