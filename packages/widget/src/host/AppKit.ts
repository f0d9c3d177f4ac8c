//! Public methods for hosts. Calls that need the core are in `shell/calls.ts`; no method contains a rule.

import type { ChainAdapter, ExternalWallet } from '../adapters/adapter.ts'
import type { ConnectMethod, Network } from '../generated/core.ts'
import type { ConnectOptions, DisconnectOptions } from '../shell/calls.ts'
import { HostCalls } from './calls.ts'
import { currentAppKit, setCurrent } from './current.ts'
import { Engine } from './engine.ts'
import { type EventsState, guarded, type TrackedEvent } from './events.ts'
import { read } from './given.ts'
import type {
  CaipNetwork,
  ChainNamespace,
  CreateAppKit,
  Features,
  OpenOptions,
  ThemeMode,
  ThemeVariables,
  UpdateOptions
} from './options.ts'
import * as select from './select.ts'

type Unsubscribe = () => void

/** A modal with its account. Created by `createAppKit`. */
export class AppKit extends HostCalls {
  readonly version: string = '0.1.0'

  constructor(options: CreateAppKit) {
    super(new Engine(options))
    setCurrent(this)
  }

  /** The most recently created modal of the page. */
  static getInstance(): AppKit | undefined {
    return currentAppKit()
  }

  get options(): CreateAppKit {
    return this.engine.options
  }

  /** Enabled features; until the core has loaded, those of the options. */
  get features(): Features {
    return this.#snapshot.config.features ?? this.options.features ?? {}
  }

  /** Features that a server can switch in AppKit. There is no such server here: the values are those of `features`. */
  get remoteFeatures(): select.RemoteFeatures {
    return select.selectRemote(this.features)
  }

  /** Adapters by namespace. */
  get chainAdapters(): Partial<Record<ChainNamespace, ChainAdapter>> {
    return Object.fromEntries(
      Object.values(read(this.options.adapters)).map((adapter) => [adapter?.namespace, adapter])
    )
  }

  /** Alerts reported so far, by key, as in `{ invalidOptions: true }`. */
  get reportedAlertErrors(): Readonly<Record<string, boolean>> {
    return this.engine.calls?.reportedAlerts ?? {}
  }

  /** Namespaces of the configured networks. */
  get chainNamespaces(): ChainNamespace[] {
    return [...new Set(this.#snapshot.network.networks.map((network) => network.chainNamespace))]
  }

  // Life cycle

  /** Fetches the code of the modal, so that the next click opens it at once. The buttons do this by themselves. */
  preload(): Promise<void> {
    return this.engine.load()
  }

  /** Resolves once the connection of an earlier visit is restored or has failed; at once where there was none. */
  ready(): Promise<void> {
    const engine = this.engine
    if (engine.initialized) return Promise.resolve()
    return new Promise((resolve) => {
      const stop = engine.store.subscribe(() => {
        if (!engine.initialized) return
        stop()
        resolve()
      })
    })
  }

  /** Opens the modal. With `view: 'WalletSend'` and arguments it resolves with the hash of the transaction. */
  open(options: OpenOptions & { readonly view: 'WalletSend'; readonly arguments: object }): Promise<{ hash: string }>
  open(options?: OpenOptions): Promise<void>
  open(options?: OpenOptions): Promise<unknown> {
    const opened = this.engine.call('open', [options], 'opens')
    // Callers await only the opening, except for the hash of a transaction.
    return options?.arguments ? opened : opened.catch(unlessClosed)
  }

  async close(): Promise<void> {
    this.engine.close()
  }

  isOpen(): boolean {
    const { store, stage } = this.engine
    // The page may have removed the element: then nothing is shown, whatever the core's state.
    return store.get().modal.open && stage?.host.isConnected !== false
  }

  /**
   * Connects the wallet of `connector` or `connectorId`, or the one that the visitor chooses in the modal. It rejects with a `PorticoError`
   * whose `reason` is `userRejected`, `modalClosed`, `connectorNotFound`, …
   */
  connect(options?: ConnectOptions): Promise<select.ConnectedAccount> {
    return this.engine.call('connect', [options], (options?.connector ?? options?.connectorId) ? '' : 'opens')
  }

  /** Disconnects one namespace, or all; with an `id` only where that connector is connected. */
  disconnect(wanted?: ChainNamespace | DisconnectOptions): Promise<void> {
    return this.engine.idle ? Promise.resolve() : this.engine.call('disconnect', [wanted])
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

  /** Address as CAIP-10. */
  getCaipAddress(namespace?: ChainNamespace): string | undefined {
    return this.getAccount(namespace).caipAddress
  }

  getIsConnectedState(): boolean {
    return this.#snapshot.account.accounts.some((account) => account.isConnected)
  }

  subscribeWalletInfo(tell: (info: select.WalletInfo | undefined) => void, namespace?: ChainNamespace): Unsubscribe {
    return this.#watch(() => this.getWalletInfo(namespace), tell)
  }

  // Networks

  getCaipNetwork(namespace?: ChainNamespace): CaipNetwork | undefined {
    const { active, chains, networks } = this.#snapshot.network
    if (namespace === undefined || namespace === active?.chainNamespace) return this.#hostNetwork(active)
    const id = chains.find((chain) => chain.namespace === namespace)?.networkState.caipNetwork
    return this.#hostNetwork(networks.find((network) => network.caipNetworkId === id) ?? null)
  }

  /** CAIP-2 id of the wallet's network. */
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

  /** Networks that a remote session did not approve. */
  getDisabledCaipNetworks(): CaipNetwork[] {
    return this.engine.calls?.getDisabledCaipNetworks() ?? []
  }

  subscribeNetwork(tell: (network: select.NetworkState) => void): Unsubscribe {
    return this.#watch(() => this.getNetworkState(), tell)
  }

  subscribeCaipNetworkChange(tell: (network: CaipNetwork | undefined) => void): Unsubscribe {
    return this.#watch(() => this.getCaipNetwork(), tell)
  }

  getNetworkState(): select.NetworkState {
    return { caipNetwork: this.getCaipNetwork(), chainId: this.getChainId(), caipNetworkId: this.getCaipNetworkId() }
  }

  // Providers and connectors

  subscribeProviders(tell: (providers: select.Providers) => void): Unsubscribe {
    const handles = () => this.engine.calls?.handles() ?? []
    return this.#watch(handles, () => tell(this.engine.calls?.getProviders() ?? {}))
  }

  getConnectors(): select.ConnectorInfo[] {
    return this.engine.calls?.getConnectors() ?? []
  }

  addConnector(connector: ExternalWallet): void {
    this.setConnectors([...Object.values(read(this.options.connectors)), connector])
  }

  /** Connect methods in order; until the core has loaded, the order for a page without wallets. */
  getConnectMethodsOrder(): readonly ConnectMethod[] {
    return this.#snapshot.connect.methods
  }

  // State and events

  getState(): select.PublicState {
    return select.selectState(this.#snapshot, this.engine.initialized)
  }

  subscribeState(tell: (state: select.PublicState) => void): Unsubscribe {
    return this.#watch(() => this.getState(), tell)
  }

  getRemoteFeatures(): select.RemoteFeatures {
    return this.remoteFeatures
  }

  subscribeRemoteFeatures(tell: (features: select.RemoteFeatures) => void): Unsubscribe {
    return this.#watch(() => this.remoteFeatures, tell)
  }

  updateRemoteFeatures(remote: select.RemoteFeatures): void {
    const { activity, ...features } = read(remote)
    this.updateFeatures(activity === undefined ? features : { ...features, history: activity })
  }

  /** Sign-in configuration of the host. */
  getSIWX(): CreateAppKit['siwx'] {
    return this.options.siwx
  }

  /** Always empty: errors are reported by the call that failed. */
  getError(): string {
    return ''
  }

  /** Most recent tracked event. */
  getEvent(): TrackedEvent {
    return this.engine.events.get().data
  }

  subscribeEvents(tell: (state: EventsState) => void): Unsubscribe {
    const { events, log } = this.engine
    return events.subscribe(() => guarded(() => tell(events.get()), log))
  }

  // Theme and options

  getThemeMode(): ThemeMode {
    return this.#snapshot.config.themeMode
  }

  setThemeMode(themeMode: ThemeMode): void {
    if (themeMode === 'dark' || themeMode === 'light') this.engine.change({ themeMode })
  }

  getThemeVariables(): ThemeVariables {
    return select.selectTheme(this.#snapshot).themeVariables
  }

  subscribeTheme(tell: (theme: select.ThemeState) => void): Unsubscribe {
    return this.#watch(() => select.selectTheme(this.#snapshot), tell)
  }

  /** Changes options at run time; those that are read only once stay as they are. */
  updateOptions(options: UpdateOptions): void {
    this.engine.change(options)
  }

  updateFeatures(features: Features): void {
    this.engine.change({ features: read(features) })
  }

  setEIP6963Enabled(enableEIP6963: boolean): void {
    this.engine.change({ enableEIP6963 })
  }

  setSocialsOrder(socials: NonNullable<Features['socials']>): void {
    this.updateFeatures({ socials })
  }

  /** Shows the modal as busy while the host works. */
  setLoading(loading: boolean, _namespace?: ChainNamespace): void {
    if (this.engine.calls) this.engine.calls.setLoading(loading)
    else this.engine.setModal({ loading: loading === true })
  }

  // Internals

  get #snapshot() {
    return this.engine.store.get()
  }

  #hostNetwork(network: Network | null): CaipNetwork | undefined {
    return network ? this.engine.networks.get(network.caipNetworkId) : undefined
  }

  #watch<T>(read: () => T, tell: (value: T) => void): Unsubscribe {
    const steady = select.steady(read)
    let last = steady()
    return this.engine.store.subscribe(() => {
      const next = steady()
      if (Object.is(next, last)) return
      last = next
      guarded(() => tell(next), this.engine.log)
    })
  }
}

function unlessClosed(error: unknown): void {
  if ((error as { reason?: unknown }).reason !== 'modalClosed') throw error
}
