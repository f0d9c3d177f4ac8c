//! Types of signatures that a partially signed transaction asks for (BIP-174, `PSBT_IN_SIGHASH_TYPE`): what each signature covers.

import { concatBytes } from '@noble/hashes/utils'
import { MAGIC, psbtOf, Reader } from './bytes.ts'

/** Key of the field in an input. */
const SIGHASH_TYPE = 3

/** Types with a meaning: the default of Taproot, all, none or one of the outputs, and each of the latter for one input alone. */
const TYPES: readonly unknown[] = [0x00, 0x01, 0x02, 0x03, 0x81, 0x82, 0x83]

/** Types that signers use where an input names none. */
const DEFAULTS = [0x00, 0x01]

/**
 * Transaction whose inputs name one of the types that are allowed for them, by their index. Wallets sign by the type in the input: most have no
 * other parameter for it. `undefined` if an input is not there or names another type, and where several unusual types leave the choice open.
 */
export function withTypes(psbt: Uint8Array, allowed: ReadonlyMap<number, readonly number[]>): Uint8Array | undefined {
  const inputs = inputsOf(psbt)
  if (inputs === undefined) return undefined
  const pieces: Uint8Array[] = []
  let done = 0
  for (const [index, types] of [...allowed].sort(([one], [other]) => one - other)) {
    const input = inputs[index]
    if (input === undefined || !types.every((type) => TYPES.includes(type))) return undefined
    if (input.type !== undefined) {
      if (!types.includes(input.type)) return undefined
    } else if (types.length === 1) {
      pieces.push(psbt.subarray(done, input.start), Uint8Array.of(1, SIGHASH_TYPE, 4, types[0] as number, 0, 0, 0))
      done = input.start
    } else if (!types.some((type) => DEFAULTS.includes(type))) return undefined
  }
  return concatBytes(...pieces, psbt.subarray(done))
}

interface Input {
  /** Place of its first field. */
  readonly start: number
  /** Type that it names. */
  readonly type: number | undefined
}

/** Inputs of a partially signed transaction. */
function inputsOf(psbt: Uint8Array): readonly Input[] | undefined {
  const transaction = psbtOf(psbt)?.transaction
  // The number of inputs follows the version.
  const count = transaction && new Reader(transaction.subarray(4)).number()
  const reader = new Reader(psbt.subarray(MAGIC.length))
  if (count === undefined || count > psbt.length || fieldsOf(reader) === undefined) return undefined
  const inputs: Input[] = []
  for (let index = 0; index < count; index += 1) {
    const start = MAGIC.length + reader.at
    const fields = fieldsOf(reader)
    if (fields === undefined) return undefined
    const [, value] = fields.find(([key]) => key.length === 1 && key[0] === SIGHASH_TYPE) ?? []
    inputs.push({ start, type: value && new DataView(Uint8Array.from(value).buffer).getUint32(0, true) })
  }
  return inputs
}

/** Keys and values up to the end of a map. */
function fieldsOf(reader: Reader): readonly (readonly [key: Uint8Array, value: Uint8Array])[] | undefined {
  const fields: (readonly [Uint8Array, Uint8Array])[] = []
  for (;;) {
    const key = reader.take(reader.number())
    if (key === undefined) return undefined
    if (key.length === 0) return fields
    const value = reader.take(reader.number())
    if (value === undefined || (key[0] === SIGHASH_TYPE && key.length === 1 && value.length !== 4)) {
      return undefined
    }
    fields.push([key, value])
  }
}
