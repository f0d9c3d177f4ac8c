//! Account of the embedded wallet on Solana as a wallet of the Wallet Standard, for libraries that take one. The visitor approves each signature
//! in the frame. The wallet is handed to the host only: it does not register itself in the page, where other scripts would find it.

import { base58, base64 } from '@scure/base'
import { standardChain } from '../../adapters/solana/chains.ts'
import type { StandardAccount, StandardWallet } from '../../adapters/standard.ts'
import { field } from '../json.ts'
import { type Listener, Listeners } from '../relay/listeners.ts'

export interface EmbeddedSolanaParts {
  /** Sends a request to the frame, for a network by its CAIP-2 id. */
  request(method: string, params: unknown, network: string | undefined): Promise<unknown>
  /** Address of the visitor who is logged in; rejects with code 4100 if nobody is. */
  address(network: string | undefined): Promise<string>
}

const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzMiAzMiI+PHJlY3Qgd2lkdGg9IjMyIiBoZWlnaHQ9IjMyIiByeD0iOCIgZmlsbD0iIzZkNGFmZiIvPjxwYXRoIGQ9Ik04IDI1VjE1YTggOCAwIDAgMSAxNiAwdjEwaC00VjE1YTQgNCAwIDAgMC04IDB2MTB6IiBmaWxsPSIjZmZmIi8+PC9zdmc+'

/** Largest message in bytes that is encoded for the frame, whose own limit is lower: base58 takes time by the square of the length. */
const LONGEST_MESSAGE = 16 * 1024

/** Largest transaction of the network, in bytes. */
const LARGEST_TRANSACTION = 1232

const FEATURES = Object.freeze(['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'])

/** Codes of EIP-1193, EIP-3085 and JSON-RPC. */
const UNAUTHORIZED = 4100
const DISCONNECTED = 4900
const UNKNOWN_CHAIN = 4902
const INVALID_PARAMS = -32602

export class EmbeddedSolanaWallet implements StandardWallet {
  readonly version = '1.0.0'
  readonly name = 'Embedded wallet'
  readonly icon = ICON
  readonly features: Readonly<Record<string, unknown>>
  readonly #parts: EmbeddedSolanaParts
  readonly #listeners = new Listeners()
  /** CAIP-2 ids of the page's Solana networks, the active one first. */
  #networks: readonly string[] = []
  #chains: readonly string[] = Object.freeze([])
  #accounts: readonly StandardAccount[] = Object.freeze([])
  /** Number of disconnections: a connection that began before the last one connects nothing. */
  #turn = 0

  constructor(parts: EmbeddedSolanaParts) {
    this.#parts = parts
    const version = '1.0.0'
    const supportedTransactionVersions = Object.freeze(['legacy', 0])
    this.features = frozen({
      'standard:connect': frozen({
        version,
        connect: (input?: unknown) => this.#connect(field(input, 'silent') === true)
      }),
      'standard:disconnect': frozen({ version, disconnect: async () => this.leave() }),
      'standard:events': frozen({ version, on: (event: string, listener: Listener) => this.#on(event, listener) }),
      'solana:signMessage': frozen({ version, signMessage: (...inputs: unknown[]) => this.#signMessages(inputs) }),
      'solana:signTransaction': frozen({
        version,
        supportedTransactionVersions,
        signTransaction: (...inputs: unknown[]) => this.#signTransactions(inputs)
      }),
      'solana:signAndSendTransaction': frozen({
        version,
        supportedTransactionVersions,
        signAndSendTransaction: (...inputs: unknown[]) => this.#sendTransactions(inputs)
      })
    })
  }

  /** Names of the page's Solana networks in the standard, that of the active network first. */
  get chains(): readonly string[] {
    return this.#chains
  }

  get accounts(): readonly StandardAccount[] {
    return this.#accounts
  }

  /** Takes over the page's Solana networks, the active one first. */
  serve(networks: readonly string[]): void {
    if (networks.join() === this.#networks.join()) return
    this.#networks = networks
    const chains = [...new Set(networks.map(standardChain))]
    if (chains.join() === this.#chains.join()) return
    this.#chains = Object.freeze(chains)
    const [account] = this.#accounts
    if (account) this.#accounts = this.#listOf(account.address)
    this.#changed(account ? { chains: this.#chains, accounts: this.#accounts } : { chains: this.#chains })
  }

  /** Takes the account from the page. The visitor stays logged in: a later connection brings it back. */
  leave(): void {
    this.#turn += 1
    if (this.#accounts.length === 0) return
    this.#accounts = Object.freeze([])
    this.#changed({ accounts: this.#accounts })
  }

  /** Gives the account of the visitor who is logged in. It asks the visitor nothing, as the login was the consent. */
  async #connect(silent: boolean): Promise<{ readonly accounts: readonly StandardAccount[] }> {
    if (this.#accounts.length > 0) return { accounts: this.#accounts }
    const turn = this.#turn
    let address: string
    try {
      address = await this.#parts.address(this.#networks[0])
    } catch (error) {
      if (silent && field(error, 'code') === UNAUTHORIZED) return { accounts: [] }
      throw error
    }
    if (turn !== this.#turn) throw disconnected()
    if (this.#accounts.length === 0) {
      this.#accounts = this.#listOf(address)
      this.#changed({ accounts: this.#accounts })
    }
    return { accounts: this.#accounts }
  }

  #on(event: string, listener: Listener): () => void {
    // A listener that is given twice is told twice, and each is ended by its own function.
    const own: Listener = (payload) => listener(payload)
    this.#listeners.add(event, own)
    return () => this.#listeners.remove(event, own)
  }

  #changed(properties: object): void {
    this.#listeners.tell('change', properties)
  }

  #listOf(address: string): readonly StandardAccount[] {
    const account = {
      address,
      /** A new array each time, so that no caller changes it for another. */
      get publicKey() {
        return base58.decode(address)
      },
      chains: this.#chains,
      features: FEATURES
    }
    return Object.freeze([frozen(account)])
  }

  /** Signs one message after the other: the visitor decides about each. */
  async #signMessages(inputs: readonly unknown[]): Promise<object[]> {
    const asked = inputs.map((input) => ({
      pubkey: this.#own(input),
      message: bytesOf(input, 'message', LONGEST_MESSAGE)
    }))
    const [network] = this.#networks
    const outputs: object[] = []
    for (const { pubkey, message } of asked) {
      const params = { pubkey, message: base58.encode(message) }
      const answer = await this.#parts.request('solana_signMessage', params, network)
      outputs.push({ signedMessage: message, signature: signatureIn(answer), signatureType: 'ed25519' })
    }
    return outputs
  }

  /** Signs the transactions of each network by one decision of the visitor. */
  async #signTransactions(inputs: readonly unknown[]): Promise<object[]> {
    const asked = inputs.map((input) => this.#transaction(input))
    const signed = new Map<(typeof asked)[number], Uint8Array>()
    for (const network of new Set(asked.map((one) => one.network))) {
      const theirs = asked.filter((one) => one.network === network)
      const texts = theirs.map(({ bytes }) => base64.encode(bytes))
      const answers =
        texts.length === 1
          ? [
              field(
                await this.#parts.request('solana_signTransaction', { transaction: texts[0] }, network),
                'transaction'
              )
            ]
          : field(
              await this.#parts.request('solana_signAllTransactions', { transactions: texts }, network),
              'transactions'
            )
      theirs.forEach((one, index) => {
        signed.set(one, signedIn(field(answers, index), one.bytes))
      })
    }
    return asked.map((one) => ({ signedTransaction: signed.get(one) }))
  }

  /** Signs and sends one transaction after the other: the visitor decides about each. An error names those that were sent before it. */
  async #sendTransactions(inputs: readonly unknown[]): Promise<object[]> {
    const asked = inputs.map((input) => ({ ...this.#transaction(input, true), options: field(input, 'options') }))
    const outputs: { signature: Uint8Array }[] = []
    for (const { bytes, network, options } of asked) {
      try {
        const params = { transaction: base64.encode(bytes), sendOptions: sendOptions(options) }
        outputs.push({
          signature: signatureIn(await this.#parts.request('solana_signAndSendTransaction', params, network))
        })
      } catch (error) {
        if (outputs.length === 0 || typeof error !== 'object' || error === null) throw error
        throw Object.assign(error, { data: { signatures: outputs.map(({ signature }) => base58.encode(signature)) } })
      }
    }
    return outputs
  }

  /** Reads an input that has a transaction. Without a chain it is for the active network, unless it has to name one. */
  #transaction(input: unknown, strict = false): { readonly bytes: Uint8Array; readonly network: string | undefined } {
    this.#own(input)
    const bytes = bytesOf(input, 'transaction', LARGEST_TRANSACTION)
    const chain = field(input, 'chain')
    return { bytes, network: chain === undefined && !strict ? this.#networks[0] : this.#network(chain) }
  }

  /** Address of the account that an input names. */
  #own(input: unknown): string {
    const [own] = this.#accounts
    if (!own) throw disconnected()
    if (field(field(input, 'account'), 'address') !== own.address)
      throw fault(UNAUTHORIZED, "The account isn't one of this wallet")
    return own.address
  }

  /** CAIP-2 id of a chain of the standard. Several of the host's own networks have one name, of which the active one is meant. */
  #network(chain: unknown): string {
    const named = this.#networks.filter((network) => standardChain(network) === chain)
    const [first] = named
    if (first === undefined || (named.length > 1 && first !== this.#networks[0]))
      throw fault(UNKNOWN_CHAIN, 'Chain is not supported')
    return first
  }
}

/** Options that the frame passes on to a node. */
function sendOptions(given: unknown): Record<string, unknown> {
  const names = ['skipPreflight', 'preflightCommitment', 'maxRetries', 'minContextSlot']
  return Object.fromEntries(
    names.flatMap((name) => (field(given, name) === undefined ? [] : [[name, field(given, name)]]))
  )
}

/** Copy of the bytes of an input: the caller may change its own while the visitor decides. */
function bytesOf(input: unknown, name: string, most: number): Uint8Array {
  const bytes = field(input, name)
  if (!(bytes instanceof Uint8Array) || bytes.length > most) throw fault(INVALID_PARAMS, `The ${name} isn't valid`)
  return Uint8Array.from(bytes)
}

/** Signature of 64 bytes in an answer of the frame. */
function signatureIn(answer: unknown): Uint8Array {
  const bytes = decoded(base58, field(answer, 'signature'))
  if (bytes?.length !== 64) throw new Error('The wallet answered without a signature')
  return bytes
}

/** Signed transaction in an answer of the frame; it has to be the one that was asked for. */
function signedIn(answer: unknown, asked: Uint8Array): Uint8Array {
  const bytes = decoded(base64, answer)
  if (bytes?.length !== asked.length || messageIn(bytes).join() !== messageIn(asked).join())
    throw new Error('The wallet answered with another transaction')
  return bytes
}

/** Message behind the signatures, whose number is one byte below 128. */
function messageIn(transaction: Uint8Array): Uint8Array {
  return transaction.subarray(1 + 64 * (transaction[0] ?? 0))
}

function decoded(coder: { decode(text: string): Uint8Array }, text: unknown): Uint8Array | undefined {
  try {
    return coder.decode(text as string)
  } catch {
    return undefined
  }
}

function frozen<T extends object>(given: T): Readonly<T> {
  return Object.freeze(given)
}

function disconnected(): Error {
  return fault(DISCONNECTED, 'The embedded wallet is disconnected')
}

function fault(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}
