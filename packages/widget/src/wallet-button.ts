//! Entry point of the wallet button: `@portico/widget/wallet-button`.

import { defineWalletButton } from './host/wallet-button/element.ts'

defineWalletButton()

export {
  type AppKitWalletButton,
  createAppKitWalletButton,
  type WalletButtonAccount,
  type WalletButtonOptions,
  type WalletName
} from './host/wallet-button/walletButton.ts'
