//! Assertions that wallets add to a transaction before they sign it. Numbers of accounts, instructions and bytes are below 128 here, one byte each.

import { base58 } from '@scure/base'

const LIGHTHOUSE = base58.decode('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95')
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'

/** The payer belongs to the System program and has no data. */
const IS_PLAIN = Uint8Array.of(6, 4, 2, 3, 0, 0, 1, ...new Uint8Array(9))

/**
 * The transaction without signatures, with an assertion after the instructions about compute units, and one at its end. Their program is one
 * more key that is not written. One with tables of accounts, whose numbers follow those of the keys, stays as it is.
 */
export function withAssertions(transaction: Uint8Array): Uint8Array {
  const [count = 0] = transaction
  const message = transaction.subarray(1 + 64 * count)
  const header = (message[0] ?? 0) > 127 ? 1 : 0
  const total = message[header + 3] ?? 0
  const keysEnd = header + 4 + 32 * total
  const keyAt = (place: number) => base58.encode(message.subarray(header + 4 + 32 * place, header + 36 + 32 * place))
  let at = keysEnd + 33
  const instructions = Array.from({ length: message[keysEnd + 32] ?? 0 }, () => {
    const start = at
    at += 2 + (message[at + 1] ?? 0)
    at += 1 + (message[at] ?? 0)
    return message.subarray(start, at)
  })
  if (message.subarray(at).some((byte) => byte !== 0)) return transaction
  // Program, one account, which is the payer, and the data.
  const assertion = Uint8Array.of(total, 1, 0, IS_PLAIN.length, ...IS_PLAIN)
  const first = instructions.findIndex(([program = 0]) => keyAt(program) !== COMPUTE_BUDGET)
  instructions.splice(Math.max(first, 0), 0, assertion)
  instructions.push(assertion)
  const head = Uint8Array.from(message.subarray(0, keysEnd))
  head[header + 2] = (head[header + 2] ?? 0) + 1
  head[header + 3] = total + 1
  return Uint8Array.of(
    count,
    ...new Uint8Array(64 * count),
    ...head,
    ...LIGHTHOUSE,
    ...message.subarray(keysEnd, keysEnd + 32),
    instructions.length,
    ...instructions.flatMap((instruction) => [...instruction]),
    ...message.subarray(at)
  )
}
