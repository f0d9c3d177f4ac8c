//! What a node answers to a transaction that is sent to it, in the words of Bitcoin Core.

import { TX, type Tx } from './bcoin.ts'
import type { BitcoinNode } from './node.ts'
import { taprootFault } from './taproot.ts'

/** Refusal of a transaction, with the error code of `sendrawtransaction`. */
export class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const MISSING_INPUTS = -25
const REFUSED = -26
const ALREADY_IN_CHAIN = -27
const MALFORMED = -22

/** Lowest fee of a transaction, and lowest additional fee of one that replaces others, in satoshis for each virtual byte. */
const RELAY_FEE = 1

/** Highest fee in satoshis for each virtual byte, which protects from mistakes. */
const HIGHEST_FEE = 10_000

/** Sends a transaction to a node. Resolves with its id, or rejects with a `Refusal`. */
export function admit(node: BitcoinNode, hex: string): Promise<string> {
  return node.alone(() => admitAlone(node, parse(hex)))
}

function parse(hex: string): Tx {
  try {
    if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new TypeError('Not hex')
    const raw = Buffer.from(hex, 'hex')
    const tx = TX.fromRaw(raw)
    if (tx.inputs.length > 0 && tx.toRaw().equals(raw)) return tx
  } catch {
    // The refusal is the same for all malformed transactions.
  }
  throw new Refusal(MALFORMED, 'TX decode failed. Make sure the tx has at least one input.')
}

async function admitAlone(node: BitcoinNode, tx: Tx): Promise<string> {
  const { ledger } = node
  const txid = tx.txid()
  const known = ledger.find(txid)
  if (known && !known.block) return txid
  const spenders = ledger.spenders()
  if (known && tx.outputs.some((_, vout) => !spenders.get(`${txid}:${vout}`)?.entry.block))
    throw new Refusal(ALREADY_IN_CHAIN, 'Transaction outputs already in utxo set')
  const rivals = tx.inputs.flatMap(({ prevout }) => spenders.get(`${prevout.txid()}:${prevout.index}`)?.entry ?? [])
  const spent = tx.inputs.flatMap((input) => ledger.prevout(input) ?? [])
  const fee = ledger.fee(tx)
  if (fee === undefined || rivals.some(({ block }) => block))
    throw new Refusal(MISSING_INPUTS, 'bad-txns-inputs-missingorspent')
  const size = tx.getVirtualSize()
  if (fee >= 0 && fee < size * RELAY_FEE)
    throw new Refusal(REFUSED, `min relay fee not met, ${fee} < ${size * RELAY_FEE}`)
  if (fee > size * HIGHEST_FEE)
    throw new Refusal(MISSING_INPUTS, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)')
  const replaced = replacedBy(node, tx, fee, [...new Set(rivals.map((rival) => rival.tx))])
  const fault = taprootFault(tx, spent)
  if (fault) throw invalidScript(fault)
  await replace(node, tx, replaced)
  return txid
}

/**
 * Transactions that leave the mempool for this one: those that spend the same outputs, and those that depend on them. As today's nodes do, all
 * can be replaced, also those that do not say so (BIP-125), by one that pays more.
 */
function replacedBy(node: BitcoinNode, tx: Tx, fee: number, rivals: readonly Tx[]): readonly Tx[] {
  const replaced = new Set(rivals)
  // Transactions of the mempool come after those that they depend on.
  for (const one of node.mempool)
    if (one.inputs.some(({ prevout }) => [...replaced].some((other) => other.txid() === prevout.txid())))
      replaced.add(one)
  const feeOf = (one: Tx) => node.ledger.fee(one) ?? 0
  const refuse = (why: string) => new Refusal(REFUSED, `insufficient fee, rejecting replacement ${tx.txid()}${why}`)
  if (tx.inputs.some(({ prevout }) => [...replaced].some((one) => one.txid() === prevout.txid())))
    throw new Refusal(REFUSED, 'bad-txns-spends-conflicting-tx')
  const rate = (one: Tx, itsFee: number) => itsFee / one.getVirtualSize()
  for (const rival of rivals) {
    const [now, old] = [rate(tx, fee), rate(rival, feeOf(rival))]
    if (now <= old)
      throw refuse(`; new feerate ${coins(now * 1000)} BTC/kvB <= old feerate ${coins(old * 1000)} BTC/kvB`)
  }
  const total = [...replaced].reduce((sum, one) => sum + feeOf(one), 0)
  if (fee < total) throw refuse(`, less fees than conflicting txs; ${coins(fee)} < ${coins(total)}`)
  const least = tx.getVirtualSize() * RELAY_FEE
  if (replaced.size > 0 && fee - total < least)
    throw refuse(`, not enough additional fees to relay; ${coins(fee - total)} < ${coins(least)}`)
  return node.mempool.filter((one) => replaced.has(one))
}

/** Replaces transactions in the mempool; if the new one is refused, the old ones stay. */
async function replace(node: BitcoinNode, tx: Tx, replaced: readonly Tx[]): Promise<void> {
  for (const one of replaced) node.evict(one)
  try {
    await node.add(tx)
  } catch (error) {
    for (const one of replaced) await node.add(one)
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): unknown {
  const { type, reason } = error as { type?: string; reason?: string }
  if (type !== 'VerifyError' || reason === undefined) return error
  return reason.includes('script-verify-flag')
    ? invalidScript('Script evaluation failed')
    : new Refusal(REFUSED, reason)
}

const invalidScript = (why: string) => new Refusal(REFUSED, `mandatory-script-verify-flag-failed (${why})`)

const coins = (satoshis: number): string => (satoshis / 1e8).toFixed(8)
