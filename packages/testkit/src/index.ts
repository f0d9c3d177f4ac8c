//! Wallets for tests and the demo. `startAnvil` needs Node and is a separate entry: `@portico/testkit/anvil`.

export {
  type BitcoinWallet,
  type BitcoinWalletMode,
  type BitcoinWalletOptions,
  createBitcoinWallet
} from './bitcoin-wallet/bitcoin-wallet.ts'
export { BITCOIN_TEST_KEYS } from './bitcoin-wallet/keys.ts'
export {
  type BitcoinKey,
  type BitcoinNetworkName,
  keysOf as bitcoinKeysOf,
  type PaymentKind,
  signText as signBitcoinText
} from './bitcoin-wallet/signing.ts'
export { type Call, callIn } from './calls.ts'
export { type Deferred, deferred } from './deferred.ts'
export { TEST_PRIVATE_KEYS } from './demo-wallet/accounts.ts'
export type { ProviderInfo } from './demo-wallet/announcement.ts'
export type { Approval, ApprovalChoice, Asker, Decision, Question } from './demo-wallet/approval/approval.ts'
export { type Chain, hexChainId } from './demo-wallet/chain.ts'
export type { DemoWalletControls } from './demo-wallet/controls.ts'
export {
  createDemoWallet,
  DEMO_WALLET_COLOR,
  type DemoWallet,
  type DemoWalletOptions
} from './demo-wallet/demo-wallet.ts'
export { type DemoWalletChoice, demoWalletsFromUrl, startDemoWallets } from './demo-wallet/from-url.ts'
export { ICON_MARKS, type IconMark, walletIcon } from './demo-wallet/icon.ts'
export {
  ASKING_METHODS,
  type Mode,
  NONSENSE,
  type Nonsense,
  parseMode,
  THROWS,
  type Throws
} from './demo-wallet/mode.ts'
export type { KeyValueStorage } from './demo-wallet/storage.ts'
export { FakeFrame, type FrameRequest } from './fake-frame.ts'
export {
  type Listener,
  type Provider,
  type ProviderEvent,
  ProviderRpcError,
  type RequestArguments,
  RPC_ERROR
} from './provider.ts'
export { type Behaviour, createScriptedProvider, type ScriptedProvider, type Step } from './scripted-provider.ts'
export { SOLANA_TEST_KEYS } from './solana-wallet/keys.ts'
export {
  createSolanaWallet,
  type SolanaWallet,
  type SolanaWalletMode,
  type SolanaWalletOptions
} from './solana-wallet/solana-wallet.ts'
