//! Entry point of the wallet button's hooks: `@portico/widget/wallet-button/react`.

import { createElement, type HTMLAttributes, type ReactElement } from 'react'
import type { ChainNamespace } from './host/options.ts'
import { defineWalletButton } from './host/wallet-button/element.ts'
import type { WalletName } from './host/wallet-button/walletButton.ts'

export interface AppKitWalletButtonProps extends Pick<HTMLAttributes<HTMLElement>, 'id' | 'className' | 'slot'> {
  /** Default `metamask`. */
  readonly wallet?: WalletName
  readonly namespace?: ChainNamespace
  /** Default `md`. */
  readonly size?: 'sm' | 'md' | 'lg'
  readonly disabled?: boolean
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'appkit-wallet-button': AppKitWalletButtonProps
      'w3m-wallet-button': AppKitWalletButtonProps
    }
  }
}

// Each entry has this line, because a bundler may drop a shared file whose exports nobody uses.
defineWalletButton()

/** Button that connects one wallet. */
export function AppKitWalletButton({ disabled, className, ...rest }: AppKitWalletButtonProps): ReactElement {
  // React 18 would write `disabled={false}` as text, and `className` as an attribute of that name.
  return createElement('appkit-wallet-button', { ...rest, class: className, disabled: disabled ? '' : undefined })
}

export {
  type UpdateEmailHook,
  useAppKitUpdateEmail,
  useAppKitWallet,
  type WalletHook,
  type WalletHookOptions
} from './host/wallet-button/hooks.ts'
export {
  type AppKitWalletButton as WalletButton,
  createAppKitWalletButton,
  type WalletButtonAccount,
  type WalletButtonOptions,
  type WalletName
} from './host/wallet-button/walletButton.ts'
