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
  'auth-js': async () => {
    const { account, handler } = await import('./auth-js.ts')
    return routes({ 'GET /orders': ordersOf(account) }, handler)
  },
  'better-auth': async () => {
    const { account, auth } = await import('./better-auth.ts')
    return routes({ 'GET /orders': ordersOf(account) }, auth.handler)
  },
  'iron-session': async () => {
    const { orders, signIn, signOut } = await import('./iron-session.ts')
    return routes({ 'GET /orders': orders, 'POST /sign-in': signIn, 'POST /sign-out': signOut })
  }
}

export type BackEnd = keyof typeof HANDLERS

export const isBackEnd = (name: string): name is BackEnd => name in HANDLERS

/** Lists the orders of the account that a back end finds by the cookies of a request. */
const ordersOf =
  (account: (headers: Headers) => Promise<string | undefined>): Handler =>
  async ({ headers }) => {
    const owner = await account(headers)
    if (!owner) return Response.json({ error: 'Sign in first.' }, { status: 401 })
    return Response.json({ account: owner, orders: [] })
  }

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
