//! Transactions that the demo wallet of Bitcoin signs (BIP-174), rightly or in the ways of a wallet that is wrong.

import { OutScript, Address as Parsed, p2wpkh, SigHash, Transaction } from '@scure/btc-signer'
import { formatUnits } from 'viem'
import type { BitcoinWalletMode } from './bitcoin-wallet.ts'
import { type BitcoinKey, type BitcoinNetworkName, NETWORKS } from './signing.ts'

export interface InputToSign {
  readonly key: BitcoinKey
  readonly index: number
}

export interface Signed {
  readonly psbt: Uint8Array
  /** The whole transaction, if it is finished. */
  readonly hex?: string
}

/** Kinds of signatures that are asked for in a PSBT, else those of all inputs and outputs. */
const ALLOWED = [SigHash.DEFAULT, SigHash.ALL]

/**
 * The transaction with signatures of these inputs, or with finished inputs. The PSBT has to describe what is spent: outputs, redeem scripts and
 * internal keys.
 */
export function signPsbt(
  psbt: Uint8Array,
  inputs: readonly InputToSign[],
  { mode, finish }: { readonly mode: BitcoinWalletMode; readonly finish: boolean }
): Signed {
  const transaction = Transaction.fromPSBT(psbt)
  const [first] = inputs
  // Pays the first output to itself.
  if (mode === 'other' && first) transaction.updateOutput(0, { script: first.key.script })
  for (const { key, index } of mode === 'some' ? inputs.slice(0, -1) : inputs) {
    if (mode === 'sighash') {
      transaction.updateInput(index, { sighashType: SigHash.NONE })
      transaction.signIdx(key.secret, index, [SigHash.NONE])
      // The field told other signers; the signature itself tells everybody.
      transaction.updateInput(index, { sighashType: undefined }, true)
    } else transaction.signIdx(key.secret, index, ALLOWED)
  }
  if (!finish) return { psbt: transaction.toPSBT() }
  transaction.finalize()
  return { psbt: transaction.toPSBT(), hex: transaction.hex }
}

/** Labels and values of the payments of a transaction to others, and its fee if all of its inputs tell their amounts. */
export function paymentsIn(
  psbt: Uint8Array,
  network: BitcoinNetworkName,
  own: readonly string[]
): readonly (readonly [string, string])[] {
  const transaction = Transaction.fromPSBT(psbt)
  const outputs = Array.from({ length: transaction.outputsLength }, (_, index) => transaction.getOutput(index))
  const inputs = Array.from({ length: transaction.inputsLength }, (_, index) => transaction.getInput(index))
  const spent = inputs.map(({ witnessUtxo }) => witnessUtxo?.amount)
  const sum = (amounts: readonly (bigint | undefined)[]) => amounts.reduce<bigint>((all, one) => all + (one ?? 0n), 0n)
  const rows = outputs.flatMap(({ amount = 0n, script }): (readonly [string, string])[] => {
    const to = script === undefined ? '' : addressOf(script, network)
    if (own.includes(to)) return []
    return [
      ['Amount', coins(amount)],
      ['To', to]
    ]
  })
  if (spent.includes(undefined)) return rows
  return [...rows, ['Network fee', coins(sum(spent) - sum(outputs.map(({ amount }) => amount)))]]
}

const coins = (satoshis: bigint): string => `${formatUnits(satoshis, 8)} BTC`

function addressOf(script: Uint8Array, network: BitcoinNetworkName): string {
  try {
    return Parsed(NETWORKS[network]).encode(OutScript.decode(script))
  } catch {
    return 'A script without an address'
  }
}

/** Sends a finished transaction by a node. Resolves with its id. */
export function broadcast(hex: string, node: string | undefined): Promise<string> {
  return ask(node, 'sendrawtransaction', hex)
}

/** Fee of a transfer in satoshis, which suffices for a dozen inputs. */
const FEE = 2_000n

/** Sends satoshis from an address that is paid by its key alone. Resolves with the id of the transaction. */
export async function transfer(
  { secret, address, script, publicKey, kind }: BitcoinKey,
  to: string,
  satoshis: number,
  network: BitcoinNetworkName,
  node: string | undefined
): Promise<string> {
  const coins = await ask<readonly Coin[]>(node, 'getaddressutxos', { addresses: [address] })
  const transaction = new Transaction()
  let sum = 0n
  for (const { txid, outputIndex: index, satoshis: own } of coins) {
    const witnessUtxo = { amount: BigInt(own), script }
    const redeem = kind === 'p2sh' ? { redeemScript: p2wpkh(publicKey).script } : {}
    transaction.addInput({
      txid,
      index,
      witnessUtxo,
      ...redeem,
      ...(kind === 'p2tr' ? { tapInternalKey: publicKey } : {})
    })
    sum += BigInt(own)
  }
  const rest = sum - BigInt(satoshis) - FEE
  if (rest < 0n) throw new Error('The account has too few satoshis.')
  transaction.addOutputAddress(to, BigInt(satoshis), NETWORKS[network])
  transaction.addOutput({ amount: rest, script })
  transaction.sign(secret)
  transaction.finalize()
  return broadcast(transaction.hex, node)
}

interface Coin {
  readonly txid: string
  readonly outputIndex: number
  readonly satoshis: number
}

/** Asks a node as Bitcoin Core with an index of addresses is asked. */
async function ask<T>(node: string | undefined, method: string, ...params: readonly unknown[]): Promise<T> {
  if (node === undefined) throw new Error('The demo wallet has no node of this network.')
  const response = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  })
  const { result, error } = (await response.json()) as { result?: T; error?: { message: string } }
  if (error || result === undefined) throw new Error(error?.message ?? 'The node gave no answer.')
  return result
}
