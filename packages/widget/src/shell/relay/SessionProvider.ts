//! EIP-1193 provider over a remote session: answers from session data where possible, sends reads to a node, and the rest to the wallet.

import type { DappClient, Session } from '@portico/walletconnect/dapp'
import { field } from '../json.ts'
import { addressesOn, type Granted, grantedAmong, grantedOf, inSession, type Networks, ofToday } from './granted.ts'
import { type Listener, Listeners } from './listeners.ts'
import { areBlobHashes, areCalls, PAYS, UNATTENDED, WALLETS_OWN } from './methods.ts'
import { RpcFault } from './rpc.ts'
import { watchSilence } from './silence.ts'

export interface SessionParts {
  readonly client: Pick<DappClient, 'request' | 'ping'>
  readonly namespace: string
  readonly session: Session
  /** The host's networks, as they are now. */
  readonly networks: Networks
  /** Sends a read to a node of the chain. */
  read(chain: string, method: string, params: unknown): Promise<unknown>
  /** Brings the wallet's app to the front, within the caller's stack. */
  summon(): void
  /** Ends the session at the host's request. */
  end(): Promise<void>
  /** Whether the session's relay is connected. */
  reached(): boolean
  /** Called when a wallet with a pending request answers no ping. */
  silent(): void
}

interface RequestArguments {
  readonly method: string
  readonly params?: unknown
}

/** Error codes of EIP-1193 and EIP-3326. */
const USER_REJECTED = 4001
const UNSUPPORTED = 4200
const DISCONNECTED = 4900
const UNRECOGNIZED_CHAIN = 4902
const INVALID_PARAMS = -32602
/** WalletConnect codes with an EIP-1193 equivalent: refused, ended by the wallet, no such session. */
const translated = new Map<unknown, number>([
  [5000, USER_REJECTED],
  [6000, DISCONNECTED],
  [7001, DISCONNECTED]
])

/** Time limit in milliseconds for a wallet to update the session after it added a chain. */
const UPDATE_LIMIT = 10_000

export class SessionProvider {
  readonly #parts: SessionParts
  readonly #listeners = new Listeners()
  readonly #awaiting = new Set<() => void>()
  #session: Session
  #granted: Granted
  /** CAIP-2 id of the current chain, as the session names it. */
  #chain: string
  #gone: RpcFault | undefined
  /** Rejects pending requests when the session ends. */
  readonly #over: Promise<never>
  #end: (fault: RpcFault) => void = () => {}

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#session = parts.session
    this.#granted = grantedOf(parts.session, parts.namespace)
    const [first = `${parts.namespace}:`] = this.#granted.chains
    this.#chain = first
    this.#over = new Promise((_, reject) => {
      this.#end = reject
    })
    this.#over.catch(() => {})
  }

  get namespace(): string {
    return this.#parts.namespace
  }

  get session(): Session {
    return this.#session
  }

  /** Sets the current chain (CAIP-2), which the protocol does not have. Emits no event, as nothing has changed in the wallet. */
  stand(chain: string): void {
    const there = inSession(this.#granted, chain, this.#parts.networks)
    if (this.#granted.chains.includes(there)) this.#chain = there
  }

  async request({ method, params }: RequestArguments, caipChainId?: string): Promise<unknown> {
    if (this.#gone) throw this.#gone
    const chain = inSession(this.#granted, caipChainId ?? this.#chain, this.#parts.networks)
    switch (this.#parts.namespace === 'eip155' ? method : '') {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return addressesOn(this.#granted, chain)
      case 'eth_chainId':
        return hexOf(chain)
      case 'net_version':
        return referenceOf(chain)
      case 'wallet_switchEthereumChain':
        return this.#switch(field(field(params, 0), 'chainId'), params)
      case 'wallet_getCapabilities': {
        const told = capabilitiesOf(this.#session)
        if (told) return told
        break
      }
      case 'wallet_sendCalls':
        if (!areCalls(params))
          throw new RpcFault(INVALID_PARAMS, 'Use 0x in front of the `to` and the `data` of each call')
        break
      case 'eth_sendTransaction':
        if (!areBlobHashes(params))
          throw new RpcFault(INVALID_PARAMS, 'Each of the blobVersionedHashes is 32 bytes and starts with 0x01')
    }
    if (this.#granted.methods.has(method)) return this.#ask(chain, method, params)
    if (this.#parts.namespace !== 'eip155' || WALLETS_OWN.test(method))
      throw new RpcFault(UNSUPPORTED, `The session does not allow ${method}`)
    if (params && !Array.isArray(params)) throw new RpcFault(INVALID_PARAMS, 'Parameters are a list')
    return this.#parts.read(chain, method, params)
  }

  /** No-op while the session exists; a new session is made by the modal. */
  async connect(): Promise<void> {
    if (this.#gone) throw this.#gone
  }

  /** Ends the session for all its namespaces. */
  async disconnect(): Promise<void> {
    if (!this.#gone) await this.#parts.end()
  }

  /** Emits an event to the page's own listeners; the wallet does not receive it. */
  emit(event: string, payload?: unknown): void {
    this.#listeners.tell(event, payload)
  }

  on(event: string, listener: Listener): this {
    this.#listeners.add(event, listener)
    return this
  }

  removeListener(event: string, listener: Listener): this {
    this.#listeners.remove(event, listener)
    return this
  }

  /** Takes over a changed session, and emits the events that follow from it. */
  update(session: Session): void {
    const before = addressesOn(this.#granted, this.#chain)
    const today = ofToday(this.#chain, this.#parts.networks)
    this.#session = session
    this.#granted = grantedOf(session, this.#parts.namespace)
    this.stand(today)
    const [first] = this.#granted.chains
    if (first && !this.#granted.chains.includes(this.#chain)) this.#move(first)
    const after = addressesOn(this.#granted, this.#chain)
    if (after.join() !== before.join()) this.#listeners.tell('accountsChanged', after)
    for (const look of [...this.#awaiting]) look()
  }

  /** Handles an event from the wallet (`wc_sessionEvent`). `connect` and `disconnect` are ignored: the session itself has that state. */
  hear(name: string, data: unknown, chainId: string): void {
    switch (name) {
      case 'connect':
      case 'disconnect':
        return
      case 'chainChanged': {
        const chain = inSession(this.#granted, this.#chainNamed(data) ?? chainId, this.#parts.networks)
        if (this.#granted.chains.includes(chain)) this.#move(chain)
        return
      }
      case 'accountsChanged': {
        const named = Array.isArray(data) ? data : [data]
        const addresses = grantedAmong(this.#granted, named)
        // Accounts outside the session cannot be used.
        if (named.length === 0 || addresses.length > 0) this.#listeners.tell(name, addresses)
        return
      }
      default:
        this.#listeners.tell(name, data)
    }
  }

  /** Ends the provider: the session is over, and all pending requests reject. */
  end(): void {
    if (this.#gone) return
    this.#gone = new RpcFault(DISCONNECTED, 'The wallet ended the session')
    this.#end(this.#gone)
    this.#listeners.tell('disconnect', this.#gone)
  }

  async #ask(chainId: string, method: string, params: unknown): Promise<unknown> {
    const answer = this.#parts.client.request({ topic: this.#session.topic, chainId, method, params: params ?? [] })
    const attended = !UNATTENDED.test(method)
    // After sending the request, but still within the caller's stack: an app opens only for a visitor's own tap.
    if (attended) this.#parts.summon()
    const { lost, stop } = this.#silence(method, attended)
    try {
      return await Promise.race([answer, this.#over, lost])
    } catch (error) {
      const code = translated.get(field(error, 'code'))
      if (code === undefined) throw error
      throw new RpcFault(code, String(field(error, 'message')))
    } finally {
      stop()
    }
  }

  /** Rejects when the wallet with this request turns out to be gone. */
  #silence(method: string, attended: boolean): { lost: Promise<never>; stop: () => void } {
    const { client, reached, silent } = this.#parts
    let stop = () => {}
    const lost = new Promise<never>((_, reject) => {
      stop = watchSilence({
        reached,
        ping: () => client.ping(this.#session.topic),
        gone() {
          if (attended) silent()
          if (!PAYS.test(method)) reject(new RpcFault(DISCONNECTED, "The wallet isn't responding"))
        }
      })
    })
    return { lost, stop }
  }

  async #switch(wanted: unknown, params: unknown): Promise<null> {
    const chain = this.#chainNamed(wanted)
    if (!chain) throw new RpcFault(INVALID_PARAMS, 'A chain id is a hexadecimal number')
    if (!this.#granted.chains.includes(chain)) {
      if (!this.#granted.methods.has('wallet_switchEthereumChain'))
        throw new RpcFault(UNRECOGNIZED_CHAIN, 'The wallet did not approve this network for the session')
      await this.#ask(this.#chain, 'wallet_switchEthereumChain', params)
      // A wallet may respond before its session update arrives.
      if (!this.#granted.chains.includes(chain)) await this.#granting(chain)
    }
    this.#move(chain)
    return null
  }

  /** Resolves when the session grants a chain. */
  #granting(chain: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#awaiting.delete(look)
        reject(new RpcFault(UNRECOGNIZED_CHAIN, 'The wallet did not add this network to the session'))
      }, UPDATE_LIMIT)
      const look = () => {
        if (!this.#granted.chains.includes(chain)) return
        this.#awaiting.delete(look)
        clearTimeout(timer)
        resolve()
      }
      this.#awaiting.add(look)
    })
  }

  #move(chain: string): void {
    if (chain === this.#chain) return
    this.#chain = chain
    const { namespace, networks } = this.#parts
    this.#listeners.tell('chainChanged', namespace === 'eip155' ? hexOf(chain) : ofToday(chain, networks))
  }

  /** Chain by number, hexadecimal number or CAIP-2 id. */
  #chainNamed(value: unknown): string | undefined {
    if (typeof value === 'string' && value.includes(':')) return value
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    if (this.#parts.namespace !== 'eip155') return `${this.#parts.namespace}:${value}`
    const number = typeof value === 'string' && value === '' ? Number.NaN : Number(value)
    return Number.isSafeInteger(number) && number > 0 ? `eip155:${number}` : undefined
  }
}

function referenceOf(chain: string): string {
  return chain.slice(chain.indexOf(':') + 1)
}

function hexOf(chain: string): string {
  return `0x${Number(referenceOf(chain)).toString(16)}`
}

/** Capabilities that the wallet declared when the session was made (EIP-5792), parsed from JSON text. */
function capabilitiesOf({ sessionProperties }: Session): object | undefined {
  try {
    const told: unknown = JSON.parse(String(field(sessionProperties, 'capabilities')))
    return typeof told === 'object' ? (told ?? undefined) : undefined
  } catch {
    return undefined
  }
}
