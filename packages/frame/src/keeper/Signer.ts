//! Commands of the signer, whose module holds the keys. Its forms are those of `crates/signer`.

import type { NewWallet, Sealed, SigningOrder, Slot, WalletRecord } from '../generated/frame.ts'
import type { PrivateKey } from '../secrets.ts'
import { random } from './bytes.ts'

/** User and device for which a wallet is opened. */
export interface DeviceSecret {
  readonly user: string
  readonly thumbprint: string
  readonly secret: string
}

/** Address of each namespace, by its word: "eip155". */
export type Addresses = Readonly<Record<string, string>>

/** What the visitor has to open the wallet where the server has no share for it. */
export interface Typed {
  readonly kit: string | null
  /** Output of a passkey's PRF. */
  readonly passkey: string | null
  /** Export key of a password. */
  readonly password: string | null
}

/** What the visitor has, of which one is there. */
export const NOTHING: Typed = { kit: null, passkey: null, password: null }

/** Wallet that was unlocked. */
export interface Opened {
  readonly addresses: Addresses
  /** New slot of this device, to be stored. */
  readonly deviceSlot: Slot | null
}

/** Refusal of the signer. */
export class SignerError extends Error {
  readonly reason: string

  constructor(reason: string) {
    super('The signer refused')
    this.reason = reason
  }
}

export class Signer {
  readonly #command: (json: string) => Promise<string>

  constructor(command: (json: string) => Promise<string>) {
    this.#command = command
  }

  /** Makes the key pair to which the next release is sealed; returns its public key. */
  async keyPair(): Promise<string> {
    return (await this.#ask<{ key: string }>('keyPair', { random: random(32) })).key
  }

  async create(release: Sealed, device: DeviceSecret): Promise<NewWallet> {
    return (await this.#ask<{ wallet: NewWallet }>('created', { release, device, random: random(184) }, 'create'))
      .wallet
  }

  /**
   * `known` are the addresses of this user's wallet that this browser remembers: a record of another wallet is refused. With `only` nothing but what
   * was typed opens it.
   */
  unlock(
    release: Sealed,
    record: WalletRecord,
    device: DeviceSecret,
    known: Addresses | null,
    typed: Typed = NOTHING,
    only = false
  ): Promise<Opened> {
    const command = { release, record, device, ...typed, only, known, random: random(40) }
    return this.#ask<Opened>('unlocked', command, 'unlock')
  }

  /** Makes a printed code and its slot, to be stored before the code is shown. */
  kit(): Promise<{ slot: Slot; code: string }> {
    return this.#ask('kit', { random: random(56) })
  }

  /** Makes the slot of a passkey. */
  async passkey(output: string, hint: string): Promise<Slot> {
    return (await this.#ask<{ slot: Slot }>('slot', { output, hint, random: random(40) }, 'passkey')).slot
  }

  /** Makes the slot of a password. */
  async password(key: string): Promise<Slot> {
    return (await this.#ask<{ slot: Slot }>('slot', { key, random: random(40) }, 'password')).slot
  }

  /** Makes a recovery slot. */
  async recovery(release: Sealed, device: DeviceSecret): Promise<Slot> {
    return (await this.#ask<{ slot: Slot }>('slot', { release, device, random: random(40) }, 'recovery')).slot
  }

  /** Words and private keys. */
  exported(): Promise<{ words: string; keys: readonly PrivateKey[] }> {
    return this.#ask('exported', {}, 'export')
  }

  /** Signs exactly what was shown: the signature or the signed transaction as hex text, or what an order of Solana is answered with. */
  async sign(order: SigningOrder): Promise<unknown> {
    const { result } = await this.#ask<{ result: unknown }>('signed', { request: requestOf(order) }, 'sign')
    const { raw, signature, transactions } = result as Readonly<Record<string, unknown>>
    switch (order.type) {
      case 'transaction':
        return raw
      case 'solanaMessage':
        return signature
      case 'solanaTransactions':
        return transactions
      default:
        return result
    }
  }

  async lock(): Promise<void> {
    await this.#ask('locked', {}, 'lock')
  }

  async #ask<Answer>(expected: string, fields: object, type = expected): Promise<Answer> {
    const told = JSON.parse(await this.#command(JSON.stringify({ type, ...fields })))
    if (told.type !== expected) throw new SignerError(told.type === 'refused' ? String(told.reason) : 'form')
    return told
  }
}

function requestOf(order: SigningOrder) {
  switch (order.type) {
    case 'message':
      return { method: 'personal_sign', params: [order.message, order.address], chainId: null }
    case 'solanaMessage':
      return { method: 'solana_signMessage', params: { message: order.message, pubkey: order.address }, chainId: null }
    case 'solanaTransactions':
      return { method: 'solana_signAllTransactions', params: { transactions: order.transactions }, chainId: null }
    case 'typedData':
      return { method: 'eth_signTypedData_v4', params: [order.address, order.data], chainId: null }
    case 'transaction': {
      const chainId = `eip155:${BigInt(order.transaction.chainId)}`
      return { method: 'eth_signTransaction', params: [{ from: order.address, ...order.transaction }], chainId }
    }
  }
}
