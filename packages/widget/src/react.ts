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
  useAppKitEvents,
  useAppKitNetwork,
  useAppKitProvider,
  useAppKitState,
  useAppKitTheme,
  useDisconnect,
  useWalletInfo
} from './host/hooks.ts'
export { createAppKit } from './host/single.ts'
export { PorticoError } from './host/PorticoError.ts'
export type * from './index.ts'
