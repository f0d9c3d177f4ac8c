//! What a host may call, whole. Longer than other files because it is one class; its methods hold no rule.

import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import type { ConnectorKind, CoreEvent, Network } from '../generated/core.ts'
import { currentAppKit, setCurrent } from './current.ts'
import { Engine, flat } from './engine.ts'
import { type EventsState, guarded, type TrackedEvent } from './events.ts'
import type {
  AppKitNetwork,
  CaipNetwork,
  ChainNamespace,
  CreateAppKit,
  Features,
  OpenOptions,
  OpenView,
  ThemeMode,
  ThemeVariables
} from './options.ts'
import * as select from './select.ts'
import { PorticoError } from './tickets.ts'

/** With what `connect()` resolves. */
export interface ConnectedAccount {
  readonly address: string
  /** CAIP-10. */
  readonly caipAddress: string
  readonly caipNetworkId: string
  readonly chainNamespace: ChainNamespace
  readonly connectorId: string
  /** All addresses that the wallet shows. */
  readonly accounts: readonly string[]
}

/** A wallet that the visitor could choose. */
export interface ConnectorInfo {
  /** What `connect({ connectorId })` takes. */
  readonly id: string
  readonly name: string
  readonly imageUrl: string | undefined
  readonly provider: Eip1193Provider | undefined
}

export interface NetworkState {
  readonly caipNetwork: CaipNetwork | undefined
  /** The number of an EVM chain, the reference of any other; also of one that the host does not serve. */
  readonly chainId: number | string | undefined
  readonly caipNetworkId: string | undefined
}

/** An EIP-1193 provider is the wallet's own object: viem's `custom` and ethers' `BrowserProvider` take it as it is. */
export type Providers = Partial<Record<ChainNamespace, Eip1193Provider>>

type Unsubscribe = () => void

/** One modal with its account. Made by `createAppKit`. */
export class AppKit {
  readonly version: string = '0.1.0'
  readonly #engine: Engine

  constructor(options: CreateAppKit) {
    this.#engine = new Engine(options)
    setCurrent(this)
  }

  /** The one that was made last. */
  static getInstance(): AppKit | undefined {
    return currentAppKit()
  }

  /** What the hooks and elements stand on. Not for hosts. */
  get engine(): Engine {
    return this.#engine
  }

  get options(): CreateAppKit {
    return this.#engine.options
  }

  /** Which parts are on; before the core is there, what the options say. */
  get features(): Features {
    return this.#snapshot.config.features ?? this.options.features ?? {}
  }

  /** Those of the networks. */
  get chainNamespaces(): ChainNamespace[] {
    return [...new Set(this.#snapshot.network.networks.map((network) => network.chainNamespace))]
  }

  // Life cycle

  /** Fetches what the modal is made of, so that the next click opens it at once. The buttons do so by themselves. */
  preload(): Promise<void> {
    return this.#engine.load()
  }

  /** Resolves once the connection of an earlier visit is restored or given up; at once where there was none. */
  ready(): Promise<void> {
    const engine = this.#engine
    if (engine.initialized) return Promise.resolve()
    return new Promise((resolve) => {
      const stop = engine.store.subscribe(() => {
        if (!engine.initialized) return
        stop()
        resolve()
      })
    })
  }

  /** Opens the modal. With `view: 'WalletSend'` and arguments it resolves with the hash of what was sent. */
  open(options: OpenOptions & { readonly view: 'WalletSend'; readonly arguments: object }): Promise<{ hash: string }>
  open(options?: OpenOptions): Promise<void>
  open(options: OpenOptions = {}): Promise<unknown> {
    const { view, namespace, uri, arguments: given } = options
    const event = (ticket: number): CoreEvent => ({
      feature: 'modal',
      event: {
        type: 'openAsked',
        view: text(view),
        namespace: text(namespace),
        uri: text(uri),
        arguments: given?.amount == null ? (given ?? null) : { ...given, amount: String(given.amount) },
        ticket
      }
    })
    const opened = this.#engine.ask<unknown>(event, true)
    // Nobody waits for more than the modal, unless it is the hash of a transaction.
    return given ? opened : opened.catch(unlessClosed)
  }

  close(): Promise<void> {
    this.#engine.close()
    return Promise.resolve()
  }

  isOpen(): boolean {
    return this.#engine.store.get().modal.open
  }

  /** Goes on to a view of the open modal; the way back leads here. */
  redirect(view: OpenView): void {
    this.#go('redirectAsked', view)
  }

  /** The same, but the way back skips the view that was left. */
  async replace(view: OpenView): Promise<void> {
    this.#go('replaceAsked', view)
  }

  #go(type: 'redirectAsked' | 'replaceAsked', view: OpenView): void {
    this.#engine.dispatch({ feature: 'modal', event: { type, view: String(view) } }, { quiet: true })
  }

  /**
   * Connects: with a `connectorId` that wallet, else whichever the visitor chooses in the modal. It rejects with a
   * `PorticoError` whose `reason` is `userRejected`, `modalClosed`, `connectorNotFound`, …
   */
  connect(options: { connectorId?: string; namespace?: ChainNamespace } = {}): Promise<ConnectedAccount> {
    const connector = text(options.connectorId)
    const event = (ticket: number): CoreEvent => ({
      feature: 'connect',
      event: { type: 'connectAsked', connector, namespace: text(options.namespace), ticket }
    })
    return this.#engine.ask(event, connector === null)
  }

  /** Disconnects one namespace, or all; with an `id` only where that connector is connected. */
  async disconnect(wanted?: ChainNamespace | { id?: string; namespace?: ChainNamespace }): Promise<void> {
    const { id, namespace } = typeof wanted === 'object' ? (wanted ?? {}) : { namespace: wanted }
    if (![id, namespace].every((one) => one === undefined || typeof one === 'string'))
      throw new PorticoError('invalidArgument', 'disconnect takes a namespace, { id, namespace } or nothing')
    if (this.#engine.idle) return
    if (id) {
      const { accounts } = this.#snapshot.account
      const theirs = accounts.filter((one) => one.connector === id && one.namespace === (namespace ?? one.namespace))
      await Promise.all(theirs.map((one) => this.disconnect(one.namespace)))
      return
    }
    return this.#ask((ticket) => ({
      feature: 'connect',
      event: { type: 'disconnectAsked', namespace: text(namespace), ticket }
    }))
  }

  // Account and wallet

  getAccount(namespace?: ChainNamespace): select.AppKitAccount {
    return select.selectAccount(this.#snapshot, namespace)
  }

  subscribeAccount(tell: (account: select.AppKitAccount) => void, namespace?: ChainNamespace): Unsubscribe {
    return this.#watch(() => this.getAccount(namespace), tell)
  }

  getAddress(namespace?: ChainNamespace): string | undefined {
    return this.getAccount(namespace).address
  }

  getAddressByChainNamespace(namespace: ChainNamespace): string | undefined {
    return this.getAddress(namespace)
  }

  /** CAIP-10. */
  getCaipAddress(namespace?: ChainNamespace): string | undefined {
    return this.getAccount(namespace).caipAddress
  }

  getIsConnectedState(): boolean {
    return this.#snapshot.account.accounts.some((account) => account.isConnected)
  }

  getWalletInfo(namespace?: ChainNamespace): select.WalletInfo | undefined {
    return select.selectWalletInfo(this.#snapshot, this.#icon, namespace)
  }

  subscribeWalletInfo(tell: (info: select.WalletInfo | undefined) => void, namespace?: ChainNamespace): Unsubscribe {
    return this.#watch(() => this.getWalletInfo(namespace), tell)
  }

  /** Asks the chain for the native balance of the active account. */
  fetchBalance(): Promise<{ balance: string; symbol: string }> {
    return this.#ask((ticket) => ({ feature: 'account', event: { type: 'refreshAsked', ticket } }))
  }

  /** The same under its other name: only the active account's balance is kept. */
  updateNativeBalance(): Promise<{ balance: string; symbol: string }> {
    return this.fetchBalance()
  }

  addAddressLabel(address: string, label: string, namespace?: ChainNamespace): void {
    this.#label(address, String(label), namespace)
  }

  removeAddressLabel(address: string, namespace?: ChainNamespace): void {
    this.#label(address, null, namespace)
  }

  #label(address: string, label: string | null, namespace?: ChainNamespace): void {
    const event = { type: 'labelSet', namespace: text(namespace), address: String(address), label } as const
    this.#engine.dispatch({ feature: 'account', event }, { quiet: true })
  }

  // Networks

  getCaipNetwork(namespace?: ChainNamespace): CaipNetwork | undefined {
    const { active, chains, networks } = this.#snapshot.network
    if (namespace === undefined || namespace === active?.chainNamespace) return this.#hostNetwork(active)
    const id = chains.find((chain) => chain.namespace === namespace)?.networkState.caipNetwork
    return this.#hostNetwork(networks.find((network) => network.caipNetworkId === id) ?? null)
  }

  /** CAIP-2 of where the wallet stands. */
  getCaipNetworkId(): string | undefined {
    return select.selectNetworkId(this.#snapshot)
  }

  getCaipNetworks(namespace?: ChainNamespace): CaipNetwork[] {
    const networks = this.#snapshot.network.networks.filter(
      (one) => (namespace ?? one.chainNamespace) === one.chainNamespace
    )
    return networks.flatMap((network) => this.#hostNetwork(network) ?? [])
  }

  getChainId(): number | string | undefined {
    return select.selectChainId(this.#snapshot)
  }

  getActiveChainNamespace(): ChainNamespace | undefined {
    return this.#snapshot.network.activeNamespace ?? undefined
  }

  /** What a remote session approved; a browser wallet may be on any chain, which is `undefined`. */
  getApprovedCaipNetworkIds(): readonly string[] | undefined {
    const { chains, activeNamespace } = this.#snapshot.network
    const state = chains.find((chain) => chain.namespace === activeNamespace)?.networkState
    return state && !state.supportsAllNetworks ? state.approvedCaipNetworkIds : undefined
  }

  /** What a remote session did not approve. */
  getDisabledCaipNetworks(): CaipNetwork[] {
    const approved = this.getApprovedCaipNetworkIds()
    const networks = this.getCaipNetworks(this.getActiveChainNamespace())
    return approved ? networks.filter(({ caipNetworkId }) => !approved.includes(caipNetworkId)) : []
  }

  /** Switches the wallet, if one is connected. A refusal is only told with `throwOnFailure`. */
  async switchNetwork(network: AppKitNetwork, options: { throwOnFailure?: boolean } = {}): Promise<void> {
    try {
      await this.#ask<null>((ticket) => ({
        feature: 'network',
        event: { type: 'switchAsked', network, ticket }
      }))
    } catch (error) {
      if (options.throwOnFailure) throw error
    }
  }

  subscribeNetwork(tell: (network: NetworkState) => void): Unsubscribe {
    return this.#watch(() => this.getNetworkState(), tell)
  }

  subscribeCaipNetworkChange(tell: (network: CaipNetwork | undefined) => void): Unsubscribe {
    return this.#watch(() => this.getCaipNetwork(), tell)
  }

  getNetworkState(): NetworkState {
    return { caipNetwork: this.getCaipNetwork(), chainId: this.getChainId(), caipNetworkId: this.getCaipNetworkId() }
  }

  /** Rejects where no adapter serves the namespace (spec 4.22). */
  addNetwork(namespace: ChainNamespace, network: AppKitNetwork): Promise<void> {
    const whole = { chainNamespace: namespace, ...network }
    this.#engine.remember(whole)
    return this.#ask((ticket) => ({
      feature: 'network',
      event: { type: 'networkAdded', namespace: String(namespace), network: whole, ticket }
    }))
  }

  /** Rejects where there is no such network, or no adapter serves the namespace (spec 4.22). */
  removeNetwork(namespace: ChainNamespace, id: string | number): Promise<void> {
    return this.#ask((ticket) => ({
      feature: 'network',
      event: { type: 'networkRemoved', namespace: String(namespace), id: String(id), ticket }
    }))
  }

  // Providers and connectors

  /** The connected wallet's own EIP-1193 provider. */
  getProvider<T = Eip1193Provider>(namespace?: ChainNamespace): T | undefined {
    const handle = select.accountState(this.#snapshot, namespace)?.connectedWalletInfo?.handle
    return handle === undefined ? undefined : (this.#engine.page?.providers.get(handle) as T | undefined)
  }

  getWalletProvider<T = Eip1193Provider>(): T | undefined {
    return this.getProvider<T>()
  }

  getProviderType(namespace?: ChainNamespace): ConnectorKind | undefined {
    return select.accountState(this.#snapshot, namespace)?.connectedWalletInfo?.type
  }

  getWalletProviderType(): ConnectorKind | undefined {
    return this.getProviderType()
  }

  subscribeProviders(tell: (providers: Providers) => void): Unsubscribe {
    const handles = () =>
      this.#snapshot.account.accounts.flatMap(({ connectedWalletInfo: wallet }) => wallet?.handle ?? [])
    return this.#watch(handles, () => {
      const entries = this.#snapshot.account.accounts.map(({ namespace }) => [namespace, this.getProvider(namespace)])
      tell(Object.fromEntries(entries.filter(([, provider]) => provider)))
    })
  }

  getConnectors(): ConnectorInfo[] {
    const items = this.#snapshot.wallets.groups.flatMap((group) => group.items)
    return items.map(({ id, name, handle, icon, imageUrl }) => ({
      id,
      name,
      imageUrl: (icon ? this.#icon(handle) : imageUrl) ?? undefined,
      provider: this.#engine.page?.providers.get(handle)
    }))
  }

  // State and events

  getState(): select.PublicState {
    return select.selectState(this.#snapshot, this.#engine.initialized)
  }

  subscribeState(tell: (state: select.PublicState) => void): Unsubscribe {
    return this.#watch(() => this.getState(), tell)
  }

  /** Always empty: what fails is told where it was asked for. */
  getError(): string {
    return ''
  }

  /** The last tracked event. */
  getEvent(): TrackedEvent {
    return this.#engine.events.get().data
  }

  subscribeEvents(tell: (state: EventsState) => void): Unsubscribe {
    const { events } = this.#engine
    return events.subscribe(() => tell(events.get()))
  }

  // Theme and options

  getThemeMode(): ThemeMode {
    return this.#snapshot.config.themeMode
  }

  setThemeMode(mode: ThemeMode): void {
    if (mode === 'dark' || mode === 'light') this.#theme({ themeMode: mode })
  }

  getThemeVariables(): ThemeVariables {
    return select.selectTheme(this.#snapshot).themeVariables
  }

  setThemeVariables(variables: ThemeVariables): void {
    this.#theme({ themeVariables: flat(variables) })
  }

  subscribeTheme(tell: (theme: select.ThemeState) => void): Unsubscribe {
    return this.#watch(() => select.selectTheme(this.#snapshot), tell)
  }

  #theme(theme: Partial<select.ThemeState>): void {
    const { themeMode: mode = null, themeVariables: variables = null } = theme
    this.#engine.change(theme, { feature: 'config', event: { type: 'themeChanged', mode, variables } })
  }

  updateFeatures(features: Features): void {
    const merged = { ...this.options.features, ...features }
    this.#engine.change({ features: merged }, { feature: 'config', event: { type: 'featuresChanged', features } })
  }

  setConnectMethodsOrder(connectMethodsOrder: NonNullable<Features['connectMethodsOrder']>): void {
    this.updateFeatures({ connectMethodsOrder })
  }

  setWalletFeaturesOrder(walletFeaturesOrder: NonNullable<Features['walletFeaturesOrder']>): void {
    this.updateFeatures({ walletFeaturesOrder })
  }

  setCollapseWallets(collapseWallets: boolean): void {
    this.updateFeatures({ collapseWallets })
  }

  setSocialsOrder(socials: NonNullable<Features['socials']>): void {
    this.updateFeatures({ socials })
  }

  /** Shows that the host works on something. */
  setLoading(loading: boolean): void {
    this.#engine.dispatch(
      { feature: 'modal', event: { type: 'loadingSet', loading: loading === true } },
      { quiet: true }
    )
  }

  showErrorMessage(text: string): void {
    this.#say('error', text)
  }

  showSuccessMessage(text: string): void {
    this.#say('success', text)
  }

  #say(variant: 'error' | 'success', text: string): void {
    this.#engine.dispatch(
      { feature: 'notice', event: { type: 'hostSaid', variant, text: String(text) } },
      { quiet: true }
    )
  }

  // What the above stands on

  get #snapshot() {
    return this.#engine.store.get()
  }

  readonly #icon = (handle: string): string | undefined => this.#engine.page?.icons.get(handle)

  #hostNetwork(network: Network | null): CaipNetwork | undefined {
    return network ? this.#engine.networks.get(network.caipNetworkId) : undefined
  }

  #ask<T>(event: (ticket: number) => CoreEvent): Promise<T> {
    return this.#engine.ask<T>(event)
  }

  #watch<T>(read: () => T, tell: (value: T) => void): Unsubscribe {
    const steady = select.steady(read)
    let last = steady()
    return this.#engine.store.subscribe(() => {
      const next = steady()
      if (Object.is(next, last)) return
      last = next
      guarded(() => tell(next), this.#engine.log)
    })
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function unlessClosed(error: unknown): void {
  if ((error as { reason?: unknown }).reason !== 'modalClosed') throw error
}
