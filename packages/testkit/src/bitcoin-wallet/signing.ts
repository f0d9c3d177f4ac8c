//! Addresses and signatures of the demo wallet of Bitcoin.

import { schnorr, secp256k1 } from '@noble/curves/secp256k1'
import { sha256 } from '@noble/hashes/sha256'
import {
  NETWORK,
  OutScript,
  Address as Parsed,
  p2tr,
  p2wpkh,
  RawTx,
  RawWitness,
  TEST_NETWORK,
  Transaction
} from '@scure/btc-signer'

export type BitcoinNetworkName = 'mainnet' | 'testnet' | 'testnet4' | 'signet' | 'regtest'

export interface BitcoinKey {
  readonly secret: Uint8Array
  readonly address: string
  readonly publicKey: Uint8Array
  readonly purpose: 'payment' | 'ordinals'
}

const NETWORKS = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  testnet4: TEST_NETWORK,
  signet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: 'bcrt' }
}

/** The two addresses of a secret key on a network: P2WPKH for payments, P2TR for ordinals. */
export function keysOf(secret: Uint8Array, network: BitcoinNetworkName): readonly BitcoinKey[] {
  const key = secp256k1.getPublicKey(secret, true)
  const taproot = schnorr.getPublicKey(secret)
  const payment = p2wpkh(key, NETWORKS[network]).address as string
  const ordinals = p2tr(taproot, undefined, NETWORKS[network]).address as string
  return [
    { secret, address: payment, publicKey: key, purpose: 'payment' },
    { secret, address: ordinals, publicKey: taproot, purpose: 'ordinals' }
  ]
}

/** Signature of a text: "Bitcoin Signed Message" with the header of P2WPKH (BIP-137), or the witness of BIP-322 in its simple form. */
export function signText(text: string, key: BitcoinKey, network: BitcoinNetworkName, protocol: 'ecdsa' | 'bip322') {
  return protocol === 'ecdsa' ? signedMessage(text, key) : simple(text, key, network)
}

function signedMessage(text: string, { secret }: BitcoinKey): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  const prefix = new TextEncoder().encode('\x18Bitcoin Signed Message:\n')
  const length = bytes.length < 0xfd ? [bytes.length] : [0xfd, bytes.length & 0xff, bytes.length >> 8]
  const signature = secp256k1.sign(sha256(sha256(Uint8Array.of(...prefix, ...length, ...bytes))), secret)
  return Uint8Array.of(39 + signature.recovery, ...signature.toCompactRawBytes())
}

function simple(text: string, { secret, address, publicKey }: BitcoinKey, network: BitcoinNetworkName): Uint8Array {
  const script = OutScript.encode(Parsed(NETWORKS[network]).decode(address))
  const tag = sha256(new TextEncoder().encode('BIP0322-signed-message'))
  const hash = sha256(Uint8Array.of(...tag, ...tag, ...new TextEncoder().encode(text)))
  const toSpend = RawTx.encode({
    version: 0,
    segwitFlag: false,
    inputs: [
      { txid: new Uint8Array(32), index: 0xffffffff, finalScriptSig: Uint8Array.of(0, 32, ...hash), sequence: 0 }
    ],
    outputs: [{ amount: 0n, script }],
    witnesses: [],
    lockTime: 0
  })
  const toSign = new Transaction({ version: 0, allowUnknownOutputs: true })
  const taproot = publicKey.length === 32 ? { tapInternalKey: publicKey } : {}
  toSign.addInput({
    txid: sha256(sha256(toSpend)).reverse(),
    index: 0,
    sequence: 0,
    witnessUtxo: { amount: 0n, script },
    ...taproot
  })
  toSign.addOutput({ amount: 0n, script: Uint8Array.of(0x6a) })
  toSign.sign(secret)
  toSign.finalize()
  return RawWitness.encode(toSign.getInput(0).finalScriptWitness as Uint8Array[])
}

/** The transaction with the signatures of these inputs. */
export function signTransaction(psbt: Uint8Array, inputs: readonly { key: BitcoinKey; index: number }[]): Uint8Array {
  const transaction = Transaction.fromPSBT(psbt)
  for (const { key, index } of inputs) transaction.signIdx(key.secret, index)
  return transaction.toPSBT()
}
