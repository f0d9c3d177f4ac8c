//! Payments that the core builds and completes, written by `@scure/btc-signer`: the core's tests compare with the same file.

import { join } from 'node:path'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1'
import { hex } from '@scure/base'
import { p2pkh, p2sh, p2tr, p2wpkh, Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'

const file = join(import.meta.dirname, '../../../../../fixtures/bitcoin/payments.json')

const secret = new Uint8Array(32).fill(1)
const key = secp256k1.getPublicKey(secret, true)
const taproot = schnorr.getPublicKey(secret)
const receiver = p2wpkh(secp256k1.getPublicKey(new Uint8Array(32).fill(2), true))

const senders = { p2pkh: p2pkh(key), p2sh: p2sh(p2wpkh(key)), p2wpkh: p2wpkh(key), p2tr: p2tr(taproot) } as const

/** A payment of 60,000 satoshis from an output of 100,000, with 39,000 in return: unsigned, signed, finished, and as the network takes it. */
function paymentOf(kind: keyof typeof senders) {
  const sender = senders[kind]
  const previous = new Transaction({ allowUnknownInputs: true, disableScriptCheck: true })
  previous.addOutput({ script: sender.script, amount: 100_000n })
  previous.addInput({ txid: 'cd'.repeat(32), index: 0, finalScriptSig: Uint8Array.of(0x51) })
  const payment = new Transaction()
  payment.addInput({
    txid: previous.id,
    index: 0,
    sequence: 0xfffffffd,
    ...(kind === 'p2tr' ? { tapInternalKey: taproot } : { nonWitnessUtxo: previous.toBytes(true, true) }),
    ...(kind === 'p2pkh' ? {} : { witnessUtxo: { script: sender.script, amount: 100_000n } }),
    ...(kind === 'p2sh' ? { redeemScript: p2wpkh(key).script } : {})
  })
  payment.addOutput({ script: receiver.script, amount: 60_000n })
  payment.addOutput({ script: sender.script, amount: 39_000n })
  const psbt = () => hex.encode(payment.toPSBT(0))
  const unsigned = psbt()
  payment.sign(secret, undefined, new Uint8Array(32))
  const signed = psbt()
  payment.finalize()
  return {
    address: sender.address,
    key: hex.encode(kind === 'p2tr' ? taproot : key),
    previous: hex.encode(previous.toBytes(true, true)),
    unsigned,
    signed,
    finished: psbt(),
    bytes: hex.encode(payment.extract()),
    id: payment.id,
    vsize: payment.vsize
  }
}

const payments = () => ({
  receiver: receiver.address,
  payments: (Object.keys(senders) as (keyof typeof senders)[]).map(paymentOf)
})

describe('payments on Bitcoin', () => {
  it('are written by an independent library', async () => {
    await expect(`${JSON.stringify(payments(), null, 2)}\n`).toMatchFileSnapshot(file)
  })
})
