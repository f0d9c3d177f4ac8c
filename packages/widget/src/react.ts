import type {
  AppKitAccountButtonProps,
  AppKitButtonProps,
  AppKitConnectButtonProps,
  AppKitNetworkButtonProps
} from './host/components.ts'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'appkit-button': AppKitButtonProps
      'appkit-connect-button': AppKitConnectButtonProps
      'appkit-account-button': AppKitAccountButtonProps
      'appkit-network-button': AppKitNetworkButtonProps
      'w3m-button': AppKitButtonProps
      'w3m-connect-button': AppKitConnectButtonProps
      'w3m-account-button': AppKitAccountButtonProps
      'w3m-network-button': AppKitNetworkButtonProps
      'w3m-modal': Pick<AppKitButtonProps, 'id' | 'className' | 'slot'>
    }
  }
}

export {
  AppKitAccountButton,
  AppKitButton,
  AppKitConnectButton,
  AppKitNetworkButton,
  AppKitProvider,
  type AppKitProviderProps
} from './host/components.ts'
export {
  type BalanceResult,
  type UseAppKitNetwork,
  type UseAppKitTheme,
  useAppKit,
  useAppKitAccount,
  useAppKitBalance,
  useAppKitConnection,
  useAppKitConnections,
  useAppKitEvents,
  useAppKitNetwork,
  useAppKitProvider,
  useAppKitSIWX,
  useAppKitState,
  useAppKitTheme,
  useDisconnect,
  useWalletInfo
} from './host/hooks.ts'
export { PorticoError } from './host/PorticoError.ts'
export { createAppKit } from './host/single.ts'
export type * from './index.ts'
