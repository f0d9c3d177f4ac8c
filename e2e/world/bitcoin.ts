//! A regtest chain of Bitcoin in this process, whose node is asked as one asks Esplora.

import type { AddressInfo } from 'node:net'
import { secp256k1 } from '@noble/curves/secp256k1'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { admit } from './bitcoin/admission.ts'
import { type FeeEstimates, serveEsplora } from './bitcoin/esplora.ts'
import { BitcoinNode } from './bitcoin/node.ts'
import { REGTEST } from './bitcoin/shapes.ts'

export interface Bitcoin {
  /** CAIP-2 id. */
  readonly id: string
  /** URL of its node. */
  readonly url: string
  /** Number of unconfirmed transactions. */
  readonly unconfirmed: number
  mine(blocks?: number): Promise<void>
  /** Pays satoshis to an address, in a block of its own unless it stays unconfirmed. Resolves with the transaction's id. */
  fund(address: string, satoshis: number, options?: { readonly confirmed?: boolean }): Promise<string>
  /** Lets the node forget an unconfirmed transaction and those that spend its outputs. */
  drop(txid: string): void
  /** Sets the fees that the node estimates. */
  setFees(fees: FeeEstimates): void
  /** Reads a path of the node. */
  read<T>(path: string): Promise<T>
  stop(): Promise<void>
}

/** Key of the miner, which owns the coins of all blocks. */
const MINER = new Uint8Array(32).fill(99)

/** Blocks after which the coins of a block can be spent. */
const MATURITY = 100

/** Fee of a payment to an account, in satoshis, which suffices for a hundred inputs. */
const FEE = 10_000

const FEES: FeeEstimates = { 1: 8, 2: 6, 3: 5, 6: 3, 144: 1.5, 1008: 1 }

export async function startBitcoin(): Promise<Bitcoin> {
  const purse = p2wpkh(secp256k1.getPublicKey(MINER, true), REGTEST)
  const node = await BitcoinNode.start(purse.hash)
  let fees = FEES
  let payments: Promise<unknown> = Promise.resolve()
  const server = await serveEsplora(node, () => fees)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const genesis = (await node.hashAt(0)) ?? ''
  return {
    id: `bip122:${genesis.slice(0, 32)}`,
    url,
    get unconfirmed() {
      return node.mempool.length
    },
    mine: (blocks = 1) => node.mine(blocks),
    async fund(address, satoshis, { confirmed = true } = {}) {
      // One payment after the other: each spends coins that the one before it left.
      const paid = payments.then(() => admit(node, payment(node, purse.script, address, BigInt(satoshis))))
      payments = paid.catch(() => {})
      const txid = await paid
      if (confirmed) await node.mine(1)
      return txid
    },
    drop(txid) {
      const entry = node.ledger.find(txid)
      if (!entry || entry.block) throw new Error(`There is no unconfirmed transaction ${txid}`)
      node.evict(entry.tx)
    },
    setFees(next) {
      fees = next
    },
    async read<T>(path: string) {
      const response = await fetch(url + path)
      const body = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`)
      return (response.headers.get('content-type') === 'application/json' ? JSON.parse(body) : body) as T
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await node.close()
    }
  }
}

/** Payment from the miner's mature coins, as hex. */
function payment(node: BitcoinNode, script: Uint8Array, address: string, satoshis: bigint): string {
  const isMature = (block: { readonly height: number } | undefined) => block && block.height <= node.height - MATURITY
  const coins = node.ledger.unspent(script).filter(({ entry }) => isMature(entry.block) || !entry.tx.isCoinbase())
  const transaction = new Transaction()
  let sum = 0n
  for (const { entry, vout, value } of coins) {
    if (sum >= satoshis + BigInt(FEE)) break
    sum += BigInt(value)
    transaction.addInput({ txid: entry.txid, index: vout, witnessUtxo: { amount: BigInt(value), script } })
  }
  if (sum < satoshis + BigInt(FEE)) throw new Error(`The miner has no ${satoshis} satoshis: mine more blocks`)
  transaction.addOutputAddress(address, satoshis, REGTEST)
  transaction.addOutput({ amount: sum - satoshis - BigInt(FEE), script })
  transaction.sign(MINER)
  transaction.finalize()
  return transaction.hex
}
