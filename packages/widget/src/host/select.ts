//! What hosts read of the snapshot, in the fields that they know.

import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import type { AccountKind, AccountState, OneAccount, Snapshot, Status } from '../generated/core.ts'
import { chainIdOf } from './caip.ts'
import type { CaipNetwork, ChainNamespace, Features, ThemeMode, ThemeVariables } from './options.ts'

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

/** The account of an e-mail or social login (spec 3.4), in the fields of AppKit. Nobody can log in so yet: it is `undefined`. */
export interface EmbeddedWalletInfo {
  readonly user: {
    readonly username: string | null
    readonly email?: string
    readonly accounts?: readonly OneAccount[]
  }
  /** `email` or a social login. */
  readonly authProvider: string
  readonly accountType: AccountKind | null
  readonly isSmartAccountDeployed: boolean | null
}

export interface AppKitAccount {
  /** All addresses that the wallet shows. */
  readonly allAccounts: readonly OneAccount[]
  readonly address: string | undefined
  /** CAIP-10. */
  readonly caipAddress: string | undefined
  readonly isConnected: boolean
  readonly status: Status
  readonly embeddedWalletInfo: EmbeddedWalletInfo | undefined
}

export interface WalletInfo {
  readonly name: string
  /** The host's picture, that of the directory, else the `data:` one from the wallet's announcement. */
  readonly icon: string | undefined
  /** How it is reached: `ANNOUNCED`, `INJECTED`, `EXTERNAL`, `WALLET_CONNECT`. */
  readonly type: string
  /** Its reverse domain name, or its id. */
  readonly rdns: string
}

export interface PublicState {
  /** The host said that it works on something. */
  readonly loading: boolean
  readonly open: boolean
  /** CAIP-2. */
  readonly selectedNetworkId: string | undefined
  readonly activeChain: ChainNamespace | undefined
  /** Whether the restored connection is known. */
  readonly initialized: boolean
  readonly connectingWallet: { readonly id: string; readonly name: string } | undefined
}

/** The features that a server could switch, under the names that hosts know. What is not in this version is left out. */
export interface RemoteFeatures {
  readonly email?: boolean
  readonly socials?: Features['socials']
  readonly swaps?: boolean
  readonly onramp?: boolean
  /** The feature `history`. */
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

/** Where a namespace stands; before the core is there, what storage says. */
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

/** CAIP-2 of where the wallet stands, also where the host does not serve that chain. */
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

/** Whether two selections say the same. Only lists and plain objects are looked into. */
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

/** Gives the same object for as long as a selection says the same. */
export function steady<T>(select: () => T): () => T {
  let last: T | undefined
  return () => {
    const next = select()
    if (last === undefined || !isSame(last, next)) last = next
    return last
  }
}
