//! Relay that accepts every WebSocket and never sends a message.

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Mute {
  readonly url: string
  /** Number of sockets that sent a message. */
  heard(): number
  close(): Promise<void>
}

/** Suffix that a server appends to the client's key (RFC 6455, section 1.3). */
const SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

export async function openMute(): Promise<Mute> {
  const sockets = new Set<Duplex>()
  const heard = new Set<Duplex>()
  const server = createServer()
  server.on('upgrade', ({ headers }, socket: Duplex) => {
    sockets.add(socket)
    socket.on('data', () => heard.add(socket)).on('error', () => socket.destroy())
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${SUFFIX}`).digest('base64')
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/relay`,
    heard: () => heard.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
