import { ProviderRpcError, RPC_ERROR } from '../provider.ts'

/** Chain that the wallet knows, with its node. */
export interface Chain {
  readonly chainId: number
  readonly name: string
  readonly rpcUrl: string
}

/** Sends a request to a chain's node. An error of the node keeps the node's code; an unreachable node is 4900. */
export async function askChain(rpcUrl: string, method: string, params: unknown = []): Promise<unknown> {
  const body = await post(rpcUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  if (typeof body !== 'object' || body === null) throw unreachable(rpcUrl)
  if ('error' in body && typeof body.error === 'object' && body.error !== null) {
    const { code, message, data } = body.error as { code?: unknown; message?: unknown; data?: unknown }
    throw new ProviderRpcError(typeof code === 'number' ? code : RPC_ERROR.internal, String(message), data)
  }
  if (!('result' in body)) throw unreachable(rpcUrl)
  return body.result
}

async function post(rpcUrl: string, body: string): Promise<unknown> {
  try {
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return await response.json()
  } catch {
    throw unreachable(rpcUrl)
  }
}

function unreachable(rpcUrl: string): ProviderRpcError {
  return new ProviderRpcError(RPC_ERROR.disconnected, `The wallet cannot reach its chain at ${rpcUrl}.`)
}

export function hexChainId(chainId: number): `0x${string}` {
  return `0x${chainId.toString(16)}`
}
