//! Provider of one extension of Polkadot, under the names that hosts and remote wallets use.

import { field } from '../field.ts'
import { accountIdOf, addressOf } from './address.ts'
import { chainOf, type PolkadotChain } from './chains.ts'
import {
  accountsIn,
  call,
  fault,
  INVALID,
  type InjectedAccount,
  isGenesisOf,
  NOT_CONNECTED,
  OTHER_CHAIN,
  UNKNOWN_CHAIN,
  UNSUPPORTED
} from './injected.ts'

/** Account that the visitor shows to the page. */
export interface Account {
  /** Address in the spelling (SS58 prefix) of the network. */
  readonly address: string
  /** Name that the visitor gave to it, without control characters, at most 100 characters. */
  readonly name?: string
}

export interface SignMessageParams {
  readonly message: string
  /** Address whose key signs. Default: the active one. */
  readonly address?: string
}

export interface SignRawParams {
  /** Bytes in hex, with `0x`. The extension signs them between `<Bytes>` and `</Bytes>`. */
  readonly data: string
  readonly address?: string
}

/** Transaction to sign, as `@polkadot/api` writes it (`SignerPayloadJSON`). */
export interface SignPayloadParams {
  readonly address: string
  readonly blockHash: string
  readonly genesisHash: string
  readonly method: string
  readonly withSignedTransaction?: boolean
  readonly [field: string]: unknown
}

export interface SignerResult {
  /** Number of the request in the extension; 0 where it tells none. */
  readonly id: number
  /** Signature in hex: 64 bytes, with a byte before them for the kind of key where the extension tells it. */
  readonly signature: `0x${string}`
  /** Whole transaction in hex, only if `withSignedTransaction` asked for it. */
  readonly signedTransaction?: `0x${string}`
}

/** Provider as hosts receive it: `useAppKitProvider<Provider>('polkadot')`. */
export interface Provider {
  readonly name: string
  /** Accounts that the visitor shows to the page, the active one first; none without a connection. */
  getAccounts(): Promise<Account[]>
  /** Signs a text in UTF-8, as `signRaw` signs bytes. Resolves with the signature in hex, which is of the address's key and over this text. */
  signMessage(params: SignMessageParams): Promise<`0x${string}`>
  /** Signs bytes. The signature is of the address's key and over these bytes. */
  signRaw(params: SignRawParams): Promise<SignerResult>
  /** Signs a transaction of the connected network. Nothing is sent, and the signature is not verified. */
  signPayload(payload: SignPayloadParams): Promise<SignerResult>
  /** Takes another network by its CAIP-2 id; addresses are spelt in another way there. */
  switchNetwork(network: string): Promise<void>
  request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /** `accountsChanged` tells the accounts as `getAccounts` does, `chainChanged` the CAIP-2 id of the network. */
  on(event: string, listener: (payload: never) => void): unknown
  removeListener(event: string, listener: (payload: never) => void): unknown
}

export interface Surroundings {
  /** Name by which the page presents itself to the extension. */
  readonly origin: string
  /** SS58 prefixes by CAIP-2 id, besides those that are known. */
  readonly prefixes: Readonly<Record<string, number>>
  /** CAIP-2 id of the active network. */
  readonly network: () => string | undefined
  /** Address of the account in use, which may be one of another wallet. */
  readonly address?: () => string | undefined
}

/** Length of the longest signed transaction in hex: 4 MiB, more than a block holds. */
const LONGEST_TRANSACTION = 8_388_608

export class PolkadotProvider implements Provider {
  readonly name: string
  readonly #entry: () => unknown
  readonly #around: Surroundings
  readonly #listeners = new Map<string, Set<(payload: never) => void>>()
  /** Answer of the extension to `enable`. */
  #injected: unknown
  /** Question to the visitor that is open: extensions refuse a second one. */
  #enabling: Promise<unknown> | undefined
  /** Last list of the extension, as far as it was parsed. */
  #listed: unknown
  #accounts: readonly InjectedAccount[] = []
  #chain: PolkadotChain | undefined
  #unsubscribe: unknown
  /** Number of connections and disconnections: the end of an older one changes nothing. */
  #turn = 0

  /** `entry` tells the extension's entry in `window.injectedWeb3`. */
  constructor(name: string, entry: () => unknown, around: Surroundings) {
    this.name = name
    this.#entry = entry
    this.#around = around
  }

  async getAccounts(): Promise<Account[]> {
    return shown(withFirst(this.#accounts, this.#active()?.own))
  }

  async signMessage({ message, address }: SignMessageParams): Promise<`0x${string}`> {
    if (typeof message !== 'string') throw wrong('message')
    const bytes = new TextEncoder().encode(message)
    const data = `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
    return (await this.signRaw({ data, ...named(address) })).signature
  }

  async signRaw({ data, address }: SignRawParams): Promise<SignerResult> {
    const { account } = this.#connected(address)
    if (typeof data !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(data)) throw wrong('data')
    const asked = this.#sign('signRaw', { address: account.own, data, type: 'bytes' })
    const [answer, { isOfAccount }] = await Promise.all([asked, verifying()])
    const result = resultOf(answer, false)
    if (!isOfAccount(accountIdOf(account.address) as Uint8Array, bytesOf(data), result.signature))
      throw new Error("The signature doesn't fit this account and message. Sign again.")
    return result
  }

  async signPayload(payload: SignPayloadParams): Promise<SignerResult> {
    const given = { ...payload }
    if (typeof given.address !== 'string') throw wrong('address')
    const { account, chain } = this.#connected(given.address)
    if (typeof given.method !== 'string' || !/^0x([0-9a-f]{2})+$/i.test(given.method)) throw wrong('method')
    if (typeof given.blockHash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(given.blockHash)) throw wrong('blockHash')
    // A signature counts on the network of its genesis alone; the visitor sees another one in the widget.
    if (!isGenesisOf(given.genesisHash, chain)) throw fault(OTHER_CHAIN, 'The transaction is for another network')
    const answer = await this.#sign('signPayload', { ...given, address: account.own })
    return resultOf(answer, given.withSignedTransaction === true)
  }

  async switchNetwork(network: string): Promise<void> {
    const chain = this.#chainOf(network)
    if (chain.id === this.#connected().chain.id) return
    const accounts = accountsIn(this.#listed, chain)
    if (accounts.length === 0) throw fault(NOT_CONNECTED, `${this.name} has no account on this network for this page`)
    // The account in use stays the first in its other spelling.
    const own = this.#active()?.own
    this.#chain = chain
    this.#tell('chainChanged', chain.id)
    this.#become(withFirst(accounts, own))
  }

  /** The methods of remote Polkadot wallets, and those by which the widget connects. */
  async request({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
    const given = (params ?? {}) as Readonly<Record<string, never>>
    switch (method) {
      case 'getAccounts':
        await this.#connect(given.silent === true, given.network ?? this.#around.network())
        return this.getAccounts()
      case 'wallet_disconnect':
        return this.#disconnect()
      case 'switchNetwork':
        await this.switchNetwork(given.network as never)
        return this.#chain?.id
      case 'signRaw':
        return this.signRaw(given as unknown as SignRawParams)
      case 'signPayload':
        return this.signPayload(given as unknown as SignPayloadParams)
      case 'polkadot_signTransaction':
        return this.signPayload(given.transactionPayload as unknown as SignPayloadParams)
      case 'signMessage':
      case 'polkadot_signMessage':
        return { signature: await this.signMessage(given as unknown as SignMessageParams) }
      default:
        throw fault(UNSUPPORTED, `A Polkadot wallet has no method ${method}`)
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

  /** Connects on a network. An extension that the visitor authorised before answers without a question. */
  async #connect(silent: boolean, network: unknown): Promise<void> {
    const chain = this.#chainOf(network)
    const turn = this.#next()
    const injected = await this.#enable()
    const listed = await call(field(injected, 'accounts'), 'get')
    const accounts = accountsIn(listed, chain)
    if (turn !== this.#turn) throw fault(NOT_CONNECTED, `${this.name} was disconnected. Connect again.`)
    if (accounts.length === 0 && !silent) throw fault(NOT_CONNECTED, `${this.name} shows no account to this page`)
    this.#injected = injected
    this.#listed = listed
    this.#accounts = accounts
    this.#chain = chain
    // Without waiting: an extension that never answers here is connected all the same.
    if (accounts.length > 0) void this.#subscribe(turn)
  }

  /** Asks for access; two calls at a time share one question. */
  #enable(): Promise<unknown> {
    const entry = this.#entry()
    const way = typeof field(entry, 'connect') === 'function' ? 'connect' : 'enable'
    const asked = this.#enabling ?? call(entry, way, this.#around.origin)
    this.#enabling = asked
    const done = () => {
      if (this.#enabling === asked) this.#enabling = undefined
    }
    asked.then(done, done)
    return asked
  }

  /** Follows the extension's accounts until the next connection or the end of this one. */
  async #subscribe(turn: number): Promise<void> {
    this.#leave()
    try {
      const unsubscribe = await call(field(this.#injected, 'accounts'), 'subscribe', (listed: unknown) => {
        if (turn === this.#turn && this.#chain !== undefined && this.#accounts.length > 0)
          this.#changed(listed, this.#chain)
      })
      if (turn === this.#turn) this.#unsubscribe = unsubscribe
      else stop(unsubscribe)
    } catch {
      // An extension without a subscription tells no changes.
    }
  }

  #changed(listed: unknown, chain: PolkadotChain): void {
    let accounts: readonly InjectedAccount[] = []
    try {
      accounts = accountsIn(listed, chain)
    } catch {
      // The extension tells no account that can be used: the connection has ended.
    }
    this.#listed = listed
    this.#become(accounts)
  }

  #become(accounts: readonly InjectedAccount[]): void {
    const [before, now] = [this.#accounts, accounts].map((all) => all.map(({ address }) => address))
    this.#accounts = accounts
    if (before?.join() !== now?.join()) this.#tell('accountsChanged', shown(accounts))
  }

  /** Ends the connection in the page. The interface of extensions has no word for it: the visitor withdraws access in the extension. */
  #disconnect(): null {
    this.#next()
    this.#leave()
    this.#accounts = []
    this.#injected = undefined
    this.#listed = undefined
    return null
  }

  #leave(): void {
    stop(this.#unsubscribe)
    this.#unsubscribe = undefined
  }

  #tell(event: string, payload: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(payload as never)
  }

  #next(): number {
    this.#turn += 1
    return this.#turn
  }

  #sign(method: 'signRaw' | 'signPayload', payload: unknown): Promise<unknown> {
    return call(field(this.#injected, 'signer'), method, payload)
  }

  #chainOf(network: unknown): PolkadotChain {
    const chain = chainOf(network, this.#around.prefixes)
    if (network === undefined) throw fault(NOT_CONNECTED, 'No Polkadot network is active')
    if (chain === undefined) throw fault(UNKNOWN_CHAIN, 'Polkadot network not found')
    return chain
  }

  #of(address: string | undefined): InjectedAccount | undefined {
    return this.#accounts.find((one) => one.address === address)
  }

  /** Account in use, of those that the visitor shows. */
  #active(): InjectedAccount | undefined {
    return this.#of(this.#around.address?.()) ?? this.#accounts[0]
  }

  /** Account of an address in any spelling, or the active one, with the network of the connection. */
  #connected(address?: string): { account: InjectedAccount; chain: PolkadotChain } {
    const chain = this.#chain
    const id = address === undefined ? undefined : accountIdOf(address)
    const wanted = id && chain ? addressOf(id, chain.prefix) : undefined
    const account = address === undefined ? this.#active() : this.#of(wanted)
    if (account === undefined || chain === undefined)
      throw fault(NOT_CONNECTED, `${this.name} isn't connected with this account`)
    return { account, chain }
  }
}

/** Accounts as hosts receive them. */
function shown(accounts: readonly InjectedAccount[]): Account[] {
  return accounts.map(({ address, name }) => ({ address, ...(name === undefined ? {} : { name }) }))
}

/** The accounts, with the one that the extension knows by this address in the first place. */
function withFirst(accounts: readonly InjectedAccount[], own: string | undefined): readonly InjectedAccount[] {
  const first = accounts.find((one) => one.own === own)
  return first ? [first, ...accounts.filter((one) => one !== first)] : accounts
}

/** Fetched while the extension asks the visitor. */
const verifying = () => import('./polkadotSigned.ts')

/** Bytes of a text in hex with `0x`. */
function bytesOf(data: string): Uint8Array {
  return Uint8Array.from(data.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

const named = (address: string | undefined) => (address === undefined ? {} : { address })

function wrong(name: string): Error {
  return fault(INVALID, `The parameter ${name} has the wrong form`)
}

/** Ends a subscription. */
function stop(unsubscribe: unknown): void {
  try {
    if (typeof unsubscribe === 'function') unsubscribe()
  } catch {
    // Later answers of the extension are ignored.
  }
}

/** Signature in an extension's answer. */
function resultOf(answer: unknown, whole: boolean): SignerResult {
  const [signature, id, transaction] = [
    field(answer, 'signature'),
    field(answer, 'id'),
    field(answer, 'signedTransaction')
  ]
  // 0 is ed25519, 1 is sr25519 (MultiSignature).
  if (typeof signature !== 'string' || !/^0x(0[01])?[0-9a-f]{128}$/i.test(signature))
    throw new Error('The wallet answered without a signature')
  return {
    id: Number.isSafeInteger(id) ? (id as number) : 0,
    signature: signature.toLowerCase() as `0x${string}`,
    ...(whole && transaction !== undefined && transaction !== null
      ? { signedTransaction: transactionOf(transaction) }
      : {})
  }
}

function transactionOf(value: unknown): `0x${string}` {
  if (typeof value === 'string' && value.length <= LONGEST_TRANSACTION && /^0x([0-9a-f]{2})+$/i.test(value))
    return value as `0x${string}`
  throw new Error('The wallet answered without the signed transaction')
}
