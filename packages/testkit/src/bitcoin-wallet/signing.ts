//! Addresses of the demo wallet of Bitcoin, and its signatures of texts.

import { schnorr, secp256k1 } from '@noble/curves/secp256k1'
import { sha256 } from '@noble/hashes/sha256'
import { NETWORK, p2sh, p2tr, p2wpkh, RawTx, RawWitness, TEST_NETWORK, Transaction } from '@scure/btc-signer'

export type BitcoinNetworkName = 'mainnet' | 'testnet' | 'testnet4' | 'signet' | 'regtest'

/** Kind of the payment address: P2WPKH, P2WPKH in P2SH as Xverse has it, or P2TR, which then is the only address. */
export type PaymentKind = 'p2wpkh' | 'p2sh' | 'p2tr'

export interface BitcoinKey {
  readonly secret: Uint8Array
  readonly address: string
  /** Output script of the address. */
  readonly script: Uint8Array
  readonly publicKey: Uint8Array
  readonly purpose: 'payment' | 'ordinals'
  readonly kind: PaymentKind
}

export const NETWORKS = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  testnet4: TEST_NETWORK,
  signet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: 'bcrt' }
}

/** Addresses of a secret key on a network: one for payments, and P2TR for ordinals. */
export function keysOf(
  secret: Uint8Array,
  network: BitcoinNetworkName,
  kind: PaymentKind = 'p2wpkh'
): readonly BitcoinKey[] {
  const at = NETWORKS[network]
  const publicKey = secp256k1.getPublicKey(secret, true)
  const taproot = schnorr.getPublicKey(secret)
  const described = ({ address = '', script }: { address?: string; script: Uint8Array }) => ({
    secret,
    address,
    script
  })
  const ordinals = { ...described(p2tr(taproot, undefined, at)), publicKey: taproot, kind: 'p2tr' } as const
  if (kind === 'p2tr') return [{ ...ordinals, purpose: 'payment' }]
  const plain = p2wpkh(publicKey, at)
  const payment = { ...described(kind === 'p2sh' ? p2sh(plain, at) : plain), publicKey, kind } as const
  return [
    { ...payment, purpose: 'payment' },
    { ...ordinals, purpose: 'ordinals' }
  ]
}

/** Signature of a text: "Bitcoin Signed Message" with the header of the address's kind (BIP-137), or the witness of BIP-322 in its simple form. */
export function signText(text: string, key: BitcoinKey, protocol: 'ecdsa' | 'bip322'): Uint8Array {
  return protocol === 'ecdsa' ? signedMessage(text, key) : simple(text, key)
}

/** First byte of a signature by BIP-137. */
const HEADERS = { p2wpkh: 39, p2sh: 35 }

function signedMessage(text: string, { secret, kind }: BitcoinKey): Uint8Array {
  if (kind === 'p2tr') throw new Error('Addresses of Taproot sign by BIP-322.')
  const bytes = new TextEncoder().encode(text)
  const prefix = new TextEncoder().encode('\x18Bitcoin Signed Message:\n')
  const length = bytes.length < 0xfd ? [bytes.length] : [0xfd, bytes.length & 0xff, bytes.length >> 8]
  const signature = secp256k1.sign(sha256(sha256(Uint8Array.of(...prefix, ...length, ...bytes))), secret)
  return Uint8Array.of(HEADERS[kind] + signature.recovery, ...signature.toCompactRawBytes())
}

function simple(text: string, { secret, script, publicKey, kind }: BitcoinKey): Uint8Array {
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
  const redeem = kind === 'p2sh' ? { redeemScript: p2wpkh(publicKey).script } : {}
  const taproot = kind === 'p2tr' ? { tapInternalKey: publicKey } : {}
  toSign.addInput({
    txid: sha256(sha256(toSpend)).reverse(),
    index: 0,
    sequence: 0,
    witnessUtxo: { amount: 0n, script },
    ...redeem,
    ...taproot
  })
  toSign.addOutput({ amount: 0n, script: Uint8Array.of(0x6a) })
  toSign.sign(secret)
  toSign.finalize()
  return RawWitness.encode(toSign.getInput(0).finalScriptWitness as Uint8Array[])
}
