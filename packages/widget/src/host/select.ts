//! Selects the public state from the snapshot, in the field names that hosts know.

import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import type { AccountKind, AccountState, ConnectorKind, OneAccount, Snapshot, Status } from '../generated/core.ts'
import { chainIdOf } from './caip.ts'
import type { CaipNetwork, ChainNamespace, Features, ThemeMode, ThemeVariables } from './options.ts'

/** Result of `connect()`. */
export interface ConnectedAccount {
  readonly address: string
  /** Address as CAIP-10. */
  readonly caipAddress: string
  readonly caipNetworkId: string
  readonly chainNamespace: ChainNamespace
  readonly connectorId: string
  /** All addresses that the wallet exposes. */
  readonly accounts: readonly string[]
}

/** Wallet that the visitor could choose. */
export interface ConnectorInfo {
  /** Id for `connect({ connectorId })`. */
  readonly id: string
  readonly name: string
  readonly type: ConnectorKind
  /** Namespace that it serves; `undefined` for `MULTI_CHAIN` and for WalletConnect, whose sessions serve several. */
  readonly chain: ChainNamespace | undefined
  readonly imageUrl: string | undefined
  /** Id of the picture in the wallet directory. */
  readonly imageId: string | undefined
  /** Id of the wallet in the directory. */
  readonly explorerId: string | undefined
  /** Of an announced wallet (EIP-6963). */
  readonly info: { readonly rdns: string } | undefined
  /** That of the first of its `connectors` for `MULTI_CHAIN`. */
  readonly provider: Eip1193Provider | undefined
  /** Of a wallet that serves several namespaces (`MULTI_CHAIN`): one connector for each of them; empty for any other. */
  readonly connectors: readonly ConnectorInfo[]
}

export interface NetworkState {
  readonly caipNetwork: CaipNetwork | undefined
  /** Chain number on EVM chains, the CAIP-2 reference on others; also for a chain that the host does not serve. */
  readonly chainId: number | string | undefined
  readonly caipNetworkId: string | undefined
}

/**
 * Providers of the connected wallets by namespace. Each is the wallet's own EIP-1193 object: viem's `custom` and ethers' `BrowserProvider`
 * accept it directly.
 */
export type Providers = Partial<Record<ChainNamespace, Eip1193Provider>>

/** Account of an e-mail or social login (spec 3.4), in the fields of AppKit. */
export interface EmbeddedWalletInfo {
  readonly user: {
    readonly username: string | null
    readonly email?: string
    readonly accounts?: readonly OneAccount[]
  }
  /** `email` or the name of a social login. */
  readonly authProvider: string
  readonly accountType: AccountKind | null
  readonly isSmartAccountDeployed: boolean | null
}

export interface AppKitAccount {
  /** All addresses that the wallet exposes. */
  readonly allAccounts: readonly OneAccount[]
  readonly address: string | undefined
  /** Address as CAIP-10. */
  readonly caipAddress: string | undefined
  readonly isConnected: boolean
  readonly status: Status
  readonly embeddedWalletInfo: EmbeddedWalletInfo | undefined
}

export interface WalletInfo {
  readonly name: string
  /** Icon of the wallet: the host's, else the directory's, else the `data:` URI of its announcement. */
  readonly icon: string | undefined
  /** Kind of connector: `ANNOUNCED`, `INJECTED`, `EXTERNAL`, `WALLET_CONNECT`. */
  readonly type: string
  /** Reverse domain name of the wallet, or its id. */
  readonly identifier: string
  /** The same as `identifier`, under the name that hosts of AppKit know. */
  readonly rdns: string
  /** Social login provider of the embedded wallet. */
  readonly social: string | undefined
}

export interface PublicState {
  /** Whether the host called `setLoading(true)`. */
  readonly loading: boolean
  readonly open: boolean
  /** Network as CAIP-2 id. */
  readonly selectedNetworkId: string | undefined
  readonly activeChain: ChainNamespace | undefined
  /** Whether the stored connection is restored or has failed. */
  readonly initialized: boolean
  readonly connectingWallet: { readonly id: string; readonly name: string } | undefined
}

/** Features that a server could switch in AppKit, under its names. Features that this version lacks are left out. */
export interface RemoteFeatures {
  readonly email?: boolean
  readonly socials?: Features['socials']
  readonly swaps?: boolean
  readonly onramp?: boolean
  /** Same as the feature `history`. */
  readonly activity?: boolean
}

export interface ThemeState {
  readonly themeMode: ThemeMode
  readonly themeVariables: ThemeVariables
}

export function accountState(snapshot: Snapshot, namespace?: ChainNamespace): AccountState | undefined {
  const wanted = namespace ?? snapshot.network.activeNamespace
  return snapshot.account.accounts.find((account) => account.namespace === wanted)
}

/** Connection status of a namespace; until the core has loaded, the one from storage. */
export function statusOf({ connect, network }: Snapshot, namespace?: ChainNamespace): Status {
  const wanted = namespace ?? network.activeNamespace
  return connect.statuses.find((one) => one.namespace === wanted)?.status ?? 'disconnected'
}

export function selectAccount(snapshot: Snapshot, namespace?: ChainNamespace): AppKitAccount {
  const account = accountState(snapshot, namespace)
  const user = account?.embeddedWalletInfo?.user
  return {
    allAccounts: account?.allAccounts ?? [],
    address: account?.address ?? undefined,
    caipAddress: account?.caipAddress ?? undefined,
    isConnected: account?.isConnected ?? false,
    status: statusOf(snapshot, namespace),
    embeddedWalletInfo: user && { user, ...user }
  }
}

/** CAIP-2 id of the wallet's network, even if the host does not serve it. */
export function selectNetworkId({ network }: Snapshot): string | undefined {
  return network.unsupported ?? network.active?.caipNetworkId
}

export function selectChainId(snapshot: Snapshot): number | string | undefined {
  return chainIdOf(selectNetworkId(snapshot))
}

export function selectState(snapshot: Snapshot, initialized: boolean): PublicState {
  const { modal, network, connect } = snapshot
  return {
    loading: modal.loading,
    open: modal.open,
    selectedNetworkId: selectNetworkId(snapshot),
    activeChain: network.activeNamespace ?? undefined,
    initialized,
    connectingWallet: connect.attempt ? { id: connect.attempt.connector, name: connect.attempt.name } : undefined
  }
}

export function selectRemote(features: Features): RemoteFeatures {
  const { email = true, socials, swaps = true, onramp = true, history: activity = true } = features
  return { email, swaps, onramp, activity, ...(socials && { socials }) }
}

export function selectTheme({ config }: Snapshot): ThemeState {
  return { themeMode: config.themeMode, themeVariables: (config.themeVariables ?? {}) as ThemeVariables }
}

/** Deep equality of two selections. Only arrays and plain objects are compared by content. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isTree(a) || !isTree(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  )
}

function isTree(value: unknown): value is Record<string, unknown> {
  return Array.isArray(value) || value?.constructor === Object
}

/** Returns the previous object for as long as the selection is equal. */
export function steady<T>(select: () => T): () => T {
  let last: T | undefined
  return () => {
    const next = select()
    if (last === undefined || !isSame(last, next)) last = next
    return last
  }
}
