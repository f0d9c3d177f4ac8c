//! Starts the back ends of this folder over HTTP.

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'

type Handler = (request: Request) => Response | Promise<Response>

/** Handler of each back end. Only the asked one is loaded. */
const HANDLERS = {
  express: async (): Promise<RequestListener> => (await import('./express.ts')).app,
  hono: async () => getRequestListener((await import('./hono.ts')).app.fetch),
  next: async () => {
    const { GET } = await import('./app/orders/route.ts')
    return routes({ 'GET /orders': GET })
  },
  'auth-js': async () => getRequestListener((await import('./auth-js.ts')).handler),
  'better-auth': async () => {
    const { account, auth } = await import('./better-auth.ts')
    const orders: Handler = async ({ headers }) => {
      const owner = await account(headers)
      return Response.json(owner ? { account: owner, orders: [] } : {}, { status: owner ? 200 : 401 })
    }
    return routes({ 'GET /orders': orders }, auth.handler)
  },
  'iron-session': async () => {
    const { orders, signIn } = await import('./iron-session.ts')
    return routes({ 'GET /orders': orders, 'POST /sign-in': signIn })
  }
}

export type BackEnd = keyof typeof HANDLERS

export const isBackEnd = (name: string): name is BackEnd => name in HANDLERS

function routes(handlers: Readonly<Record<string, Handler>>, otherwise?: Handler): RequestListener {
  return getRequestListener((request) => {
    const handler = handlers[`${request.method} ${new URL(request.url).pathname}`] ?? otherwise
    return handler ? handler(request) : new Response(null, { status: 404 })
  })
}

/** Starts a back end on this port, or on a free one. Resolves with its origin, and with a function that ends it. */
export async function start(name: BackEnd, port = 0): Promise<{ origin: string; stop: () => void }> {
  const server = createServer(await HANDLERS[name]())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: taken } = server.address() as AddressInfo
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${taken}`, stop }
}
