//! Signatures of taproot (BIP-341), which bcoin does not verify.

import { schnorr } from '@noble/curves/secp256k1'
import { Transaction } from '@scure/btc-signer'
import { isTaproot, type Tx } from './bcoin.ts'

/** Why an input that spends an output of taproot is not valid; `undefined` if all are. Scripts of taproot are not run, and are refused. */
export function taprootFault(tx: Tx, spent: readonly Tx['outputs'][number][]): string | undefined {
  const parsed = Transaction.fromRaw(tx.toRaw(), { allowUnknownInputs: true, allowUnknownOutputs: true })
  const scripts = spent.map(({ script }) => script.raw)
  const amounts = spent.map(({ value }) => BigInt(value))
  for (const [index, { script }] of spent.entries()) {
    if (!isTaproot(script)) continue
    const [signature, ...more] = tx.inputs[index]?.witness.items ?? []
    if (!signature) return 'Witness program was passed an empty witness'
    if (more.length > 0) return 'Scripts of taproot are not run on this chain'
    if (signature.length !== 64 && signature.length !== 65) return 'Invalid Schnorr signature size'
    // Signatures of the usual kind have 64 bytes; others name their kind in a last byte, which isn't zero (BIP-341).
    const kind = signature[64] ?? 0
    if (signature.length === 65 && kind === 0) return 'Invalid Schnorr signature hash type'
    try {
      const hash = parsed.preimageWitnessV1(index, scripts, kind, amounts)
      if (!schnorr.verify(signature.subarray(0, 64), hash, script.raw.subarray(2))) return 'Invalid Schnorr signature'
    } catch {
      return 'Invalid Schnorr signature hash type'
    }
  }
  return undefined
}
