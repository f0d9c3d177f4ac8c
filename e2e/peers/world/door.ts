//! TCP port in front of a server that outlives it: while the server is away connections stay open but silent, and end when it is back.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Door {
  readonly port: number
  /** Ends the connections to an earlier server; new ones go to this port of the machine. */
  open(port: number): void
  /** Holds all connections, old and new, until `open`. */
  hold(): void
  close(): void
}

export async function buildDoor(): Promise<Door> {
  let inside: number | undefined
  const clients = new Set<Socket>()

  function pass(client: Socket, port: number): void {
    const server = connect(port, '127.0.0.1')
    server.on('error', () => server.destroy())
    server.once('close', () => {
      if (inside !== undefined) client.destroy()
    })
    client.once('close', () => server.destroy())
    client.pipe(server)
    server.pipe(client, { end: false })
  }

  const outside = createServer((client) => {
    clients.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => clients.delete(client))
    if (inside !== undefined) pass(client, inside)
  })
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  outside.unref()

  function end(): void {
    for (const client of clients) client.destroy()
  }
  return {
    port: (outside.address() as AddressInfo).port,
    open(port) {
      end()
      inside = port
    },
    hold() {
      inside = undefined
    },
    close() {
      outside.close()
      end()
    }
  }
}
