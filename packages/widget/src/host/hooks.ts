//! React hooks. Each re-renders only when its return value changes.

import { useMemo, useSyncExternalStore } from 'react'
import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import type { ConnectorKind, Snapshot } from '../generated/core.ts'
import type { NativeBalance } from '../shell/calls.ts'
import type { ConnectionOptions, ConnectionState, Connections, UseAppKitConnection } from '../shell/connections.ts'
import type { AppKit } from './AppKit.ts'
import { currentAppKit } from './current.ts'
import { type EventsState, noEvent } from './events.ts'
import type { AppKitNetwork, ChainNamespace, ThemeMode, ThemeVariables } from './options.ts'
import * as select from './select.ts'
import type { SIWXConfig } from './siwx.ts'

function useKit(hook: string): AppKit {
  const kit = currentAppKit()
  if (!kit) throw new Error(`Call createAppKit before ${hook}, or put an AppKitProvider around the component`)
  return kit
}

/** Selects with `read`, or with `readFirst` on a server and while React hydrates. Both must depend on `kit` and `key` alone. */
function useSelected<T>(kit: AppKit, read: () => T, readFirst: (snapshot: Snapshot) => T, key?: string): T {
  const { store, initial } = kit.engine
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a reader closes over is the kit and the key
  const [now, first] = useMemo(
    () => [select.steady(read), select.steady(() => readFirst(initial))] as const,
    [kit, key]
  )
  return useSyncExternalStore(store.subscribe, now, first)
}

/** Opens and closes the modal. */
export function useAppKit(): { open: AppKit['open']; close: AppKit['close'] } {
  const kit = useKit('useAppKit')
  return useMemo(() => ({ open: kit.open.bind(kit) as AppKit['open'], close: kit.close.bind(kit) }), [kit])
}

/** Account of a namespace, by default the active one. */
export function useAppKitAccount({ namespace }: { namespace?: ChainNamespace } = {}): select.AppKitAccount {
  const kit = useKit('useAppKitAccount')
  const first = (snapshot: Snapshot) => select.selectAccount(snapshot, namespace)
  return useSelected(kit, () => kit.getAccount(namespace), first, namespace)
}

export interface UseAppKitNetwork extends select.NetworkState {
  /** Networks that a remote session approved; `undefined` where the wallet may use any. */
  readonly approvedCaipNetworkIds: readonly string[] | undefined
  readonly supportsAllNetworks: boolean
  /** Rejects when the wallet refuses. */
  switchNetwork(network: AppKitNetwork): Promise<void>
}

/** Active network, and a function to switch to another. */
export function useAppKitNetwork(): UseAppKitNetwork {
  const kit = useKit('useAppKitNetwork')
  const read = () => ({ ...kit.getNetworkState(), approvedCaipNetworkIds: kit.getApprovedCaipNetworkIds() })
  const first = (snapshot: Snapshot) => {
    const caipNetworkId = select.selectNetworkId(snapshot)
    const caipNetwork = kit.engine.networks.get(caipNetworkId ?? '')
    return { caipNetwork, caipNetworkId, chainId: select.selectChainId(snapshot), approvedCaipNetworkIds: undefined }
  }
  const state = useSelected(kit, read, first)
  return useMemo(
    () => ({
      ...state,
      supportsAllNetworks: state.approvedCaipNetworkIds === undefined,
      switchNetwork: (network: AppKitNetwork) => kit.switchNetwork(network, { throwOnFailure: true })
    }),
    [kit, state]
  )
}

/**
 * EIP-1193 provider of the connected wallet: viem's `custom` and ethers' `BrowserProvider` accept it directly. It is `undefined` until a
 * wallet is connected; the type omits that, as in AppKit, so that pages written for it compile: check `isConnected` first.
 */
export function useAppKitProvider<T = Eip1193Provider>(
  namespace?: ChainNamespace
): { readonly walletProvider: T; readonly walletProviderType: ConnectorKind | undefined } {
  const kit = useKit('useAppKitProvider')
  const { subscribe } = kit.engine.store
  const walletProvider = useSyncExternalStore(subscribe, () => kit.getProvider<T>(namespace), nothing)
  const walletProviderType = useSyncExternalStore(subscribe, () => kit.getProviderType(namespace), nothing)
  return { walletProvider: walletProvider as T, walletProviderType }
}

function nothing(): undefined {
  return undefined
}

/** State of the modal: open, selected network, wallet being connected, and enabled features. */
export function useAppKitState(): select.PublicState & select.RemoteFeatures {
  const kit = useKit('useAppKitState')
  return useSelected(
    kit,
    () => ({ ...kit.getState(), ...kit.remoteFeatures }),
    (snapshot) => ({ ...select.selectState(snapshot, false), ...kit.remoteFeatures })
  )
}

export interface UseAppKitTheme extends select.ThemeState {
  setThemeMode(mode: ThemeMode): void
  setThemeVariables(variables: ThemeVariables): void
}

export function useAppKitTheme(): UseAppKitTheme {
  const kit = useKit('useAppKitTheme')
  const theme = useSelected(kit, () => select.selectTheme(kit.engine.store.get()), select.selectTheme)
  return useMemo(
    () => ({
      ...theme,
      setThemeMode: (mode) => kit.setThemeMode(mode),
      setThemeVariables: (variables) => kit.setThemeVariables(variables)
    }),
    [kit, theme]
  )
}

/** Most recent tracked event, as `data`. */
export function useAppKitEvents(): EventsState {
  const { events } = useKit('useAppKitEvents').engine
  return useSyncExternalStore(events.subscribe, events.get, () => noEvent)
}

/** Information about the connected wallet. */
export function useWalletInfo(namespace?: ChainNamespace): { readonly walletInfo: select.WalletInfo | undefined } {
  const kit = useKit('useWalletInfo')
  return useSelected(
    kit,
    () => ({ walletInfo: kit.getWalletInfo(namespace) }),
    () => ({ walletInfo: undefined }),
    namespace
  )
}

/** Sign-in that the host gave as `siwx`, with its functions about sessions. */
export function useAppKitSIWX(): SIWXConfig | undefined {
  return useKit('useAppKitSIWX').getSIWX()
}

/** Disconnects a namespace, or all; with an `id` only where that connector is connected. */
export function useDisconnect(): {
  disconnect(options?: { id?: string; namespace?: ChainNamespace }): Promise<void>
} {
  const kit = useKit('useDisconnect')
  return useMemo(() => ({ disconnect: (options) => kit.disconnect(options) }), [kit])
}

/** Connected wallets, and those that were used before, of a namespace or of all. It needs `features.multiWallet`. */
export function useAppKitConnections(namespace?: ChainNamespace): Connections {
  const kit = useKit('useAppKitConnections')
  const read = () => kit.engine.calls?.getConnections(namespace) ?? noConnections
  return useSelected(kit, read, () => noConnections, namespace)
}

const noConnections: Omit<ConnectionState, 'connection'> = { connections: [], recentConnections: [], isPending: false }

/** Connection in use, and functions to use another wallet or account and to forget one. It needs `features.multiWallet`. */
export function useAppKitConnection({ namespace, onSuccess, onError }: ConnectionOptions = {}): UseAppKitConnection {
  const kit = useKit('useAppKitConnection')
  const state = useAppKitConnections(namespace) as ConnectionState
  return useMemo(
    () => ({
      ...state,
      switchConnection: (options) => kit.engine.call('switchConnection', [options, namespace]).then(onSuccess, onError),
      deleteConnection: (options) => kit.engine.call('deleteConnection', [options, namespace]).then(onSuccess, onError)
    }),
    [kit, state, namespace, onSuccess, onError]
  )
}

export interface BalanceResult {
  readonly data: NativeBalance | undefined
  /** Reason of the failure; the call itself does not reject. */
  readonly error: string | null
  readonly isSuccess: boolean
  readonly isError: boolean
}

function result(data: NativeBalance | undefined, error: string | null): BalanceResult {
  return { data, error, isSuccess: !!data, isError: !data }
}

/** Reads the native balance of the active account from the chain. */
export function useAppKitBalance(): { fetchBalance(): Promise<BalanceResult> } {
  const kit = useKit('useAppKitBalance')
  return useMemo(
    () => ({
      fetchBalance: () =>
        kit.fetchBalance().then(
          (data) => result(data, null),
          (error: Error) => result(undefined, error.message)
        )
    }),
    [kit]
  )
}
