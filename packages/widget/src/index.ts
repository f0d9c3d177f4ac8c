import type { AppKitElement } from './host/elements/element.ts'

export type { ChainAdapter, ExternalWallet } from './adapters/adapter.ts'
export type { Eip1193Provider, Provider } from './adapters/eip155/provider.ts'
export { AppKit } from './host/AppKit.ts'
export { createAppKit } from './host/createAppKit.ts'
export type { AppKitElement } from './host/elements/element.ts'
export type { EventsState, TrackedEvent } from './host/events.ts'
export type {
  AppKitNetwork,
  CaipNetwork,
  ChainNamespace,
  CreateAppKit,
  CustomWallet,
  Features,
  Metadata,
  NotYet,
  OpenOptions,
  OpenView,
  RemoteWallets,
  SendArguments,
  SwapArguments,
  ThemeMode,
  ThemeVariables,
  UpdateOptions
} from './host/options.ts'
export { PorticoError } from './host/PorticoError.ts'
export type {
  AppKitAccount,
  ConnectedAccount,
  ConnectorInfo,
  EmbeddedWalletInfo,
  NetworkState,
  Providers,
  PublicState,
  RemoteFeatures,
  ThemeState,
  WalletInfo
} from './host/select.ts'
export type {
  SIWEConfig,
  SIWECreateMessageArgs,
  SIWEMethods,
  SIWEOptions,
  SIWXConfig,
  SIWXMessage,
  SIWXMessageData,
  SIWXMessageInput,
  SIWXSession
} from './host/siwx.ts'
export type { ConnectOptions, DisconnectOptions, NativeBalance } from './shell/calls.ts'
export type {
  Connection,
  ConnectionAccount,
  ConnectionOptions,
  ConnectionResult,
  Connections,
  DeleteOptions,
  SwitchOptions,
  UseAppKitConnection
} from './shell/connections.ts'
export type { EmailStep, EmbeddedProvider, EmbeddedUser } from './shell/frame/EmbeddedProvider.ts'

declare global {
  interface HTMLElementTagNameMap {
    'appkit-button': AppKitElement
    'appkit-connect-button': AppKitElement
    'appkit-account-button': AppKitElement
    'appkit-network-button': AppKitElement
    'w3m-button': AppKitElement
    'w3m-connect-button': AppKitElement
    'w3m-account-button': AppKitElement
    'w3m-network-button': AppKitElement
  }
}
