//! Parts of bcoin, a node of Bitcoin in JavaScript that has no types of its own.

import { createRequire } from 'node:module'

export interface Script {
  readonly raw: Buffer
  readonly code: readonly { readonly value: number; readonly data: Buffer | null }[]
  isProgram(): boolean
  isStandard(): boolean
  isUnknown(): boolean
}

export interface Tx {
  readonly version: number
  readonly locktime: number
  readonly inputs: readonly {
    readonly prevout: { readonly index: number; txid(): string }
    readonly script: Script & { getRedeem(): Script | null }
    readonly witness: { readonly items: readonly Buffer[] }
    readonly sequence: number
  }[]
  readonly outputs: readonly { readonly value: number; readonly script: Script }[]
  txid(): string
  hash(encoding: 'hex'): string
  getSize(): number
  getVirtualSize(): number
  getWeight(): number
  isCoinbase(): boolean
  toRaw(): Buffer
}

export interface ChainEntry {
  readonly height: number
  readonly time: number
  rhash(): string
}

type Connected = (entry: ChainEntry, block: { readonly txs: readonly Tx[] }) => Promise<void> | void

export interface Chain {
  readonly tip: ChainEntry
  open(): Promise<void>
  close(): Promise<void>
  on(event: 'connect' | 'disconnect', listener: Connected): void
  add(block: unknown): Promise<ChainEntry | null>
  /** Hash of a block with its bytes in reversed order, as hex. */
  getHash(height: number): Promise<string | null>
}

export interface MempoolEntry {
  readonly tx: Tx
  readonly fee: number
}

export interface Mempool {
  readonly map: ReadonlyMap<string, MempoolEntry>
  open(): Promise<void>
  close(): Promise<void>
  /** Adds a transaction; resolves with the inputs that it does not know, if there are any. */
  addTX(tx: Tx): Promise<readonly string[] | null>
  /** Removes a transaction and those that spend its outputs. */
  evictEntry(entry: MempoolEntry): void
  _addBlock(entry: ChainEntry, txs: readonly Tx[]): Promise<void>
  _removeBlock(entry: ChainEntry, txs: readonly Tx[]): Promise<void>
}

/** Block that is being mined. */
interface Job {
  readonly attempt: { time: number; readonly mtp: number }
}

export interface Miner {
  readonly cpu: { createJob(tip: ChainEntry, address: unknown): Promise<Job>; mineAsync(job: Job): Promise<unknown> }
  open(): Promise<void>
  close(): Promise<void>
}

interface ScriptClass {
  readonly prototype: Script
  readonly flags: { STANDARD_VERIFY_FLAGS: number; readonly VERIFY_DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM: number }
}

// Bcoin's native parts don't compile on the supported versions of Node.
process.env.NODE_BACKEND ??= 'js'
process.env.BCRYPTO_FORCE_BACKEND ??= 'js'

const load = createRequire(import.meta.url)

export const { Chain, Mempool, Miner, Address, TX, opcodes } = {
  Chain: load('bcoin/lib/blockchain/chain') as new (options: object) => Chain,
  Mempool: load('bcoin/lib/mempool/mempool') as new (options: object) => Mempool,
  Miner: load('bcoin/lib/mining/miner') as new (options: object) => Miner,
  Address: load('bcoin/lib/primitives/address') as { fromProgram(version: number, hash: Buffer): unknown },
  TX: load('bcoin/lib/primitives/tx') as { fromRaw(raw: Buffer): Tx },
  opcodes: (load('bcoin/lib/script/common') as { readonly opcodesByVal: Readonly<Record<number, string>> }).opcodesByVal
}

/** First bytes of an output of taproot: version 1, and a push of its key. */
export const isTaproot = ({ raw }: Script): boolean => raw.length === 34 && raw[0] === 0x51 && raw[1] === 32

/**
 * Bcoin is older than taproot. Its outputs are made standard as they are today, and spending them is allowed; `taproot.ts` verifies their
 * signatures.
 */
function admitTaproot({ prototype, flags }: ScriptClass): void {
  const { isStandard, isUnknown } = prototype
  prototype.isStandard = function (this: Script) {
    return isStandard.call(this) || (this.isProgram() && this.raw[0] !== 0)
  }
  prototype.isUnknown = function (this: Script) {
    return !isTaproot(this) && isUnknown.call(this)
  }
  flags.STANDARD_VERIFY_FLAGS &= ~flags.VERIFY_DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM
}

admitTaproot(load('bcoin/lib/script/script') as ScriptClass)
