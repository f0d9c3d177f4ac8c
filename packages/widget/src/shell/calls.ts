//! Public methods that need the core. They are fetched with it. One class in one file: hosts call them on one object, and all share its state.

import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import type {
  AccountKind,
  AccountState,
  Connector,
  ConnectorGroup,
  ConnectorKind,
  CoreEvent,
  EmbeddedEvent,
  Item,
  Variant
} from '../generated/core.ts'
import type { DraftWallet } from '../host/draft.ts'
import type { Read } from '../host/elements/define.ts'
import type { Engine } from '../host/engine.ts'
import type {
  AppKitNetwork,
  CaipNetwork,
  ChainNamespace,
  CreateAppKit,
  OpenOptions,
  OpenView
} from '../host/options.ts'
import type { PorticoError } from '../host/PorticoError.ts'
import {
  accountState,
  type ConnectedAccount,
  type ConnectorInfo,
  type Providers,
  type WalletInfo
} from '../host/select.ts'
import { accountButton } from './accountButton.ts'
import type { ConnectionResult, ConnectionState, DeleteOptions, SeveralWallets, SwitchOptions } from './connections.ts'
import { optionsToJson } from './describe.ts'
import { field } from './json.ts'
import { discoverWallets } from './listen/providers.ts'
import { networkMark } from './networkMark.ts'
import type { Page } from './page.ts'
import type { UniversalProvider } from './relay/universal.ts'
import { Tickets } from './tickets.ts'

/** Native balance in whole coins: `{ balance: '1.5', symbol: 'ETH' }`. */
export interface NativeBalance {
  readonly balance: string
  readonly symbol: string
}

/** Groups of the wallet directory: `connect` accepts the ids of reachable ones, but they are not connectors. */
const elsewhere: ReadonlySet<ConnectorGroup> = new Set(['featured', 'custom', 'recommended'])

export class Calls {
  readonly tickets: Tickets
  /** Alerts reported so far, by key. */
  readonly reportedAlerts: Record<string, boolean> = {}
  readonly #engine: Engine
  readonly #page: Page
  readonly #error: typeof PorticoError
  readonly #dispatch: (event: CoreEvent) => void
  #several: SeveralWallets | undefined
  #fetched: Promise<SeveralWallets> | undefined

  constructor(engine: Engine, page: Page, error: typeof PorticoError, dispatch: (event: CoreEvent) => void) {
    this.tickets = new Tickets(error)
    this.#engine = engine
    this.#page = page
    this.#error = error
    this.#dispatch = dispatch
  }

  // The modal

  async open(options?: OpenOptions | null): Promise<unknown> {
    const { view, namespace, uri, arguments: given } = options ?? {}
    if (this.#engine.headless) {
      if (given) throw new this.#error('invalidArgument', 'Pass arguments to open only with a modal')
      return
    }
    this.placed()
    return this.ask((ticket) => ({
      feature: 'modal',
      event: {
        type: 'openAsked',
        view: text(view),
        namespace: text(namespace),
        uri: text(uri),
        arguments: given ? { ...given, amount: amount(given.amount) } : null,
        ticket
      }
    }))
  }

  /** Throws if the modal's element is not in the page. It also logs to the console, because the buttons ignore rejections. */
  placed(): void {
    const { stage } = this.#engine
    // The page may have removed the element since the call was made.
    stage?.join()
    if (stage?.host.isConnected !== false) return
    const message = 'No w3m-modal element found. Add one to the page.'
    this.#engine.log(message)
    throw new this.#error('noModal', message)
  }

  close(): void {
    this.#dispatch({ feature: 'modal', event: { type: 'closeAsked' } })
  }

  /** Opens another view of the open modal; "back" returns to the current one. */
  redirect(view: OpenView): void {
    this.#dispatch({ feature: 'modal', event: { type: 'redirectAsked', view: String(view) } })
  }

  /** Opens another view in place of the current one, which "back" then skips. */
  async replace(view: OpenView): Promise<void> {
    this.#dispatch({ feature: 'modal', event: { type: 'replaceAsked', view: String(view) } })
  }

  setLoading(loading: boolean): void {
    this.#dispatch({ feature: 'modal', event: { type: 'loadingSet', loading: loading === true } })
  }

  /** Shows an error message in the modal, or over the page when it is closed. */
  showErrorMessage(text: string): void {
    this.#say('error', text)
  }

  /** Shows a success message in the modal, or over the page when it is closed. */
  showSuccessMessage(text: string): void {
    this.#say('success', text)
  }

  /** Shows that the host works. The message stays until the next one, or until the visitor closes it; with `autoClose` it closes by itself. */
  showLoadingMessage(text: string, options?: { readonly autoClose?: boolean }): void {
    this.#say('loading', text, options?.autoClose === true)
  }

  #say(variant: Variant, text: string, autoClose: boolean | null = null): void {
    this.#dispatch({ feature: 'notice', event: { type: 'hostSaid', variant, text: String(text), autoClose } })
  }

  // Connections

  async connect(options?: ConnectOptions | null): Promise<ConnectedAccount> {
    const { connector: given, connectorId, jwt } = options ?? {}
    const connector = text(given?.id ?? connectorId)
    const namespace = text(options?.namespace ?? given?.chain)
    if (jwt !== undefined) {
      if (connector !== 'AUTH' || this.#engine.headless || typeof jwt !== 'string')
        throw new this.#error('invalidArgument', 'Use a jwt only with connector AUTH and a modal')
      return this.ask((ticket) => ({ feature: 'embedded', event: { type: 'jwtGiven', jwt, ticket } }))
    }
    if (connector === null && this.#engine.headless)
      throw new this.#error('invalidArgument', 'Pass a connectorId to connect without a modal')
    if (connector === null) this.placed()
    return this.ask((ticket) => ({
      feature: 'connect',
      event: { type: 'connectAsked', connector, namespace, ticket }
    }))
  }

  /**
   * Connects the wallet that the visitor chose before the core had loaded; `asked` is its account request, already sent. It connects the
   * provider that was shown, even if another wallet has its id now. If the provider is gone, the list stays.
   */
  async choose({ id, provider }: DraftWallet, asked?: Promise<unknown>): Promise<void> {
    const theirs = this.getConnectors().filter((one) => one.provider === provider)
    const chosen = theirs.find((one) => one.id === id) ?? (provider && theirs[0])
    if (!chosen) return
    this.#page.handed = asked
    this.#dispatch({ feature: 'connect', event: { type: 'walletChosen', connector: chosen.id } })
    // A request that the core did not use must not answer a later choice.
    this.#page.handed = undefined
  }

  /**
   * Connections of a namespace, or of all; none, with an alert, while `features.multiWallet` is off. Its code is fetched by the first call,
   * which returns nothing yet; the subscribers of the store are told when it is there.
   */
  getConnections(namespace?: ChainNamespace): ConnectionState | undefined {
    if (!this.#fetched) this.#severalWallets().catch(this.#engine.log)
    return this.#several?.state(namespace)
  }

  /** Uses another wallet that was used before, or another account of a connected one. */
  async switchConnection(options: SwitchOptions): Promise<ConnectionResult> {
    return (this.#several ?? (await this.#severalWallets())).switchTo(options)
  }

  /** Forgets an account of a wallet that was used before, in the active namespace by default. */
  async deleteConnection(options: DeleteOptions, namespace?: ChainNamespace): Promise<ConnectionResult> {
    return (this.#several ?? (await this.#severalWallets())).delete(options, namespace)
  }

  /** Fetches the code once: a browser does not fetch a module again that failed. */
  #severalWallets(): Promise<SeveralWallets> {
    this.#fetched ??= import('./connections.ts').then(({ SeveralWallets }) => {
      this.#several = new SeveralWallets(this, this.#engine, this.#error, this.#dispatch)
      this.#several.tell()
      return this.#several
    })
    return this.#fetched
  }

  /** Passes an event to the core, for the parts of the package that are no method of the modal. Not for hosts. */
  tell(event: CoreEvent): void {
    this.#dispatch(event)
  }

  async disconnect(wanted?: ChainNamespace | DisconnectOptions): Promise<void> {
    const { id, namespace } = typeof wanted === 'object' ? (wanted ?? {}) : { namespace: wanted }
    if (![id, namespace].every((one) => one === undefined || typeof one === 'string'))
      throw new this.#error('invalidArgument', 'Pass disconnect a namespace, { id, namespace } or nothing')
    if (id) {
      const { accounts } = this.#snapshot.account
      const theirs = accounts.filter((one) => one.connector === id && one.namespace === (namespace ?? one.namespace))
      await Promise.all(theirs.map((one) => this.disconnect(one.namespace)))
      return
    }
    return this.ask((ticket) => ({
      feature: 'connect',
      event: { type: 'disconnectAsked', namespace: text(namespace), ticket }
    }))
  }

  // Account and wallet

  getWalletInfo(namespace?: ChainNamespace): WalletInfo | undefined {
    const account = accountState(this.#snapshot, namespace)
    const wallet = account?.connectedWalletInfo
    if (!wallet) return undefined
    const { name, type, identifier } = wallet
    return {
      name,
      type,
      identifier,
      rdns: identifier,
      social: account.socialProvider ?? undefined,
      icon: this.#picture(wallet)
    }
  }

  /** Picture of a wallet: the host's, else the announced one, where it may be drawn. */
  #picture({ imageUrl, icon, handle }: Pick<Item, 'imageUrl' | 'icon' | 'handle'>): string | undefined {
    return imageUrl ?? (icon ? this.#page.icons.get(handle) : undefined)
  }

  /** Reads the native balance of the active account from the chain. */
  fetchBalance(): Promise<NativeBalance> {
    return this.ask((ticket) => ({ feature: 'account', event: { type: 'refreshAsked', ticket } }))
  }

  /** Reads the native balance of any account, also given as CAIP-10, on a configured network. Only the active account's balance is stored. */
  updateNativeBalance(address: string, chainId: string | number, namespace?: ChainNamespace): Promise<NativeBalance> {
    if (address === undefined) return this.fetchBalance()
    const event = { type: 'balanceAsked', address: String(address), chain: String(chainId) } as const
    return this.ask((ticket) => ({ feature: 'account', event: { ...event, namespace: text(namespace), ticket } }))
  }

  /** Appearance of the account button. */
  accountButton(read: Read): ReturnType<typeof accountButton> {
    return accountButton(this.#snapshot, read, this.#engine.labels.wrong)
  }

  /** Mark of the active network, for which the host gave no picture. */
  networkMark(): Element | string {
    const { active, unsupported } = this.#snapshot.network
    return active && unsupported === null ? networkMark(active.caipNetworkId) : ''
  }

  getPreferredAccountType(namespace?: ChainNamespace): AccountKind | undefined {
    return accountState(this.#snapshot, namespace)?.preferredAccountTypes
  }

  /**
   * Asks the embedded wallet for another kind of account on EVM chains; the choice is kept for later logins. Rejects with the wallet's reason if it
   * has no account of that kind, and `eoa` is preferred from then on (spec 4.23).
   */
  async setPreferredAccountType(type: AccountKind, namespace: ChainNamespace = 'eip155'): Promise<void> {
    if (namespace !== 'eip155') throw new TypeError('The kind of account can be chosen on EVM chains (eip155) only')
    this.setLoading(true)
    try {
      const payload = { type: String(type) }
      await this.askEmbedded((ticket) => ({ type: 'methodCalled', method: 'setPreferredAccount', payload, ticket }))
    } finally {
      this.setLoading(false)
    }
  }

  /** Sets a display name for an address, which may be CAIP-10. */
  addAddressLabel(address: string, label: string, namespace?: ChainNamespace): Promise<void> {
    return this.#label(address, String(label), namespace)
  }

  removeAddressLabel(address: string, namespace?: ChainNamespace): Promise<void> {
    return this.#label(address, null, namespace)
  }

  #label(address: string, label: string | null, namespace?: ChainNamespace): Promise<void> {
    const event = { type: 'labelSet', namespace: text(namespace), address: String(address), label } as const
    return this.ask((ticket) => ({ feature: 'account', event: { ...event, ticket } }))
  }

  // Networks

  /** Networks that a remote session approved; `undefined` for a browser wallet, which may use any. */
  getApprovedCaipNetworkIds(): readonly string[] | undefined {
    const { chains, activeNamespace } = this.#snapshot.network
    const state = chains.find((chain) => chain.namespace === activeNamespace)?.networkState
    return state?.supportsAllNetworks === false ? state.approvedCaipNetworkIds : undefined
  }

  getDisabledCaipNetworks(): CaipNetwork[] {
    const approved = this.getApprovedCaipNetworkIds()
    const { networks, activeNamespace } = this.#snapshot.network
    const disabled = networks.filter(
      ({ caipNetworkId, chainNamespace }) => chainNamespace === activeNamespace && !approved?.includes(caipNetworkId)
    )
    return approved ? disabled.flatMap(({ caipNetworkId }) => this.#engine.networks.get(caipNetworkId) ?? []) : []
  }

  /** Switches the network, in a connected wallet too. It rejects on failure only with `throwOnFailure`. */
  async switchNetwork(network: AppKitNetwork, options: { readonly throwOnFailure?: boolean } = {}): Promise<void> {
    try {
      await this.ask((ticket) => ({ feature: 'network', event: { type: 'switchAsked', network, ticket } }))
    } catch (error) {
      if (options.throwOnFailure) throw error
    }
  }

  /** Switches back to the namespace's initial network: the default network, else its first. */
  async resetNetwork(namespace: ChainNamespace): Promise<void> {
    const { defaultNetwork } = this.#engine.options
    const theirs = this.#snapshot.network.networks.filter((one) => one.chainNamespace === namespace)
    const first = theirs.find((one) => one.id === String(defaultNetwork?.id)) ?? theirs[0]
    const network = first && this.#engine.networks.get(first.caipNetworkId)
    if (network) await this.switchNetwork(network)
  }

  /** Adds a network. Rejects if no adapter serves the namespace (spec 4.22). */
  async addNetwork(namespace: ChainNamespace, network: AppKitNetwork): Promise<void> {
    const whole = { chainNamespace: namespace, ...network }
    // Stored first: subscribers are notified before this call resolves, and may read the host's object then.
    const added = this.#engine.remember(whole)
    try {
      await this.ask((ticket) => ({
        feature: 'network',
        event: { type: 'networkAdded', namespace: String(namespace), network: whole, ticket }
      }))
    } catch (error) {
      if (added) this.#engine.networks.delete(added)
      throw error
    }
  }

  /** Removes a network. Rejects if it does not exist, or no adapter serves the namespace (spec 4.22). */
  async removeNetwork(namespace: ChainNamespace, id: string | number): Promise<void> {
    await this.ask((ticket) => ({
      feature: 'network',
      event: { type: 'networkRemoved', namespace: String(namespace), id: String(id), ticket }
    }))
    const { networks } = this.#engine
    for (const [caip, one] of networks)
      if (one.chainNamespace === namespace && [caip, String(one.id)].includes(String(id))) networks.delete(caip)
  }

  /**
   * Removes the adapter of a namespace with its networks, and disconnects its wallet; another namespace becomes active. Rejects if there is
   * no such adapter (spec 4.19, 4.22).
   */
  async removeAdapter(namespace: ChainNamespace): Promise<void> {
    await this.ask((ticket) => ({
      feature: 'network',
      event: { type: 'adapterRemoved', namespace: String(namespace), ticket }
    }))
    const engine = this.#engine
    const adapters = Object.values(engine.options.adapters ?? [])
    const left = adapters.filter((adapter) => field(adapter, 'namespace') !== namespace)
    engine.options = { ...engine.options, adapters: left }
    for (const [caip, one] of engine.networks) if (one.chainNamespace === namespace) engine.networks.delete(caip)
  }

  // Providers and connectors

  /** EIP-1193 provider of the connected wallet. */
  getProvider<T = Eip1193Provider>(namespace?: ChainNamespace): T | undefined {
    return this.#page.providers.get(this.#wallet(namespace)?.handle ?? '') as T | undefined
  }

  #wallet(namespace?: ChainNamespace): AccountState['connectedWalletInfo'] | undefined {
    return accountState(this.#snapshot, namespace)?.connectedWalletInfo
  }

  getWalletProvider<T = Eip1193Provider>(): T | undefined {
    return this.getProvider<T>()
  }

  getProviderType(namespace?: ChainNamespace): ConnectorKind | undefined {
    return this.#wallet(namespace)?.type
  }

  getWalletProviderType(): ConnectorKind | undefined {
    return this.getProviderType()
  }

  getProviders(): Providers {
    const entries = this.#namespaces().map((namespace) => [namespace, this.getProvider(namespace)])
    return Object.fromEntries(entries.filter(([, provider]) => provider))
  }

  /** Handles of the providers of all namespaces. */
  handles(): string[] {
    return this.#namespaces().flatMap((namespace) => this.#wallet(namespace)?.handle ?? [])
  }

  #namespaces(): ChainNamespace[] {
    return this.#snapshot.account.accounts.map(({ namespace }) => namespace)
  }

  /** WalletConnect provider, or the host's own; `undefined` if no relay is configured. Its code is fetched with the first call. */
  async getUniversalProvider(): Promise<UniversalProvider | undefined> {
    const { universalProvider } = this.#engine.options
    return universalProvider ? (universalProvider as UniversalProvider) : this.#page.universal()
  }

  /** Discards the current pairing, and makes a new QR code. */
  resetWcConnection(): void {
    this.#dispatch({ feature: 'connect', event: { type: 'pairingRetryAsked' } })
  }

  getConnectors(): ConnectorInfo[] {
    const { groups, connectors } = this.#snapshot.wallets
    const items = groups.flatMap(({ kind, items }) => (elsewhere.has(kind) ? [] : items))
    // No entry of the list, as a visitor logs in; a host may lead that itself, by the provider. Without a modal there is no frame.
    const login = this.#engine.headless ? [] : connectors.filter(({ type }) => type === 'AUTH')
    return [...items, ...login].map((item) => this.connectorOf(item))
  }

  /** Connector of a row, or itself. */
  connectorOf(item: Item | Connector): ConnectorInfo {
    const { connectors } = this.#snapshot.wallets
    const connector = connectors.find((one) => one.handle === item.handle && one.id === item.id)
    return {
      id: item.id,
      name: item.name,
      type: connector?.type ?? 'WALLET_CONNECT',
      chain: connector?.chain,
      imageUrl: this.#picture(item),
      imageId: connector?.imageId ?? undefined,
      explorerId: connector?.explorerId ?? undefined,
      info: connector?.rdns ? { rdns: connector.rdns } : undefined,
      provider: this.#page.providers.get(item.handle),
      connectors: []
    }
  }

  /** Calls back when a wallet appears or leaves, or announces itself in a further namespace. Resolves with a function that ends that. */
  async subscribeConnectors(tell: (connectors: ConnectorInfo[]) => void): Promise<() => void> {
    let last = this.#snapshot.wallets
    return this.#engine.store.subscribe(() => {
      const { wallets } = this.#snapshot
      if (wallets === last) return
      last = wallets
      try {
        tell(this.getConnectors())
      } catch (error) {
        this.#engine.log(error)
      }
    })
  }

  /** Picture of a wallet. */
  getConnectorImage(connector: { readonly id: string } | null): string | undefined {
    return this.getConnectors().find((one) => one.id === connector?.id)?.imageUrl
  }

  /** Read of a chain for a library that uses a session's provider. Resolves with the JSON-RPC response of a node. */
  readChain(chain: string, method: string, params: unknown): Promise<unknown> {
    return this.ask((ticket) => ({
      feature: 'account',
      event: { type: 'readAsked', chain, method: String(method), params: Array.isArray(params) ? params : [], ticket }
    }))
  }

  /** Request to the embedded wallet's provider, or call of one of its methods. */
  askEmbedded(event: (ticket: number) => EmbeddedEvent): Promise<unknown> {
    return this.ask((ticket) => ({ feature: 'embedded', event: event(ticket) }))
  }

  /** Account of the embedded wallet on Solana; none once it left the page. */
  tellOnSolana(accounts: readonly string[]): void {
    this.#dispatch({ feature: 'connect', event: { type: 'loginToldOnSolana', accounts } })
  }

  // Options

  change(options: Partial<CreateAppKit>): void {
    const { themeMode, themeVariables, features, ...rest } = options
    if (themeMode || themeVariables)
      this.#config({ type: 'themeChanged', mode: themeMode ?? null, variables: themeVariables ?? null })
    if (features) this.#config({ type: 'featuresChanged', features })
    if (Object.keys(rest).length === 0) return
    this.#config({ type: 'optionsChanged', options: optionsToJson(this.#engine.options) })
    discoverWallets(this.#page, this.#dispatch)
  }

  #config(event: Extract<CoreEvent, { feature: 'config' }>['event']): void {
    this.#dispatch({ feature: 'config', event })
  }

  get #snapshot() {
    return this.#engine.store.get()
  }

  /** Dispatches an event of the host, and resolves with the core's answer. */
  ask<T>(event: (ticket: number) => CoreEvent): Promise<T> {
    const { ticket, promise } = this.tickets.take<T>()
    this.#dispatch(event(ticket))
    return promise
  }
}

export interface ConnectOptions {
  /** One of `getConnectors()`, or one of the `connectors` of its `MULTI_CHAIN` type. Instead of a `connectorId`. */
  readonly connector?: Pick<ConnectorInfo, 'id' | 'chain'>
  /** Id of a connector. That of a `MULTI_CHAIN` one asks the visitor for the namespace, unless `namespace` names it. */
  readonly connectorId?: string
  readonly namespace?: ChainNamespace
  /** Token of your own server that logs its visitor in to the embedded wallet, without a question; with the `connectorId` "AUTH". */
  readonly jwt?: string
}

export interface DisconnectOptions {
  /** Disconnects only if this connector is connected. */
  readonly id?: string
  readonly namespace?: ChainNamespace
}

/** Amount as given; a bigint becomes text. The core expands numbers such as `1e-7`. */
function amount(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : (value ?? undefined)
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
