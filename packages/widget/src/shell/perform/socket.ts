//! WebSockets to the host's server. The code is fetched when the core orders the first message.

import type { CoreEvent, Outcome } from '../../generated/core.ts'
import type { Page } from '../page.ts'

/** Size limit of a message, in UTF-16 units; the core expects none that is longer. */
const LONGEST_MESSAGE = 65_536

/** Open and opening sockets of each page, by the URL of the core. */
const opened = new WeakMap<Page, Map<string, WebSocket>>()

/**
 * Sends a text through the socket of a URL, which is opened first if it is not open; answers once the socket was refused or has ended. Closes
 * the socket instead if there is no text.
 */
export function sendMessage(
  page: Page,
  url: string,
  text: string | null,
  dispatch: (event: CoreEvent) => void
): Outcome | Promise<Outcome> {
  const sockets = opened.get(page) ?? new Map<string, WebSocket>()
  opened.set(page, sockets)
  if (text === null) {
    page.watches.get(url)?.()
    return { type: 'done' }
  }
  const socket = sockets.get(url) ?? open(page, sockets, url, dispatch)
  if (socket.readyState === WebSocket.OPEN) socket.send(text)
  else socket.addEventListener('open', () => socket.send(text))
  return new Promise((resolve) => {
    socket.addEventListener('close', () => resolve({ type: 'failed', error: null }))
  })
}

function open(
  page: Page,
  sockets: Map<string, WebSocket>,
  url: string,
  dispatch: (event: CoreEvent) => void
): WebSocket {
  const target = new URL(url, location.href)
  target.protocol = target.protocol.replace('http', 'ws')
  const socket = new WebSocket(target)
  sockets.set(url, socket)
  const end = () => {
    // A later socket of this URL may have taken the place.
    if (sockets.get(url) !== socket) return
    sockets.delete(url)
    page.watches.delete(url)
  }
  const close = () => {
    end()
    socket.close()
  }
  page.watches.set(url, close)
  socket.addEventListener('close', end)
  socket.addEventListener('message', ({ data }) => {
    if (sockets.get(url) !== socket) return
    if (typeof data !== 'string' || data.length > LONGEST_MESSAGE) close()
    else dispatch({ feature: 'solana', event: { type: 'messageReceived', url, text: data } })
  })
  return socket
}
