export type { ChainAdapter, ExternalWallet } from './adapters/adapter.ts'
export type { Eip1193Provider } from './adapters/eip155/provider.ts'
export { AppKit, type ConnectedAccount, type ConnectorInfo, type NetworkState, type Providers } from './host/AppKit.ts'
export { createAppKit } from './host/createAppKit.ts'
export type { EventsState, TrackedEvent } from './host/events.ts'
export type {
  AppKitNetwork,
  CaipNetwork,
  ChainNamespace,
  CreateAppKit,
  Features,
  Metadata,
  OpenOptions,
  OpenView,
  SendArguments,
  SIWEConfig,
  SIWXConfig,
  ThemeMode,
  ThemeVariables
} from './host/options.ts'
export type { AppKitAccount, PublicState, ThemeState, WalletInfo } from './host/select.ts'
export { PorticoError } from './host/tickets.ts'
