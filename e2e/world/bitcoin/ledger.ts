//! Transactions of the chain and of the mempool, and who spends whose outputs.

import type { ChainEntry, Tx } from './bcoin.ts'

export interface Block {
  readonly height: number
  readonly hash: string
  readonly time: number
}

export interface Entry {
  readonly txid: string
  readonly tx: Tx
  /** Absent while the transaction is unconfirmed. */
  readonly block?: Block
}

export interface Spender {
  readonly entry: Entry
  /** Number of the input that spends the output. */
  readonly vin: number
}

export interface Output {
  readonly entry: Entry
  readonly vout: number
  readonly value: number
}

export class Ledger {
  readonly #confirmed = new Map<string, Entry>()
  readonly #mempool: () => Iterable<Tx>

  constructor(mempool: () => Iterable<Tx>) {
    this.#mempool = mempool
  }

  connect(entry: ChainEntry, txs: readonly Tx[]): void {
    const block = { height: entry.height, hash: entry.rhash(), time: entry.time }
    for (const tx of txs) this.#confirmed.set(tx.txid(), { txid: tx.txid(), tx, block })
  }

  disconnect(txs: readonly Tx[]): void {
    for (const tx of txs) this.#confirmed.delete(tx.txid())
  }

  /** All transactions, oldest first; unconfirmed ones are last. */
  entries(): readonly Entry[] {
    return [...this.#confirmed.values(), ...[...this.#mempool()].map((tx) => ({ txid: tx.txid(), tx }))]
  }

  find(txid: string): Entry | undefined {
    return this.#confirmed.get(txid) ?? this.entries().find((entry) => entry.txid === txid)
  }

  /** Output that an input spends; `undefined` for a coinbase's input and for an unknown output. */
  prevout({ prevout }: Tx['inputs'][number]): Tx['outputs'][number] | undefined {
    return this.find(prevout.txid())?.tx.outputs[prevout.index]
  }

  /** Spenders of all spent outputs by `txid:vout`. */
  spenders(): ReadonlyMap<string, Spender> {
    const spenders = new Map<string, Spender>()
    for (const entry of this.entries())
      for (const [vin, { prevout }] of entry.tx.inputs.entries())
        spenders.set(`${prevout.txid()}:${prevout.index}`, { entry, vin })
    return spenders
  }

  /** Outputs to a script, oldest first. */
  outputs(script: Uint8Array): readonly Output[] {
    return this.entries().flatMap((entry) =>
      entry.tx.outputs.flatMap(({ value, script: { raw } }, vout) =>
        raw.equals(script) ? [{ entry, vout, value }] : []
      )
    )
  }

  unspent(script: Uint8Array): readonly Output[] {
    const spenders = this.spenders()
    return this.outputs(script).filter(({ entry: { txid }, vout }) => !spenders.has(`${txid}:${vout}`))
  }

  /** Fee in satoshis; `undefined` if an input spends an output that is unknown. */
  fee(tx: Tx): number | undefined {
    if (tx.isCoinbase()) return 0
    const spent = tx.inputs.map((input) => this.prevout(input)?.value)
    if (spent.includes(undefined)) return undefined
    const sum = (values: readonly (number | undefined)[]) =>
      values.reduce<number>((all, value) => all + (value ?? 0), 0)
    return sum(spent) - sum(tx.outputs.map(({ value }) => value))
  }
}
