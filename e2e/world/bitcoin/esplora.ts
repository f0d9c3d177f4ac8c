//! HTTP API of a node in the form of Esplora, for those of its paths that wallets use.

import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { admit, Refusal } from './admission.ts'
import type { Entry } from './ledger.ts'
import type { BitcoinNode } from './node.ts'
import { scriptOf, statusOf, transactionOf, utxoOf } from './shapes.ts'

/** Fees in satoshis for each virtual byte, by the number of blocks in which a transaction is to be confirmed. */
export type FeeEstimates = Readonly<Record<number, number>>

/** Number of confirmed transactions in one answer, and highest number of unconfirmed ones. */
const PAGE = 25
const MOST_UNCONFIRMED = 50

class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Answer = (...parameters: string[]) => unknown

/** Answers to GET requests; a text is sent as it is, everything else as JSON. */
function routesOf(node: BitcoinNode, fees: () => FeeEstimates): readonly (readonly [RegExp, Answer])[] {
  const { ledger } = node
  const transaction = (txid: string): Entry => {
    const entry = ledger.find(txid)
    if (!entry) throw new HttpError(404, 'Transaction not found')
    return entry
  }
  const script = (address: string): Uint8Array => {
    const found = scriptOf(address)
    if (!found) throw new HttpError(400, 'Invalid Bitcoin address')
    return found
  }
  return [
    [/^\/blocks\/tip\/height$/, () => String(node.height)],
    [/^\/blocks\/tip\/hash$/, () => node.hashAt(node.height)],
    [
      /^\/block-height\/(\d{1,9})$/,
      async (height = '') => {
        const hash = await node.hashAt(Number(height))
        if (hash === undefined) throw new HttpError(404, 'Block not found')
        return hash
      }
    ],
    [/^\/tx\/([0-9a-f]{64})$/, (txid = '') => transactionOf(ledger, transaction(txid))],
    [/^\/tx\/([0-9a-f]{64})\/status$/, (txid = '') => statusOf(transaction(txid).block)],
    [/^\/tx\/([0-9a-f]{64})\/hex$/, (txid = '') => transaction(txid).tx.toRaw().toString('hex')],
    [
      /^\/tx\/([0-9a-f]{64})\/outspend\/(\d{1,9})$/,
      (txid = '', vout = '') => {
        const spender = ledger.spenders().get(`${txid}:${Number(vout)}`)
        if (!spender) return { spent: false }
        const { entry, vin } = spender
        return { spent: true, txid: entry.txid, vin, status: statusOf(entry.block) }
      }
    ],
    [/^\/address\/([0-9A-Za-z]{1,90})$/, (address = '') => statsOf(node, address, script(address))],
    [/^\/address\/([0-9A-Za-z]{1,90})\/utxo$/, (address = '') => ledger.unspent(script(address)).map(utxoOf)],
    [
      /^\/address\/([0-9A-Za-z]{1,90})\/txs$/,
      (address = '') => {
        const entries = historyOf(node, script(address))
        const unconfirmed = entries.filter(({ block }) => !block).slice(0, MOST_UNCONFIRMED)
        const confirmed = entries.filter(({ block }) => block).slice(0, PAGE)
        return [...unconfirmed, ...confirmed].map((entry) => transactionOf(ledger, entry))
      }
    ],
    [
      /^\/address\/([0-9A-Za-z]{1,90})\/txs\/chain(?:\/([0-9a-f]{64}))?$/,
      (address = '', last?: string) => {
        const confirmed = historyOf(node, script(address)).filter(({ block }) => block)
        const from = last === undefined ? 0 : confirmed.findIndex(({ txid }) => txid === last) + 1
        if (last !== undefined && from === 0) return []
        return confirmed.slice(from, from + PAGE).map((entry) => transactionOf(ledger, entry))
      }
    ],
    [/^\/fee-estimates$/, () => fees()]
  ]
}

/** Transactions that pay to a script or spend its outputs, newest first. */
function historyOf({ ledger }: BitcoinNode, script: Uint8Array): readonly Entry[] {
  const touches = ({ tx }: Entry) =>
    tx.outputs.some((output) => output.script.raw.equals(script)) ||
    tx.inputs.some((input) => ledger.prevout(input)?.script.raw.equals(script))
  return ledger.entries().filter(touches).reverse()
}

function statsOf(node: BitcoinNode, address: string, script: Uint8Array) {
  const spenders = node.ledger.spenders()
  const outputs = node.ledger.outputs(script)
  const history = historyOf(node, script)
  const stats = (isHere: (entry: Entry) => boolean) => {
    const funded = outputs.filter(({ entry }) => isHere(entry))
    const spent = outputs.filter(({ entry, vout }) => {
      const spender = spenders.get(`${entry.txid}:${vout}`)
      return spender && isHere(spender.entry)
    })
    const sum = (some: typeof outputs) => some.reduce((all, { value }) => all + value, 0)
    return {
      funded_txo_count: funded.length,
      funded_txo_sum: sum(funded),
      spent_txo_count: spent.length,
      spent_txo_sum: sum(spent),
      tx_count: history.filter(isHere).length
    }
  }
  return {
    address,
    chain_stats: stats(({ block }) => block !== undefined),
    mempool_stats: stats(({ block }) => block === undefined)
  }
}

async function post(node: BitcoinNode, hex: string): Promise<string> {
  try {
    return await admit(node, hex.trim())
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message } = error
    throw new HttpError(400, `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`)
  }
}

/** Serves a node on a port that the system chooses. */
export async function serveEsplora(node: BitcoinNode, fees: () => FeeEstimates): Promise<Server> {
  const routes = routesOf(node, fees)
  const answer = async (method: string, path: string, body: () => Promise<string>): Promise<unknown> => {
    if (method === 'POST' && path === '/tx') return post(node, await body())
    if (method !== 'GET') throw new HttpError(405, 'Method not allowed')
    for (const [pattern, route] of routes) {
      const match = pattern.exec(path)
      if (match) return route(...match.slice(1))
    }
    throw new HttpError(404, `endpoint does not exist "${path}"`)
  }
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const told = await answer(request.method ?? 'GET', pathname, () => text(request))
      const isText = typeof told === 'string'
      response.setHeader('content-type', isText ? 'text/plain' : 'application/json')
      response.end(isText ? told : JSON.stringify(told))
    } catch (error) {
      const status = error instanceof HttpError ? error.status : 500
      response.writeHead(status, { 'content-type': 'text/plain' }).end((error as Error).message)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
