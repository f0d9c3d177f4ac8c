import { afterEach, describe, expect, it, vi } from 'vitest'
import { ACCOUNT, metadata, request, session } from '../testing/fakes.ts'
import type { Ask } from './ask.ts'
import { readPeer } from './peer.ts'
import { readRequest } from './request.ts'

// RPC URLs are built from the page's origin.
vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://wallet.example' } }))

afterEach(() => vi.unstubAllGlobals())

interface Posted {
  readonly id: number
  readonly method: string
}

/** Node that answers the queries for a transaction, and its broadcast with `broadcast`; null is a broadcast without a response. */
function node(broadcast: object | null) {
  const results: Record<string, unknown> = {
    eth_estimateGas: '0x5208',
    eth_getTransactionCount: '0x0',
    eth_maxPriorityFeePerGas: '0x1',
    eth_getBlockByNumber: { baseFeePerGas: '0x1', number: '0x1', transactions: [], timestamp: '0x1' }
  }
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const { id, method } = JSON.parse(body) as Posted
    if (method === 'eth_sendRawTransaction' && !broadcast) throw new TypeError('Failed to fetch')
    const said = method === 'eth_sendRawTransaction' ? broadcast : { result: results[method] }
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...said }), {
      headers: { 'content-type': 'application/json' }
    })
  })
}

const peer = readPeer(metadata(), { origin: 'https://wallet.example', referrer: '' })

function asked(): Ask {
  const transaction = request('eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, value: '0x1' }])
  return readRequest(transaction, session(), { peer, switchTo: async () => undefined }) as Ask
}

const HASH = /^0x[0-9a-f]{64}$/

describe('a transaction that is sent', () => {
  it('has its hash before it leaves', async () => {
    node({ result: `0x${'0'.repeat(64)}` })
    const begun: unknown[] = []
    const hash = await asked().perform((result) => begun.push(result))
    expect(hash).toMatch(HASH)
    expect(begun).toEqual([hash])
  })

  it('is sent although the node never answered, or had it before', async () => {
    for (const broadcast of [null, { error: { code: -32000, message: 'already known' } }]) {
      node(broadcast)
      expect(await asked().perform()).toMatch(HASH)
    }
  })

  it('is not where the node refuses it', async () => {
    node({ error: { code: -32003, message: 'Insufficient funds for gas * price + value' } })
    await expect(asked().perform()).rejects.toThrow('Insufficient funds')
  })
})
