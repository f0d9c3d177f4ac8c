//! Provider of the embedded wallet: requests of EIP-1193, and the methods by which a host leads a login in a form of its own. What is taken, and
//! what the visitor approves, is decided by the core.

import type { EmbeddedMethod } from '../../generated/core.ts'
import type { CreateAppKit, Metadata, ThemeMode, ThemeVariables } from '../../host/options.ts'
import { field } from '../json.ts'
import { readStorage } from '../perform/storage.ts'
import { type Listener, Listeners } from '../relay/listeners.ts'

interface RequestArguments {
  readonly method: string
  readonly params?: unknown
}

/** User of the embedded wallet. */
export interface EmbeddedUser {
  readonly email?: string | null
  readonly address: string
  /** Number of an EVM network, or the CAIP-2 id of a Solana network. */
  readonly chainId: number | string
  readonly accounts: readonly { readonly address: string; readonly type: 'eoa' | 'smartAccount' }[]
  /** Name at another service, and the word of that service; absent for a login by e-mail. */
  readonly userName?: string | null
  readonly provider?: string | null
  readonly smartAccountDeployed?: boolean | null
  readonly preferredAccountType?: 'eoa' | 'smartAccount' | null
}

/** Next step of a login: `number` is what the page of the mail's link shows too. */
export interface EmailStep {
  readonly action: 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'
  readonly number?: string
}

/** Stops listening. */
type Stop = () => void

export interface EmbeddedParts {
  /** Sends a request to the core. */
  request(method: string, params: unknown, chain: string | null): Promise<unknown>
  /** Calls a method of the core. */
  call(method: EmbeddedMethod, payload: unknown): Promise<unknown>
  /** Address of the embedded wallet's connected account. */
  address(): string | undefined
  /** Numbers of the EVM networks of the page. */
  chains(): readonly number[]
  /** Changes options of the page. */
  change(options: Partial<CreateAppKit>): void
  /** Ends the session at the host's request. */
  disconnect(): Promise<void>
  log(...what: readonly unknown[]): void
}

/** EIP-1193 code: the method is not supported. */
const UNSUPPORTED = 4200

export class EmbeddedProvider {
  readonly #parts: EmbeddedParts
  readonly #listeners = new Listeners()
  /** Listeners of `onConnect` and its like, apart from the events of EIP-1193, one of which is called "connect" too. */
  readonly #own = new Listeners()

  constructor(parts: EmbeddedParts) {
    this.#parts = parts
  }

  /** `chain` is the CAIP-2 id of the network: by default the EVM network in use, and for `solana_` methods the page's Solana network. */
  async request(args: RequestArguments, chain?: string): Promise<unknown> {
    const { method, params } = args
    this.#own.tell('rpcRequest', args)
    try {
      const answer = await this.#parts.request(String(method), hexed(params ?? null), chain ? String(chain) : null)
      if (method === 'wallet_switchEthereumChain')
        this.#listeners.tell('chainChanged', field(field(params, 0), 'chainId'))
      this.#own.tell('rpcSuccess', [answer, args])
      return answer
    } catch (error) {
      // A method that is not accepted is a mistake of the page (spec 4.41).
      if (field(error, 'code') === UNSUPPORTED) this.#parts.log(error, method)
      this.#own.tell('rpcError', error)
      throw error
    }
  }

  // The frame

  /** Loads the frame, and asks it whether an earlier session goes on. */
  async init(): Promise<void> {
    await this.isConnected()
  }

  /** Starts the frame anew: what waits in it is withdrawn, and the session goes on. */
  async reload(): Promise<void> {
    const before = this.#parts.address()
    await this.#call('reload')
    if (!before) return
    const user = await this.#call<EmbeddedUser>('getUser').catch(() => undefined)
    if (user) this.#tellMoved(before, user)
  }

  /** Another tab of the page may have logged another visitor in. */
  #tellMoved(before: string | undefined, { address }: EmbeddedUser): void {
    if (before && before !== address) this.#listeners.tell('accountsChanged', [address])
  }

  /** Changes the theme of modal and frame. */
  async syncTheme(theme?: { readonly themeMode?: ThemeMode; readonly themeVariables?: ThemeVariables }): Promise<void> {
    const { themeMode, themeVariables } = theme ?? {}
    this.#parts.change({ ...(themeMode && { themeMode }), ...(themeVariables && { themeVariables }) })
    await this.#call('syncTheme')
  }

  /** Changes what the page says of itself. The project and the version are those of the widget. */
  async syncDappData(data?: { readonly metadata?: Metadata }): Promise<void> {
    if (data?.metadata) this.#parts.change({ metadata: data.metadata })
    await this.#call('syncDappData')
  }

  // Logins

  /** Sends the mail of a login. */
  async connectEmail(payload: { readonly email: string }): Promise<EmailStep> {
    const step = await this.#call('connectEmail', payload)
    // On a device with a session the account is connected at once.
    return field(step, 'action') ? (step as EmailStep) : { action: 'CONNECT' }
  }

  /** Waits for the visitor's approval of this device, by the link of the mail; half a minute, after which it may be called again. */
  async connectDevice(): Promise<void> {
    await this.#call('connectDevice')
  }

  /** Gives the code of the mail; resolves once the account is connected. */
  async connectOtp(payload: { readonly otp: string }): Promise<void> {
    await this.#call('connectOtp', payload)
  }

  /** Connects the account of a session that the frame has already. */
  async connect(payload?: { readonly chainId?: number | string }): Promise<EmbeddedUser> {
    await this.#call('connect')
    return this.getUser(payload)
  }

  /** Begins a login at a service; the page leads a window to this address. */
  getSocialRedirectUri(payload: { readonly provider: string }): Promise<{ readonly uri: string }> {
    return this.#call('getSocialRedirectUri', payload)
  }

  /** Ends a login at a service, with the address that the window handed over; resolves once the account is connected. */
  async connectSocial(payload: { readonly uri: string }): Promise<EmbeddedUser> {
    await this.#call('connectSocial', payload)
    return this.getUser()
  }

  /** Begins a login at Farcaster; the page shows this address as a code or a link. */
  getFarcasterUri(): Promise<{ readonly url: string }> {
    return this.#call('getFarcasterUri')
  }

  /** Waits for the visitor's signature in the app of Farcaster; resolves once the account is connected. */
  async connectFarcaster(): Promise<{ readonly userName: string }> {
    await this.#call('connectFarcaster')
    return { userName: (await this.getUser()).userName ?? '' }
  }

  /** Adds the login of your site to the wallet, by a token of your server; resolves once the visitor agreed to it in the settings. */
  async addLogin(payload: { readonly jwt: string }): Promise<void> {
    await this.#call('addLogin', payload)
  }

  /** Ends the session of the embedded wallet. */
  async disconnect(): Promise<void> {
    if (this.#parts.address()) await this.#parts.disconnect()
    else await this.#call('signOut')
  }

  // The account

  isConnected(): Promise<{ readonly isConnected: boolean }> {
    return this.#call('isConnected')
  }

  getChainId(): Promise<{ readonly chainId: number }> {
    return this.#call('getChainId')
  }

  /** Reads the user. With a `chainId` it switches the network first; that of a Solana network asks for the account there, and switches nothing. */
  async getUser(payload?: { readonly chainId?: number | string }): Promise<EmbeddedUser> {
    const named = String(payload?.chainId)
    if (named.startsWith('solana:')) return this.#call('getUser', { chainId: named })
    if (payload?.chainId !== undefined) await this.switchNetwork({ chainId: payload.chainId })
    const before = this.#parts.address()
    const user = await this.#call<EmbeddedUser>('getUser')
    this.#tellMoved(before, user)
    return user
  }

  /** Switches to a network of the page: its number, its number as text, or its CAIP-2 id. */
  async switchNetwork({ chainId }: { readonly chainId: number | string }): Promise<{ readonly chainId: number }> {
    const number = Number(String(chainId).replace(/^eip155:/, ''))
    const hex = Number.isSafeInteger(number) ? `0x${number.toString(16)}` : chainId
    await this.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hex }] })
    return { chainId: number }
  }

  setPreferredAccount(type: 'eoa' | 'smartAccount'): Promise<{ readonly type: string; readonly address: string }> {
    return this.#call('setPreferredAccount', { type })
  }

  /** Chains with smart accounts; none if the frame does not say (spec 7.25). */
  async getSmartAccountEnabledNetworks(): Promise<{ readonly smartAccountEnabledNetworks: readonly number[] }> {
    const told = await this.#call('getSmartAccountEnabledNetworks').catch(() => undefined)
    const chains = field(told, 'smartAccountEnabledNetworks')
    return { smartAccountEnabledNetworks: Array.isArray(chains) ? chains : [] }
  }

  /** What the wallet can do on each chain (EIP-5792). */
  getCapabilities(): Promise<unknown> {
    return this.request({ method: 'wallet_getCapabilities', params: [this.#parts.address()] })
  }

  /** Withdraws the request that the visitor decides about. */
  async rejectRpcRequests(): Promise<void> {
    await this.#call('rejectRpcRequests')
  }

  getLoginEmailUsed(): boolean {
    return stored('EMAIL_LOGIN_USED_KEY') === 'true'
  }

  getEmail(): string | undefined {
    return stored('EMAIL')
  }

  getUsername(): string | undefined {
    return stored('SOCIAL_USERNAME')
  }

  getLastUsedChainId(): number | undefined {
    const chain = stored('LAST_USED_CHAIN_KEY')
    return chain === undefined ? undefined : Number(chain.replace(/^eip155:/, ''))
  }

  getAvailableChainIds(): readonly number[] {
    return this.#parts.chains()
  }

  // Change of the address

  /**
   * Begins a change of the address, by a mail to the present one. It goes on while the visitor looks at the modal's form, which tells it. If the
   * visitor begins a change there, that one replaces it: the call that waits and later steps reject with "The visitor began this in the modal"
   * (code 4001).
   */
  updateEmail(payload: {
    readonly email: string
  }): Promise<{ readonly action: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP' }> {
    return this.#call('updateEmail', payload)
  }

  /** Gives the code of the present address; a mail goes to the new one. */
  async updateEmailPrimaryOtp(payload: { readonly otp: string }): Promise<void> {
    await this.#call('updateEmailPrimaryOtp', payload)
  }

  /** Gives the code of the new address. */
  updateEmailSecondaryOtp(payload: { readonly otp: string }): Promise<{ readonly newEmail: string }> {
    return this.#call('updateEmailSecondaryOtp', payload)
  }

  // Listeners; each call returns a function that ends it

  /** A request of the page or of the widget begins. */
  onRpcRequest(listener: (request: RequestArguments) => void): Stop {
    return this.#hear('rpcRequest', listener)
  }

  onRpcSuccess(listener: (answer: unknown, request: RequestArguments) => void): Stop {
    return this.#hear('rpcSuccess', ([answer, request]: [unknown, RequestArguments]) => listener(answer, request))
  }

  onRpcError(listener: (error: Error) => void): Stop {
    return this.#hear('rpcError', listener)
  }

  /** The session of an earlier page goes on. */
  onIsConnected(listener: (user: EmbeddedUser) => void): Stop {
    return this.#hear('isConnected', listener)
  }

  /** There is no session, or none any more. */
  onNotConnected(listener: () => void): Stop {
    return this.#hear('notConnected', listener)
  }

  /** The visitor logged in, here or in the modal, and the account is connected. */
  onConnect(listener: (user: EmbeddedUser) => void): Stop {
    return this.#hear('connect', listener)
  }

  /** The visitor logged in at another service. */
  onSocialConnected(listener: (user: EmbeddedUser) => void): Stop {
    return this.#hear('socialConnected', listener)
  }

  onSetPreferredAccount(listener: (choice: { readonly type: string; readonly address: string }) => void): Stop {
    return this.#hear('setPreferredAccount', listener)
  }

  /** Tells the listeners of `onConnect` and its like. */
  tell(event: string, payload: unknown): void {
    this.#own.tell(event, payload)
  }

  // Events of EIP-1193

  /** Emits an event to the page's own listeners. */
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

  #call<T = unknown>(method: EmbeddedMethod, payload: unknown = null): Promise<T> {
    return this.#parts.call(method, payload ?? null) as Promise<T>
  }

  #hear(event: string, listener: Listener): Stop {
    // A listener that is given twice is told twice, and each is ended by its own function.
    const own: Listener = (payload) => listener(payload)
    this.#own.add(event, own)
    return () => this.#own.remove(event, own)
  }
}

/** Entry of the login in the page's storage, where the core writes and removes it. */
function stored(name: string): string | undefined {
  return readStorage([`@appkit-wallet/${name}`])[0]?.value
}

/** Parameters with their bigint values as hexadecimal numbers, which is how methods of EVM wallets take numbers. */
function hexed(value: unknown): unknown {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`
  if (Array.isArray(value)) return value.map(hexed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.keys(value).map((name) => [name, hexed(field(value, name))]))
}
