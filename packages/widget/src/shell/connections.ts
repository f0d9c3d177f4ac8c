//! Connections of hosts that offer several wallets (`features.multiWallet`): those of now, and those that were used before.

import type { AccountKind, AccountState, CoreEvent, UsedConnection } from '../generated/core.ts'
import type { Engine } from '../host/engine.ts'
import type { CaipNetwork, ChainNamespace } from '../host/options.ts'
import type { PorticoError } from '../host/PorticoError.ts'
import { accountState } from '../host/select.ts'
import type { Calls } from './calls.ts'

/** Account of a connection. */
export interface ConnectionAccount {
  readonly address: string
  readonly type: AccountKind
  /** Always `undefined`: wallets of the supported namespaces are known by their address. */
  readonly publicKey: string | undefined
}

/** Wallet with its accounts in one namespace. */
export interface Connection {
  readonly namespace: ChainNamespace
  /** Name of the wallet. */
  readonly name: string
  /** Picture of the wallet; of one that was used before only while it is in the page. */
  readonly icon: string | undefined
  readonly networkIcon: string | undefined
  /** The first one is active, or was the last time. */
  readonly accounts: readonly ConnectionAccount[]
  /** Network on which it is used, or was the last time; `undefined` for one that the page does not configure. */
  readonly caipNetwork: CaipNetwork | undefined
  readonly connectorId: string
  /** Provider and user of an e-mail or social login, while it is connected. */
  readonly auth: { readonly name: string; readonly username: string | undefined } | undefined
}

export interface Connections {
  /** Connected wallets. */
  readonly connections: readonly Connection[]
  /** Wallets that were used before and are not connected, the most recently used first. */
  readonly recentConnections: readonly Connection[]
}

export interface SwitchOptions {
  /** One of `connections` or `recentConnections`. */
  readonly connection: Pick<Connection, 'connectorId' | 'namespace'>
  /** Account to use; by default the wallet chooses. */
  readonly address?: string
}

export interface DeleteOptions {
  readonly address: string
  readonly connectorId: string
}

/** Result of a switch or a deletion. */
export interface ConnectionResult {
  /** Address that is in use now, or was deleted. */
  readonly address: string
  readonly namespace: ChainNamespace
  /** Whether the same wallet is used with another account. */
  readonly hasSwitchedAccount: boolean
  readonly hasSwitchedWallet: boolean
  /** Whether the wallet's last account was deleted, and the wallet with it. */
  readonly hasDeletedWallet: boolean
}

/** State that the hooks read. */
export interface ConnectionState extends Connections {
  /** Connection that is in use in the namespace, by default the active one. */
  readonly connection: Connection | undefined
  /** Whether a switch or a deletion has not ended. */
  readonly isPending: boolean
}

export interface UseAppKitConnection extends Pick<ConnectionState, 'connection' | 'isPending'> {
  /** Rejects only without `onError`. */
  switchConnection(options: SwitchOptions): Promise<void>
  /** Forgets an account of a wallet that is not connected. Rejects only without `onError`. */
  deleteConnection(options: DeleteOptions): Promise<void>
}

export interface ConnectionOptions {
  /** Default: the active one. */
  readonly namespace?: ChainNamespace
  readonly onSuccess?: (result: ConnectionResult) => void
  readonly onError?: (error: Error) => void
}

/** Calls of a host that offers several wallets. */
export class SeveralWallets {
  readonly #calls: Calls
  readonly #engine: Engine
  readonly #error: typeof PorticoError
  readonly #dispatch: (event: CoreEvent) => void
  /** Whether they were on when the core was last told that the host reads the connections. */
  #told: boolean | undefined
  /** Number of switches and deletions that have not ended. */
  #pending = 0

  constructor(calls: Calls, engine: Engine, error: typeof PorticoError, dispatch: (event: CoreEvent) => void) {
    this.#calls = calls
    this.#engine = engine
    this.#error = error
    this.#dispatch = dispatch
  }

  state(namespace: ChainNamespace | undefined): ConnectionState {
    const isPending = this.#pending > 0
    if (!this.#areOn()) return { connections: [], recentConnections: [], connection: undefined, isPending }
    const { account, network } = this.#snapshot
    const wanted = (one: { readonly namespace: ChainNamespace }) => one.namespace === (namespace ?? one.namespace)
    const connections = account.accounts.filter(wanted).flatMap((one) => this.#connected(one))
    return {
      connections,
      recentConnections: this.#recent.filter(wanted).map((one) => this.#used(one)),
      connection: connections.find((one) => one.namespace === (namespace ?? network.activeNamespace)),
      isPending
    }
  }

  /** Lets the hooks read again. The same value draws no view. */
  tell(): void {
    this.#engine.store.set({ recentConnections: this.#recent })
  }

  /** Marks the hooks as pending meanwhile. */
  async #while<T>(work: () => Promise<T>): Promise<T> {
    const count = (by: number) => {
      this.#pending += by
      this.tell()
    }
    count(1)
    try {
      return await work()
    } finally {
      count(-1)
    }
  }

  #connected(account: AccountState): Connection[] {
    const { namespace, caipAddress, address, allAccounts, connector, embeddedWalletInfo } = account
    const wallet = this.#calls.getWalletInfo(namespace)
    if (!wallet || connector === null) return []
    const user = embeddedWalletInfo?.user
    return [
      {
        namespace,
        name: wallet.name,
        icon: wallet.icon,
        ...this.#network(caipAddress?.slice(0, -1 - (address?.length ?? 0))),
        accounts: allAccounts.map(({ address, type }) => ({ address, type, publicKey: undefined })),
        connectorId: connector,
        auth: user && { name: user.authProvider, username: user.username ?? undefined }
      }
    ]
  }

  #used({ namespace, name, connector, chain, kind: type, accounts }: UsedConnection): Connection {
    const offered = this.#calls.getConnectors().flatMap((one) => [one, ...one.connectors])
    const same = offered.find((one) => one.id === connector && (one.chain ?? namespace) === namespace)
    return {
      namespace,
      name,
      icon: same?.imageUrl,
      ...this.#network(chain),
      accounts: accounts.map((address) => ({ address, type, publicKey: undefined })),
      connectorId: connector,
      auth: undefined
    }
  }

  #network(id: string | null | undefined): Pick<Connection, 'caipNetwork' | 'networkIcon'> {
    const known = this.#snapshot.network.networks.find((one) => one.caipNetworkId === id)
    return {
      networkIcon: known?.assets.imageUrl ?? undefined,
      caipNetwork: known && this.#engine.networks.get(known.caipNetworkId)
    }
  }

  /** Connects the wallet if another one is in use, then chooses the account. */
  async switchTo(options: SwitchOptions): Promise<ConnectionResult> {
    const { connection, address } = options ?? {}
    const { connectorId, namespace } = connection ?? {}
    if (!isText(connectorId) || !isText(namespace) || (address !== undefined && !isText(address)))
      throw new this.#error('invalidArgument', 'Pass switchConnection a connection, and an address or none')
    this.#need()
    return this.#while(async () => {
      const before = accountState(this.#snapshot, namespace)
      const hasSwitchedWallet = before?.connector !== connectorId
      if (hasSwitchedWallet) await this.#calls.connect({ connectorId, namespace })
      if (address !== undefined)
        await this.#calls.ask((ticket) => ({
          feature: 'connect',
          event: { type: 'accountAsked', namespace, address, ticket }
        }))
      const now = accountState(this.#snapshot, namespace)?.address ?? ''
      const hasSwitchedAccount = !hasSwitchedWallet && now !== before?.address
      return { address: now, namespace, hasSwitchedAccount, hasSwitchedWallet, hasDeletedWallet: false }
    })
  }

  async delete(options: DeleteOptions, wanted: ChainNamespace | undefined): Promise<ConnectionResult> {
    const { connectorId, address } = options ?? {}
    const namespace = wanted ?? this.#snapshot.network.activeNamespace
    if (!isText(connectorId) || !isText(address) || !isText(namespace))
      throw new this.#error('invalidArgument', 'Pass deleteConnection a connectorId and an address')
    this.#need()
    const ask = () =>
      this.#calls.ask<boolean>((ticket) => ({
        feature: 'connections',
        event: { type: 'deleteAsked', connector: connectorId, address, namespace, ticket }
      }))
    const hasDeletedWallet = await this.#while(ask)
    return { address, namespace, hasSwitchedAccount: false, hasSwitchedWallet: false, hasDeletedWallet }
  }

  #need(): void {
    if (!this.#areOn()) throw new this.#error('featureOff', 'Turn on features.multiWallet to use several wallets')
  }

  /**
   * Whether the host turned several wallets on. The core is told, so that it reports an alert or loads the connections that were used;
   * later, because React may be drawing.
   */
  #areOn(): boolean {
    const on = this.#snapshot.config.features?.multiWallet ?? false
    if (this.#told !== on && this.#snapshot.config.features) {
      this.#told = on
      queueMicrotask(() => this.#dispatch({ feature: 'connections', event: { type: 'readAsked' } }))
    }
    return on
  }

  /** Recent connections; the core tells them once its part home has loaded. */
  get #recent(): readonly UsedConnection[] {
    return this.#snapshot.recentConnections ?? []
  }

  get #snapshot() {
    return this.#engine.store.get()
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
