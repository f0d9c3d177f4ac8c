//! Transactions in the form of Esplora: https://github.com/Blockstream/esplora/blob/master/API.md

import { OutScript, Address as Parsed, TEST_NETWORK } from '@scure/btc-signer'
import { opcodes, type Script, type Tx } from './bcoin.ts'
import type { Block, Entry, Ledger, Output } from './ledger.ts'

export const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }

const ADDRESSES = Parsed(REGTEST)

/** Output script of an address; `undefined` for a text that is none of regtest. */
export function scriptOf(address: string): Uint8Array | undefined {
  try {
    return OutScript.encode(ADDRESSES.decode(address))
  } catch {
    return undefined
  }
}

export const statusOf = (block: Block | undefined) =>
  block
    ? { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time }
    : { confirmed: false }

export function utxoOf({ entry: { txid, block }, vout, value }: Output) {
  return { txid, vout, status: statusOf(block), value }
}

export function transactionOf(ledger: Ledger, { txid, tx, block }: Entry) {
  return {
    txid,
    version: tx.version,
    locktime: tx.locktime,
    vin: tx.inputs.map((input) => inputOf(ledger, tx, input)),
    vout: tx.outputs.map(outputOf),
    size: tx.getSize(),
    weight: tx.getWeight(),
    fee: ledger.fee(tx),
    status: statusOf(block)
  }
}

function inputOf(ledger: Ledger, tx: Tx, input: Tx['inputs'][number]) {
  const { prevout, script, witness, sequence } = input
  const spent = ledger.prevout(input)
  const redeem = spent && kindOf(spent.script) === 'p2sh' ? script.getRedeem() : null
  return {
    txid: prevout.txid(),
    vout: prevout.index,
    prevout: spent ? outputOf(spent) : null,
    scriptsig: script.raw.toString('hex'),
    scriptsig_asm: asmOf(script),
    ...(witness.items.length === 0 ? {} : { witness: witness.items.map((item) => item.toString('hex')) }),
    is_coinbase: tx.isCoinbase(),
    sequence,
    ...(redeem === null ? {} : { inner_redeemscript_asm: asmOf(redeem) })
  }
}

function outputOf({ script, value }: Tx['outputs'][number]) {
  const address = addressOf(script)
  return {
    scriptpubkey: script.raw.toString('hex'),
    scriptpubkey_asm: asmOf(script),
    scriptpubkey_type: kindOf(script),
    ...(address === undefined ? {} : { scriptpubkey_address: address }),
    value
  }
}

const KINDS: Readonly<Record<string, string>> = {
  pk: 'p2pk',
  pkh: 'p2pkh',
  sh: 'p2sh',
  wpkh: 'v0_p2wpkh',
  wsh: 'v0_p2wsh',
  tr: 'v1_p2tr',
  ms: 'multisig'
}

const OP_RETURN = 0x6a

function decoded({ raw }: Script) {
  try {
    return OutScript.decode(raw)
  } catch {
    return undefined
  }
}

function kindOf(script: Script): string {
  if (script.raw[0] === OP_RETURN) return 'op_return'
  return KINDS[decoded(script)?.type ?? ''] ?? 'unknown'
}

function addressOf(script: Script): string | undefined {
  const output = decoded(script)
  if (!output || !['pkh', 'sh', 'wpkh', 'wsh', 'tr'].includes(output.type)) return undefined
  return ADDRESSES.encode(output)
}

/** Script as text, with Esplora's names of operations. */
function asmOf({ code }: Script): string {
  const words = code.map(({ value, data }) => {
    const name = opcodes[value] ?? 'OP_INVALIDOPCODE'
    if (data === null || value === 0)
      return name.replace(/^OP_(\d+)$/, (_, digits) => (value ? `OP_PUSHNUM_${digits}` : 'OP_0'))
    return `${value <= 75 ? `OP_PUSHBYTES_${value}` : name} ${data.toString('hex')}`
  })
  return words.join(' ')
}
