//! Chain reads for libraries that use a session's provider: a remote wallet gets no request that a node can answer.

import type { CreateAppKit } from '../../host/options.ts'
import { field } from '../json.ts'
import type { Networks } from './granted.ts'

/** Timeout of a read in milliseconds (spec 9.16). */
const TIMEOUT = 10_000
const INTERNAL = -32603

export class RpcFault extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** URLs of a chain's nodes, in order: the host's for sessions, then as in the core: `customRpcUrls`, the server, the network's own. */
export function urlsOf(options: CreateAppKit, networks: Networks, chain: string): string[] {
  const session = field(field(options.universalProviderConfigOverride, 'rpcMap'), chain)
  const own = listOf(field(options.customRpcUrls, chain)).map((one) => field(one, 'url'))
  const base = typeof options.endpoints === 'string' ? options.endpoints : options.endpoints?.base
  const server =
    base && options.projectId && `${base.replace(/\/+$/, '')}/v1?chainId=${chain}&projectId=${options.projectId}`
  const theirs = listOf(field(field(field(networks.get(chain), 'rpcUrls'), 'default'), 'http'))
  return [session, ...own, server, ...theirs].filter((url): url is string => typeof url === 'string' && url !== '')
}

/** Tries one URL after the other until one responds; an RPC error counts as a response. */
export async function readChain(urls: readonly string[], method: string, params: unknown): Promise<unknown> {
  let fault = new RpcFault(INTERNAL, 'There is no node to ask')
  for (const url of urls) {
    try {
      return await ask(url, method, params)
    } catch (error) {
      if (error instanceof RpcFault) throw error
      fault = new RpcFault(INTERNAL, 'No node answered')
    }
  }
  throw fault
}

async function ask(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] }),
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT)
  })
  const answer: unknown = await response.json()
  const error = field(answer, 'error')
  if (error) {
    const [code, message] = [field(error, 'code'), field(error, 'message')]
    throw new RpcFault(Number(code) || INTERNAL, String(message ?? 'The node refused'), field(error, 'data'))
  }
  const result = field(answer, 'result')
  if (result === undefined) throw new Error('Not an answer')
  return result
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
