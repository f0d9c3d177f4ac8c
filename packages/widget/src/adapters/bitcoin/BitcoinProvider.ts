//! Provider of one Bitcoin wallet: the ways of the wallets under the names that hosts and remote wallets use.

import { base64, hex } from '@scure/base'
import { addressOf, type BitcoinAddress, isOn } from './address.ts'
import { balanceOf, type UtxoSource } from './balance.ts'
import { type Protocol, psbtOf, same, signatureOf } from './bytes.ts'
import { type BitcoinChain, chainOf } from './chains.ts'
import { withTypes } from './psbt.ts'
import {
  type BitcoinAccount,
  type Change,
  type Described,
  fault,
  INVALID,
  type InputToSign,
  NOT_CONNECTED,
  OTHER_CHAIN,
  UNKNOWN_CHAIN,
  UNSUPPORTED,
  type Way
} from './way.ts'

/** Address of the connected account. */
export interface AccountAddress {
  readonly address: string
  /** Public key in hex, where the wallet tells it. */
  readonly publicKey?: string
  /** `ordinal` for one that holds ordinals, which a payment must not spend. */
  readonly purpose: 'payment' | 'ordinal'
}

export interface SignMessageParams {
  readonly message: string
  /** Address whose key signs. Default: the active one. */
  readonly address?: string
  /** Default: `bip322` for Taproot, elsewhere what the wallet prefers. */
  readonly protocol?: Protocol
}

export interface SendTransferParams {
  readonly recipient: string
  /** Satoshis, as a whole number. */
  readonly amount: string | number | bigint
}

export interface SignPSBTParams {
  /** Transaction (BIP-174) in base64. */
  readonly psbt: string
  readonly signInputs: readonly {
    readonly index: number
    readonly address: string
    /**
     * Types of signatures that the input may have, else the one that it names in the transaction, or that of all inputs and outputs. A single
     * type is written into the input, because wallets sign by that.
     */
    readonly sighashTypes?: readonly number[]
  }[]
  /** Whether the wallet sends the transaction. Default `false`. */
  readonly broadcast?: boolean
}

export interface SignPSBTResponse {
  /** Transaction with the signatures, in base64. */
  readonly psbt: string
  /** Id of the transaction if it was sent. */
  readonly txid?: string
}

/** Provider as hosts receive it: `useAppKitProvider<BitcoinProvider>('bip122')`. */
export interface Provider {
  readonly name: string
  /** Addresses that the visitor approved, those for payments first; none without a connection. */
  getAccountAddresses(): Promise<AccountAddress[]>
  /**
   * Signs a text. Resolves with the signature in base64: 65 bytes ("Bitcoin Signed Message"), or a witness (BIP-322, simple form). It is of the
   * address's key and over this text.
   */
  signMessage(params: SignMessageParams): Promise<string>
  /**
   * The wallet sends satoshis. Resolves with the id of the transaction. No wallet is told which of its accounts pays, so it is refused while the
   * active one is not the wallet's first.
   */
  sendTransfer(params: SendTransferParams): Promise<string>
  signPSBT(params: SignPSBTParams): Promise<SignPSBTResponse>
  /** Switches the wallet to a network by its CAIP-2 id; its accounts are others there. */
  switchNetwork(network: string): Promise<void>
  request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on(event: string, listener: (payload: never) => void): unknown
  removeListener(event: string, listener: (payload: never) => void): unknown
}

/** Limit of accounts; a longer list is an attack. */
const MOST_ACCOUNTS = 100

/** Satoshis that there can ever be. */
const MOST_SATOSHIS = 2_100_000_000_000_000n

export class BitcoinProvider implements Provider {
  readonly name: string
  readonly #way: Way
  readonly #network: () => string | undefined
  readonly #address: () => string | undefined
  readonly #source: UtxoSource | undefined
  readonly #listeners = new Map<string, Set<(payload: never) => void>>()
  /** Accounts that the visitor approved, those for payments first, as they were parsed: the wallet may change its objects. */
  #accounts: readonly BitcoinAccount[] = []
  #chain: BitcoinChain | undefined
  #heard = false
  /** Number of connections, changes and disconnections: the end of an older one changes nothing. */
  #turn = 0

  /** `network` tells the CAIP-2 id of the active network, `address` that of the account in use, which may be one of another wallet. */
  constructor(
    name: string,
    way: Way,
    network: () => string | undefined,
    source?: UtxoSource,
    address: () => string | undefined = () => undefined
  ) {
    this.name = name
    this.#way = way
    this.#network = network
    this.#address = address
    this.#source = source
  }

  async getAccountAddresses(): Promise<AccountAddress[]> {
    return this.#accounts.map(({ address: { text }, publicKey, purpose }) => ({
      address: text,
      purpose,
      ...(publicKey === undefined ? {} : { publicKey })
    }))
  }

  async signMessage({ message, address, protocol }: SignMessageParams): Promise<string> {
    const { account, chain } = this.#connected(address)
    if (typeof message !== 'string' || ![undefined, 'ecdsa', 'bip322'].includes(protocol)) throw wrong('message')
    const wanted = protocol ?? (account.address.kind === 'p2tr' ? 'bip322' : undefined)
    const asked = this.#way.signMessage(account, message, wanted, chain)
    const [answer, { isSignedBy }] = await Promise.all([asked, verifying()])
    const signature = signatureOf(answer)
    if (signature === undefined) throw new Error('The wallet answered without a signature')
    if (wanted !== undefined && signature.protocol !== wanted)
      throw new Error(`The wallet did not sign by ${wanted === 'ecdsa' ? 'ECDSA' : 'BIP-322'}`)
    const text = base64.encode(signature.bytes)
    // Some wallets are not told by which key to sign, and sign by the one that the visitor has selected meanwhile.
    if (!isSignedBy(message, account.address.text, chain.id, text))
      throw new Error("The signature doesn't fit this account and message. Sign again.")
    return text
  }

  async sendTransfer({ recipient, amount }: SendTransferParams): Promise<string> {
    const { account, chain } = this.#connected()
    const to = addressOf(recipient)
    if (to === undefined) throw wrong('recipient')
    if (!isOn(to, chain)) throw fault(INVALID, `Use a recipient on ${chain.name}`)
    const text = String(amount)
    if (!/^[1-9]\d{0,15}$/.test(text) || BigInt(text) > MOST_SATOSHIS) throw wrong('amount')
    if (account !== this.#accounts[0])
      throw fault(UNSUPPORTED, `${this.name} pays from its first account. Choose that one, or sign a transaction.`)
    return idOf(await this.#way.send(to.text, Number(text), chain))
  }

  async signPSBT({ psbt, signInputs, broadcast = false }: SignPSBTParams): Promise<SignPSBTResponse> {
    const { chain } = this.#connected()
    const given = psbtOf(psbt)
    if (given === undefined || typeof broadcast !== 'boolean') throw wrong('psbt')
    if (!Array.isArray(signInputs) || signInputs.length === 0) throw wrong('signInputs')
    const types = new Map<number, readonly number[]>()
    const inputs = signInputs.map(({ index, address, sighashTypes }): InputToSign => {
      if (!Number.isSafeInteger(index) || index < 0 || types.has(index)) throw wrong('signInputs')
      if (sighashTypes === undefined) return { account: this.#connected(address).account, index }
      if (!Array.isArray(sighashTypes) || sighashTypes.length === 0) throw wrong('sighashTypes')
      types.set(index, [...sighashTypes])
      return { account: this.#connected(address).account, index, sighashTypes: [...sighashTypes] }
    })
    const bytes = types.size === 0 ? given.bytes : withTypes(given.bytes, types)
    if (bytes === undefined) throw wrong('sighashTypes')
    const answer = await this.#way.signPsbt({ bytes, inputs, broadcast, chain })
    const signed = psbtOf(answer.psbt)
    if (signed === undefined) throw new Error('The wallet answered without a transaction')
    if (!same(signed.transaction, given.transaction)) throw new Error('The wallet signed another transaction')
    return { psbt: base64.encode(signed.bytes), ...(broadcast ? { txid: idOf(answer.txid) } : {}) }
  }

  async switchNetwork(network: string): Promise<void> {
    const chain = chainOf(network)
    if (chain === undefined) throw fault(UNKNOWN_CHAIN, 'Bitcoin network not found')
    if (chain.id === this.#connected().chain.id) return
    const turn = this.#next()
    await this.#way.switchChain(chain)
    const accounts = parsed(await this.#way.accounts(true, chain), chain)
    if (accounts.length === 0) throw fault(NOT_CONNECTED, `${this.name} has no account on ${chain.name} for this page`)
    this.#become(turn, accounts, chain)
  }

  /** The methods of remote Bitcoin wallets, and those by which the widget connects and reads. */
  async request({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
    const given = (params ?? {}) as Readonly<Record<string, never>>
    switch (method) {
      case 'getAccountAddresses':
        // A wallet that is connected on this network is not asked again: some tell nothing without a question to the visitor.
        if (given.silent === true && this.#accounts.length > 0 && chainOf(given.network) === this.#chain)
          return this.getAccountAddresses()
        await this.#connect(given.silent === true, given.network ?? this.#network())
        return this.getAccountAddresses()
      case 'wallet_disconnect':
        return this.#disconnect()
      case 'switchNetwork':
        await this.switchNetwork(given.network as never)
        return this.#chain?.id
      case 'getBalance':
        return this.#balance(given.address, given.network)
      case 'signMessage': {
        const address = (given.address ?? given.account) as string | undefined
        const signature = await this.signMessage({ ...(given as unknown as SignMessageParams), ...named(address) })
        return { address: this.#connected(address).account.address.text, signature }
      }
      case 'sendTransfer': {
        const recipient = (given.recipientAddress ?? given.recipient) as unknown as string
        return { txid: await this.sendTransfer({ recipient, amount: given.amount as unknown as string }) }
      }
      case 'signPsbt':
        return this.signPSBT(given as unknown as SignPSBTParams)
      default:
        throw fault(UNSUPPORTED, `A Bitcoin wallet has no method ${method}`)
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

  /** Connects on a network: the one that the connection will have, or the active one. */
  async #connect(silent: boolean, network: unknown): Promise<void> {
    const chain = chainOf(network)
    if (network === undefined) throw fault(NOT_CONNECTED, 'No Bitcoin network is active')
    if (chain === undefined) throw fault(UNKNOWN_CHAIN, `No wallet can be asked for ${network}`)
    const turn = this.#next()
    const accounts = parsed(await this.#way.accounts(silent, chain), chain)
    if (turn !== this.#turn) throw fault(NOT_CONNECTED, `${this.name} was disconnected. Connect again.`)
    if (accounts.length === 0 && !silent) throw fault(NOT_CONNECTED, `${this.name} has no account on ${chain.name}`)
    this.#accounts = accounts
    this.#chain = chain
    if (accounts.length > 0) this.#listen()
  }

  async #disconnect(): Promise<null> {
    this.#next()
    this.#accounts = []
    await this.#way.disconnect()
    return null
  }

  /** Listens to the wallet's own changes once it is connected. */
  #listen(): void {
    if (this.#heard) return
    this.#heard = true
    this.#way.listen((change) => void this.#changed(change))
  }

  async #changed({ accounts, chain = this.#chain }: Change): Promise<void> {
    if (this.#accounts.length === 0) return
    const turn = this.#next()
    let now: readonly BitcoinAccount[] = []
    try {
      if (chain) now = parsed(accounts ?? (await this.#way.accounts(true, chain)), chain)
    } catch {
      // The wallet tells no account that can be used: the connection has ended.
    }
    this.#become(turn, now, chain ?? this.#chain)
  }

  /** Takes over accounts and network, and tells what has changed. */
  #become(turn: number, accounts: readonly BitcoinAccount[], chain: BitcoinChain | undefined): void {
    if (turn !== this.#turn) return
    const [before, last] = [this.#payments(), this.#chain]
    this.#accounts = accounts
    this.#chain = chain
    const now = this.#payments()
    if (chain && chain !== last && now.length > 0) this.#tell('chainChanged', chain.id)
    if (before.join() !== now.join()) this.#tell('accountsChanged', now)
  }

  #payments(): string[] {
    return this.#accounts.filter(({ purpose }) => purpose === 'payment').map(({ address }) => address.text)
  }

  #tell(event: string, payload: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(payload as never)
  }

  #next(): number {
    this.#turn += 1
    return this.#turn
  }

  /** Account of an address, or the active one, with the network of the connection. */
  #connected(address?: string): { account: BitcoinAccount; chain: BitcoinChain } {
    const of = (wanted?: string) => this.#accounts.find((one) => one.address.text === wanted)
    const active = () => of(this.#address()) ?? this.#accounts[0]
    const account = address === undefined ? active() : of(addressOf(address)?.text)
    if (account === undefined || this.#chain === undefined)
      throw fault(NOT_CONNECTED, `${this.name} isn't connected with this account`)
    return { account, chain: this.#chain }
  }

  async #balance(address: unknown, network: unknown): Promise<string> {
    const [parsedAddress, chain] = [addressOf(address), chainOf(network)]
    if (this.#source === undefined) throw fault(UNSUPPORTED, "Can't read Bitcoin balances. Set a balance source.")
    if (parsedAddress === undefined || chain === undefined || !isOn(parsedAddress, chain))
      throw fault(UNSUPPORTED, 'Use an address of this network')
    return balanceOf(this.#source, parsedAddress.text, chain.id)
  }
}

/** Fetched while the wallet asks the visitor. */
const verifying = () => import('./bitcoinSigned.ts')

const named = (address: string | undefined) => (address === undefined ? {} : { address })

function wrong(name: string): Error {
  return fault(INVALID, `The parameter ${name} has the wrong form`)
}

/** Id of a transaction in a wallet's answer. */
function idOf(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase()
  throw new Error('The wallet answered without the id of the transaction')
}

/** Accounts of a wallet on a network, those for payments first. An account that is none refuses the whole answer. */
function parsed(described: readonly Described[], chain: BitcoinChain): readonly BitcoinAccount[] {
  if (described.length > MOST_ACCOUNTS) throw new Error('The wallet answered with too many accounts')
  const read = described.map((one) => {
    const address = addressOf(one.address)
    if (address === undefined) throw new Error('The wallet shared an invalid address. Try another wallet.')
    if (!isOn(address, chain))
      throw fault(OTHER_CHAIN, `The wallet has an account of another network than ${chain.name}`)
    return { address, publicKey: keyOf(one.publicKey), purpose: one.purpose, handle: one.handle }
  })
  // A wallet without purposes has ordinals on its Taproot address, unless that is its only kind of address.
  const [named, plain] = [
    read.some(({ purpose }) => purpose !== undefined),
    read.some(({ address }) => !isTaproot(address))
  ]
  const accounts = read.map(({ address, publicKey, purpose, handle }): BitcoinAccount => {
    const ordinal = named ? purpose !== 'payment' : plain && isTaproot(address)
    const key = publicKey === undefined ? {} : { publicKey }
    return { address, ...key, purpose: ordinal ? 'ordinal' : 'payment', handle }
  })
  const own = accounts.filter(
    ({ address }, index) => accounts.findIndex((one) => one.address.text === address.text) === index
  )
  return own.sort((one, other) => Number(one.purpose === 'ordinal') - Number(other.purpose === 'ordinal'))
}

function isTaproot({ kind }: BitcoinAddress): boolean {
  return kind === 'p2tr'
}

/** Public key in hex: compressed, or of 32 bytes for Taproot. */
function keyOf(value: unknown): string | undefined {
  const text = value instanceof Uint8Array && value.length <= 65 ? hex.encode(value) : value
  return typeof text === 'string' && /^([0-9a-f]{64}|[0-9a-f]{66})$/i.test(text) ? text.toLowerCase() : undefined
}
