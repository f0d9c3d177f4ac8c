//! Proxy in front of a relay that can shorten the time to live of requests to one second.

import { createServer } from 'node:http'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

export interface Passage {
  /** `ws://127.0.0.1:…` */
  readonly url: string
  /** Runs `act` while requests get a time to live of one second; resolves when the relay has dropped them. */
  spoil(act: () => void): Promise<void>
  stop(): Promise<void>
}

interface Frame {
  readonly id?: unknown
  readonly result?: unknown
  readonly method?: string
  readonly params?: { ttl?: number; readonly tag?: number }
}

const REQUEST = 1108
const KEPT_MS = 1000

export async function startPassage(relayUrl: string): Promise<Passage> {
  const http = createServer()
  const server = new WebSocketServer({ server: http })
  /** Called when the relay has accepted the shortened request. */
  let spoiling: (() => void) | undefined
  let spoiled: unknown

  function toRelay(text: string): string {
    const frame = JSON.parse(text) as Frame
    if (!spoiling || frame.method !== 'irn_publish' || frame.params?.tag !== REQUEST) return text
    frame.params.ttl = KEPT_MS / 1000
    spoiled = frame.id
    return JSON.stringify(frame)
  }

  function toClient(text: string): string {
    const { id, result } = JSON.parse(text) as Frame
    if (id !== undefined && id === spoiled && result === true) spoiling?.()
    return text
  }

  server.on('connection', (client, { url }) => {
    const relay = new WebSocket(relayUrl + (url ?? ''))
    const waiting: string[] = []
    client.on('message', (data: RawData) => {
      const text = toRelay(String(data))
      if (relay.readyState === WebSocket.OPEN) relay.send(text)
      else waiting.push(text)
    })
    relay.on('open', () => {
      for (const text of waiting) relay.send(text)
    })
    relay.on('message', (data: RawData) => client.send(toClient(String(data))))
    relay.on('close', () => client.terminate())
    relay.on('error', () => client.terminate())
    client.on('close', () => relay.terminate())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()

  return {
    url: `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async spoil(act) {
      const taken = new Promise<void>((resolve) => {
        spoiling = resolve
      })
      act()
      await taken
      spoiling = undefined
      // The relay uses its own clock, so the test waits in real time.
      await new Promise((resolve) => setTimeout(resolve, KEPT_MS))
    },
    async stop() {
      for (const client of server.clients) client.terminate()
      await new Promise((resolve) => http.close(resolve))
    }
  }
}
