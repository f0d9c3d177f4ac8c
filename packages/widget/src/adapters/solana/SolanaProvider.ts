//! Provider of one Solana wallet: the features of the Wallet Standard under the names that hosts and remote wallets use.

import { base58, base64 } from '@scure/base'
import type { StandardAccount, StandardWallet } from '../standard.ts'
import { standardChain } from './chains.ts'
import { type Feature, featureOf, isSolana } from './features.ts'
import type { SignedTransaction } from './signed.ts'
import { bytesOf, inFormOf, type SolanaTransaction, versionOf } from './transaction.ts'

/** Options of a sent transaction, in the node's words. */
export interface SendOptions {
  readonly skipPreflight?: boolean
  readonly preflightCommitment?: string
  readonly maxRetries?: number
  readonly minContextSlot?: number
}

/** Connection of `@solana/web3.js`, as far as sending needs it. */
export interface SolanaConnection {
  sendRawTransaction(bytes: Uint8Array, options?: SendOptions): Promise<string>
}

/** Provider as hosts receive it: `useAppKitProvider<Provider>('solana')`. */
export interface Provider {
  readonly name: string
  /** Public key of the active account; `new PublicKey(publicKey.toBytes())` for `@solana/web3.js`. */
  readonly publicKey: SolanaPublicKey | undefined
  /** The wallet itself, for libraries that take one of the Wallet Standard. */
  readonly wallet: StandardWallet
  signMessage(message: Uint8Array): Promise<Uint8Array>
  signTransaction<T extends SolanaTransaction>(transaction: T): Promise<T>
  signAllTransactions<T extends SolanaTransaction>(transactions: readonly T[]): Promise<T[]>
  /** The wallet signs and sends. Resolves with the signature in base58. */
  signAndSendTransaction(transaction: SolanaTransaction, options?: SendOptions): Promise<string>
  /** The wallet signs, `connection` sends. Resolves with the signature in base58. */
  sendTransaction(transaction: SolanaTransaction, connection: SolanaConnection, options?: SendOptions): Promise<string>
  request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on(event: string, listener: (payload: never) => void): unknown
  removeListener(event: string, listener: (payload: never) => void): unknown
}

export interface SolanaPublicKey {
  toBase58(): string
  toString(): string
  toBytes(): Uint8Array
}

interface Approved {
  readonly address: string
  readonly account: StandardAccount
}

/** Longest name of an account that is passed on; the core cuts it further. */
const LONGEST_LABEL = 400

const NOT_CONNECTED = 4100
const UNSUPPORTED = 4200
const INVALID = -32602

export class SolanaProvider implements Provider {
  readonly wallet: StandardWallet
  readonly #network: () => string | undefined
  readonly #address: () => string | undefined
  readonly #listeners = new Map<string, Set<(payload: never) => void>>()
  /** Accounts that the wallet approved, in its order, with their addresses as they were read: the wallet may change its objects. */
  #accounts: readonly Approved[] = []
  #heard = false
  /** Number of connections and disconnections: an older request to connect that ends later connects nothing. */
  #turn = 0

  /** `network` tells the CAIP-2 id of the active network, `address` that of the account in use, which may be one of another wallet. */
  constructor(wallet: StandardWallet, network: () => string | undefined, address: () => string | undefined) {
    this.wallet = wallet
    this.#network = network
    this.#address = address
  }

  get name(): string {
    return this.wallet.name
  }

  get publicKey(): SolanaPublicKey | undefined {
    const account = this.#active()
    if (account === undefined) return undefined
    const { address } = account
    return { toBase58: () => address, toString: () => address, toBytes: () => base58.decode(address) }
  }

  async signMessage(message: Uint8Array): Promise<Uint8Array> {
    return this.#signMessage(message)
  }

  async #signMessage(message: Uint8Array, address?: unknown): Promise<Uint8Array> {
    const approved = this.#approved(address)
    const given = { account: approved.account, message: Uint8Array.from(message) }
    const asked = this.#call('solana:signMessage', 'signMessage', given)
    const [[signed], { signatureFrom }] = await Promise.all([asked, verifying()])
    return signatureFrom(signed, message, approved.address)
  }

  async signTransaction<T extends SolanaTransaction>(transaction: T): Promise<T> {
    const [signed] = await this.signAllTransactions([transaction])
    return signed as T
  }

  async signAllTransactions<T extends SolanaTransaction>(transactions: readonly T[]): Promise<T[]> {
    const signed = await this.#signAll(transactions)
    return transactions.map((one, index) => inFormOf(one, (signed[index] as SignedTransaction).bytes))
  }

  /** Signs with the account of an address, or the active one. */
  async #signAll(transactions: readonly SolanaTransaction[], address?: unknown): Promise<SignedTransaction[]> {
    const approved = this.#approved(address)
    const given = transactions.map((one) => this.#input('solana:signTransaction', one, approved))
    const asked = this.#call('solana:signTransaction', 'signTransaction', ...given)
    const [signed, { transactionFrom }] = await Promise.all([asked, verifying()])
    return transactions.map((_, index) => transactionFrom(signed[index], approved.address))
  }

  async signAndSendTransaction(transaction: SolanaTransaction, options?: SendOptions): Promise<string> {
    return this.#signAndSend(transaction, options)
  }

  async #signAndSend(transaction: SolanaTransaction, options?: SendOptions, address?: unknown): Promise<string> {
    const given = this.#input('solana:signAndSendTransaction', transaction, this.#approved(address))
    const [sent] = await this.#call('solana:signAndSendTransaction', 'signAndSendTransaction', { ...given, options })
    const signature = (sent as { signature?: unknown } | null | undefined)?.signature
    if (!isBytes(signature, 64)) throw new Error('The wallet answered without a signature')
    return base58.encode(signature)
  }

  async sendTransaction(
    transaction: SolanaTransaction,
    connection: SolanaConnection,
    options?: SendOptions
  ): Promise<string> {
    const signed = await this.signTransaction(bytesOf(transaction))
    return connection.sendRawTransaction(signed, options)
  }

  /** The features of the standard, as the widget asks for them, and the methods of remote Solana wallets, whose parameters are texts. */
  async request({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
    const given = (params ?? {}) as Readonly<Record<string, unknown>>
    switch (method) {
      case 'standard:connect':
        await this.#connect(given.silent === true)
        return { accounts: this.#accounts.map(described) }
      case 'solana:signIn':
        return this.#signIn(given)
      case 'standard:disconnect':
        return this.#disconnect()
      case 'solana_getAccounts':
      case 'solana_requestAccounts':
        return this.#accounts.map(({ address }) => ({ pubkey: address }))
      case 'solana_signMessage':
        return { signature: base58.encode(await this.#signMessage(read(base58, given.message), given.pubkey)) }
      case 'solana_signTransaction': {
        const [signed] = await this.#signAll([read(base64, given.transaction)], given.pubkey)
        const { bytes, signature } = signed as SignedTransaction
        return { signature: base58.encode(signature), transaction: base64.encode(bytes) }
      }
      case 'solana_signAllTransactions': {
        const list = Array.isArray(given.transactions) ? given.transactions : []
        const read64 = list.map((one) => read(base64, one))
        const signed = await this.#signAll(read64, given.pubkey)
        return { transactions: signed.map(({ bytes }) => base64.encode(bytes)) }
      }
      case 'solana_signAndSendTransaction': {
        const options = given.sendOptions as SendOptions | undefined
        return { signature: await this.#signAndSend(read(base64, given.transaction), options, given.pubkey) }
      }
      default:
        throw fault(UNSUPPORTED, `A Solana wallet has no method ${method}`)
    }
  }

  on(event: string, listener: (payload: never) => void): this {
    const known = this.#listeners.get(event)
    if (known) known.add(listener)
    else this.#listeners.set(event, new Set([listener]))
    return this
  }

  removeListener(event: string, listener: (payload: never) => void): this {
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  async #connect(silent: boolean): Promise<void> {
    const feature = this.#feature('standard:connect')
    const { connect } = feature
    if (typeof connect !== 'function') throw fault(UNSUPPORTED, `${this.name} can't be connected`)
    this.#turn += 1
    const turn = this.#turn
    await (silent ? connect.call(feature, { silent }) : connect.call(feature))
    this.#connected(turn)
  }

  /** Connects with the account that signs the sign-in of these fields, which is in use then. */
  async #signIn(input: Readonly<Record<string, unknown>>) {
    this.#turn += 1
    const turn = this.#turn
    const [answer] = await this.#call('solana:signIn', 'signIn', input)
    this.#connected(turn)
    const { account, signedMessage, signature } = (answer ?? {}) as Readonly<Record<string, unknown>>
    if (!isBytes(signature, 64) || !isBytes(signedMessage)) throw new Error('The wallet answered without a signature')
    const own = this.#approved(String((account as StandardAccount | null | undefined)?.address))
    const { address } = own
    this.#accounts = [own, ...this.#accounts.filter((one) => one.address !== address)]
    const message = new TextDecoder('utf-8', { fatal: true }).decode(signedMessage)
    return { accounts: this.#addresses(), address, message, signature: base58.encode(signature) }
  }

  #connected(turn: number): void {
    if (turn !== this.#turn) throw fault(NOT_CONNECTED, `${this.name} was disconnected. Connect again.`)
    this.#listen()
    this.#accounts = solanaAccounts(this.wallet)
  }

  async #disconnect(): Promise<null> {
    this.#turn += 1
    this.#accounts = []
    const feature = this.#feature('standard:disconnect')
    const { disconnect } = feature
    if (typeof disconnect !== 'function') throw fault(UNSUPPORTED, `${this.name} stays connected`)
    await disconnect.call(feature)
    return null
  }

  /** Listens to the wallet's own changes once it is connected: its accounts are then the ones that it approved. */
  #listen(): void {
    const feature = this.#feature('standard:events')
    const { on } = feature
    if (this.#heard || typeof on !== 'function') return
    this.#heard = true
    on.call(feature, 'change', () => {
      if (this.#accounts.length === 0) return
      const before = this.#addresses()
      this.#accounts = solanaAccounts(this.wallet)
      const now = this.#addresses()
      if (before.join() !== now.join()) this.#tell('accountsChanged', now)
    })
  }

  #tell(event: string, payload: readonly string[]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(payload as never)
  }

  #addresses(): string[] {
    return this.#accounts.map(({ address }) => address)
  }

  #of(address: unknown): Approved | undefined {
    return this.#accounts.find((one) => one.address === address)
  }

  /** Account in use, of those that the wallet approved. */
  #active(): Approved | undefined {
    return this.#of(this.#address()) ?? this.#accounts[0]
  }

  /** Account of an address, or the active one. */
  #approved(address?: unknown): Approved {
    const approved = address === undefined ? this.#active() : this.#of(address)
    if (approved === undefined) throw fault(NOT_CONNECTED, `${this.name} isn't connected with this account`)
    return approved
  }

  /** Transaction for a feature, refused if the wallet does not list its version there. A wallet without a list decides by itself. */
  #input(name: string, transaction: SolanaTransaction, { account }: Approved) {
    const bytes = bytesOf(transaction)
    const version = versionOf(bytes)
    const supported = this.#feature(name).supportedTransactionVersions as unknown
    // Later versions have other places for their signatures.
    if (Number(version) > 0 || (Array.isArray(supported) && !supported.includes(version)))
      throw fault(UNSUPPORTED, `${this.name} doesn't support transactions of version ${version}`)
    return { account, transaction: bytes, chain: this.#chain() }
  }

  #chain(): string {
    const network = this.#network()
    if (network === undefined) throw fault(NOT_CONNECTED, 'No Solana network is active')
    return standardChain(network)
  }

  #feature(name: string): Feature {
    return featureOf(this.wallet, name)
  }

  async #call(name: string, method: string, ...given: readonly unknown[]): Promise<readonly unknown[]> {
    const feature = this.#feature(name)
    const run = feature[method]
    if (typeof run !== 'function') throw fault(UNSUPPORTED, `${this.name} doesn't support ${name}`)
    const answer = await run.call(feature, ...given)
    if (!Array.isArray(answer)) throw new Error("Couldn't read the wallet's answer. It isn't a list.")
    return answer
  }
}

/** Accounts of a wallet on Solana; a wallet of several namespaces has others as well. */
function solanaAccounts({ accounts }: StandardWallet): readonly Approved[] {
  const own = list<StandardAccount | null>(accounts).filter((account) => list(account?.chains).some(isSolana))
  return own.map((account) => ({ address: String(account?.address), account: account as StandardAccount }))
}

/** Address of an account, with the wallet's own name for it where there is one. */
function described({ address, account: { label } }: Approved) {
  return typeof label === 'string' ? { address, name: label.slice(0, LONGEST_LABEL) } : address
}

function list<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : []
}

/** Fetched while the wallet asks the visitor. */
const verifying = () => import('./signed.ts')

function read(coder: { decode(text: string): Uint8Array }, text: unknown): Uint8Array {
  try {
    return coder.decode(text as string)
  } catch {
    throw fault(INVALID, 'Check the parameters of this request')
  }
}

function isBytes(value: unknown, length?: number): value is Uint8Array {
  return value instanceof Uint8Array && (length === undefined || value.length === length)
}

function fault(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}
