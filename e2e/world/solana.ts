//! A network of Solana in this process, by surfpool, whose chain starts empty.

import { createRequire } from 'node:module'

interface Surfnet {
  readonly rpcUrl: string
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
  /** Calls its node. */
  rpc<T>(method: string, ...params: readonly unknown[]): Promise<T>
  stop(): void
}

export async function startSolana(): Promise<Solana> {
  // The network ends with the object, which `stop` keeps.
  const net = Surfnet.startWithConfig({ offline: true })
  const url = net.rpcUrl
  async function rpc<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const genesis = await rpc<string>('getGenesisHash')
  return { id: `solana:${genesis.slice(0, 32)}`, url, rpc, stop: () => net.stop() }
}
