//! A network of Solana in this process, by surfpool, whose chain starts empty.

import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Surfnet {
  readonly rpcUrl: string
  readonly wsUrl: string
  /** Events since the last call. */
  drainEvents(): readonly unknown[]
  stop(): void
}

const { Surfnet } = createRequire(import.meta.url)('@solana/surfpool-linux-x64-gnu') as {
  readonly Surfnet: { startWithConfig(config: { readonly offline: boolean }): Surfnet }
}

export interface Solana {
  /** CAIP-2 id. */
  readonly id: string
  /** URL of its node. */
  readonly url: string
  /** URL of its node's WebSocket. */
  readonly socket: string
  /** Calls its node. */
  rpc<T>(method: string, ...params: readonly unknown[]): Promise<T>
  stop(): void
}

/** How often events are taken, in milliseconds. Surfpool keeps about a thousand, and then answers no call until some are taken. */
const DRAINS = 500

/** A real node takes several calls in one request; surfpool takes one. */
async function serve(node: string): Promise<Server> {
  const ask = async (call: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(node, { method: 'POST', headers, body: JSON.stringify(call) })).json()
  }
  const server = createServer(async (request, response) => {
    try {
      const asked: unknown = JSON.parse(await text(request))
      const told = Array.isArray(asked) ? await Promise.all(asked.map(ask)) : await ask(asked)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(told))
    } catch (error) {
      response.writeHead(502).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Networks that run: one ends when its object is collected. */
const running = new Set<Surfnet>()

export async function startSolana(): Promise<Solana> {
  const net = Surfnet.startWithConfig({ offline: true })
  running.add(net)
  const draining = setInterval(() => net.drainEvents(), DRAINS)
  const server = await serve(net.rpcUrl)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  async function rpc<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const genesis = await rpc<string>('getGenesisHash')
  const stop = () => {
    server.close()
    server.closeAllConnections()
    running.delete(net)
    clearInterval(draining)
    net.stop()
  }
  return { id: `solana:${genesis.slice(0, 32)}`, url, socket: net.wsUrl, rpc, stop }
}

/** Contract of USD Coin. */
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** Gives an account 100 of a token of six decimals, which is made if it is missing. */
export async function giveToken({ rpc }: Solana, owner: string): Promise<void> {
  const mint = Buffer.alloc(82)
  mint.writeBigUInt64LE(100_000_000n, 36)
  mint.set([6, 1], 44)
  await rpc('surfnet_setAccount', USDC, { lamports: 1_461_600, owner: TOKEN_PROGRAM, data: mint.toString('hex') })
  await rpc('surfnet_setTokenAccount', owner, USDC, { amount: 100_000_000 }, TOKEN_PROGRAM)
}
