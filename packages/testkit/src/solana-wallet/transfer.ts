//! Reads the transfer of a transaction for the wallet's question. Numbers of accounts, instructions and bytes are below 128 here, one byte each.

import { base58 } from '@scure/base'
import { formatUnits } from 'viem'

const SYSTEM = '11111111111111111111111111111111'
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const TOKENS = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']
/** `Transfer` of the system program, and `TransferChecked` of a token program. */
const [TRANSFER, TRANSFER_CHECKED] = [2, 12]

interface Instruction {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

/** Labels and values of the only transfer of a transaction; none for any other transaction. */
export function transferIn(transaction: Uint8Array): readonly (readonly [string, string])[] {
  const [instruction, ...others] = instructionsOf(transaction).filter(({ program }) => program !== COMPUTE_BUDGET)
  if (instruction === undefined || others.length > 0) return []
  const { program, accounts, data } = instruction
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (program === SYSTEM && data.length === 12 && view.getUint32(0, true) === TRANSFER) {
    return [
      ['Amount', `${formatUnits(view.getBigUint64(4, true), 9)} SOL`],
      ['To', accounts[1] ?? '']
    ]
  }
  if (TOKENS.includes(program) && data.length === 10 && data[0] === TRANSFER_CHECKED) {
    return [
      ['Amount', formatUnits(view.getBigUint64(1, true), data[9] ?? 0)],
      ['Token', accounts[1] ?? ''],
      ['To', accounts[2] ?? '']
    ]
  }
  return []
}

function instructionsOf(transaction: Uint8Array): readonly Instruction[] {
  let at = 1 + 64 * (transaction[0] ?? 0)
  const take = (length: number): Uint8Array => {
    at += length
    return transaction.subarray(at - length, at)
  }
  const number = (): number => take(1)[0] ?? 0
  // A message with a version begins with a byte for it.
  if ((transaction[at] ?? 0) > 127) at += 1
  at += 3
  const keys = Array.from({ length: number() }, () => base58.encode(take(32)))
  at += 32
  return Array.from({ length: number() }, () => {
    const program = keys[number()] ?? ''
    const accounts = Array.from(take(number()), (index) => keys[index] ?? '')
    return { program, accounts, data: take(number()) }
  })
}
