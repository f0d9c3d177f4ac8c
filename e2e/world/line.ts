//! Proxy between the server and a chain, which a test can cut.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Line {
  readonly url: string
  /** Makes the chain unreachable from now on. */
  cut(): void
  mend(): void
  close(): void
}

export async function openLine(target: string): Promise<Line> {
  let whole = true
  const server = createServer((request, response) => {
    if (!whole) return void request.socket.destroy()
    forward(target, request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    cut() {
      whole = false
      server.closeAllConnections()
    },
    mend() {
      whole = true
    },
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}

async function forward(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = { 'content-type': request.headers['content-type'] ?? 'application/json' }
  const answer = await fetch(target, { method: 'POST', headers, body: Buffer.concat(chunks) })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
  response.end(await answer.text())
}
