//! A regtest node of Bitcoin in this process, on bcoin. Its genesis block is that of Bitcoin Core.

import { Address, Chain, Mempool, Miner, type Tx } from './bcoin.ts'
import { Ledger } from './ledger.ts'

/** Height from which segregated witness is active on regtest: the end of the third window of votes, of 144 blocks each. */
const SEGWIT = 432

/** Seconds between the first blocks. */
const SPACING = 600

export class BitcoinNode {
  readonly ledger: Ledger
  readonly #chain: Chain
  readonly #mempool: Mempool
  readonly #miner: Miner
  readonly #reward: unknown
  #last: Promise<unknown> = Promise.resolve()

  private constructor(reward: unknown) {
    const options = { network: 'regtest', memory: true }
    this.#reward = reward
    this.#chain = new Chain(options)
    this.#mempool = new Mempool({ ...options, chain: this.#chain, requireStandard: true, replaceByFee: true })
    this.#miner = new Miner({ ...options, chain: this.#chain, mempool: this.#mempool })
    this.ledger = new Ledger(() => this.mempool)
    this.#chain.on('connect', async (entry, { txs }) => {
      await this.#mempool._addBlock(entry, txs)
      this.ledger.connect(entry, txs)
    })
    this.#chain.on('disconnect', async (entry, { txs }) => {
      this.ledger.disconnect(txs)
      await this.#mempool._removeBlock(entry, txs)
    })
  }

  /** Starts a chain that knows segregated witness; `reward` is the hash of the public key to which blocks pay. */
  static async start(reward: Uint8Array): Promise<BitcoinNode> {
    const node = new BitcoinNode(Address.fromProgram(0, Buffer.from(reward)))
    await node.#chain.open()
    await node.#mempool.open()
    await node.#miner.open()
    await node.mine(SEGWIT, (block) => Math.floor(Date.now() / 1000) - (SEGWIT - block) * SPACING)
    return node
  }

  get height(): number {
    return this.#chain.tip.height
  }

  /** Unconfirmed transactions. */
  get mempool(): readonly Tx[] {
    return [...this.#mempool.map.values()].map(({ tx }) => tx)
  }

  async hashAt(height: number): Promise<string | undefined> {
    const hash = await this.#chain.getHash(height)
    return hash === null ? undefined : Buffer.from(hash, 'hex').reverse().toString('hex')
  }

  /** Mines blocks with the unconfirmed transactions; `timeOf` gives the time of each, in seconds. */
  mine(blocks: number, timeOf?: (block: number) => number): Promise<void> {
    return this.alone(async () => {
      for (let block = 1; block <= blocks; block += 1) {
        const job = await this.#miner.cpu.createJob(this.#chain.tip, this.#reward)
        if (timeOf) job.attempt.time = Math.max(timeOf(block), job.attempt.mtp + 1)
        if (!(await this.#chain.add(await this.#miner.cpu.mineAsync(job)))) throw new Error('A mined block was refused')
      }
    })
  }

  /** Adds a transaction to the mempool, or throws bcoin's `VerifyError`. */
  async add(tx: Tx): Promise<void> {
    if (await this.#mempool.addTX(tx)) throw new Error(`Transaction ${tx.txid()} spends unknown outputs`)
  }

  /** Removes an unconfirmed transaction and those that spend its outputs. */
  evict(tx: Tx): void {
    const entry = this.#mempool.map.get(tx.hash('hex'))
    if (entry) this.#mempool.evictEntry(entry)
  }

  /** Does `work` when earlier work is done. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async close(): Promise<void> {
    await this.#last
    await this.#miner.close()
    await this.#mempool.close()
    await this.#chain.close()
  }
}
