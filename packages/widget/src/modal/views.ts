import { ConnectingExternalView } from '../connect/ConnectingExternalView.tsx'
import { ConnectView } from '../connect/ConnectView.tsx'
import type { Part, Snapshot, View } from '../generated/core.ts'
import { formParts } from '../generated/parts.ts'
import { type File, Lazy } from '../ui/lazy.tsx'

/** Views of the core, and a variant of Connect that only some hosts need. */
type Drawn = View | 'LegalConnect'

/** Views that are part of this file, so that a first connection waits for no other. */
const inline = { Connect: ConnectView, ConnectingExternal: ConnectingExternalView } satisfies Partial<
  Record<View, unknown>
>

/** View that this version does not have yet. */
type Unbuilt = 'ProfileWallets'

/** Each other view is a file of its own, fetched when it is first needed. */
const files: Record<Exclude<Drawn, Unbuilt | keyof typeof inline>, File> = {
  Account: () => import('../account/AccountView.tsx').then((module) => module.AccountView),
  ApproveTransaction: () =>
    import('../embedded/ApproveTransactionView.tsx').then((module) => module.ApproveTransactionView),
  AllWallets: () => import('../connect/AllWalletsView.tsx').then((module) => module.AllWalletsView),
  BitcoinSend: () => import('../bitcoinSend/BitcoinSendView.tsx').then((module) => module.BitcoinSendView),
  BitcoinSendConfirmed: () =>
    import('../bitcoinSend/BitcoinSendConfirmedView.tsx').then((module) => module.BitcoinSendConfirmedView),
  BitcoinSendPreview: () =>
    import('../bitcoinSend/BitcoinSendPreviewView.tsx').then((module) => module.BitcoinSendPreviewView),
  ConnectingMultiChain: () =>
    import('../connect/ConnectingMultiChainView.tsx').then((module) => module.ConnectingMultiChainView),
  ConnectingWalletConnect: () =>
    import('../connect/ConnectingWalletConnectView.tsx').then((module) => module.ConnectingWalletConnectView),
  ConnectingWalletConnectBasic: () =>
    import('../connect/ConnectingWalletConnectBasicView.tsx').then((module) => module.ConnectingWalletConnectBasicView),
  ConnectSocials: () => import('../embedded/ConnectSocialsView.tsx').then((module) => module.ConnectSocialsView),
  ConnectingSocial: () => import('../embedded/ConnectingSocialView.tsx').then((module) => module.ConnectingSocialView),
  ConnectingFarcaster: () =>
    import('../embedded/ConnectingFarcasterView.tsx').then((module) => module.ConnectingFarcasterView),
  Downloads: () => import('../connect/DownloadsView.tsx').then((module) => module.DownloadsView),
  EmailVerifyDevice: () =>
    import('../embedded/EmailVerifyDeviceView.tsx').then((module) => module.EmailVerifyDeviceView),
  EmailVerifyOtp: () => import('../embedded/EmailVerifyOtpView.tsx').then((module) => module.EmailVerifyOtpView),
  UpgradeEmailWallet: () =>
    import('../embedded/UpgradeEmailWalletView.tsx').then((module) => module.UpgradeEmailWalletView),
  UpdateEmailWallet: () =>
    import('../embedded/UpdateEmailWalletView.tsx').then((module) => module.UpdateEmailWalletView),
  UpdateEmailPrimaryOtp: () =>
    import('../embedded/UpdateEmailPrimaryOtpView.tsx').then((module) => module.UpdateEmailPrimaryOtpView),
  UpdateEmailSecondaryOtp: () =>
    import('../embedded/UpdateEmailSecondaryOtpView.tsx').then((module) => module.UpdateEmailSecondaryOtpView),
  LegalConnect: () => import('../connect/LegalConnectView.tsx').then((module) => module.LegalConnectView),
  Networks: () => import('../network/NetworksView.tsx').then((module) => module.NetworksView),
  NftDetails: () => import('../detail/NftDetailsView.tsx').then((module) => module.NftDetailsView),
  OnRampProviders: () => import('../onramp/OnRampProvidersView.tsx').then((module) => module.OnRampProvidersView),
  OnRampTokenSelect: () => import('../onramp/OnRampTokenSelectView.tsx').then((module) => module.OnRampTokenSelectView),
  OnRampFiatSelect: () => import('../onramp/OnRampFiatSelectView.tsx').then((module) => module.OnRampFiatSelectView),
  OnRampCountrySelect: () =>
    import('../onramp/OnRampCountrySelectView.tsx').then((module) => module.OnRampCountrySelectView),
  OnRampStateSelect: () => import('../onramp/OnRampStateSelectView.tsx').then((module) => module.OnRampStateSelectView),
  BuyInProgress: () => import('../onramp/BuyInProgressView.tsx').then((module) => module.BuyInProgressView),
  WhatIsABuy: () => import('../onramp/WhatIsABuyView.tsx').then((module) => module.WhatIsABuyView),
  ChooseAccountName: () => import('../name/ChooseAccountNameView.tsx').then((module) => module.ChooseAccountNameView),
  RegisterAccountName: () =>
    import('../name/RegisterAccountNameView.tsx').then((module) => module.RegisterAccountNameView),
  RegisterAccountNameSuccess: () =>
    import('../name/RegisterAccountNameSuccessView.tsx').then((module) => module.RegisterAccountNameSuccessView),
  SIWXSignMessage: () => import('../siwx/SIWXSignMessageView.tsx').then((module) => module.SIWXSignMessageView),
  SolanaSend: () => import('../solana/SolanaSendView.tsx').then((module) => module.SolanaSendView),
  SolanaSendConfirmed: () =>
    import('../solana/SolanaSendConfirmedView.tsx').then((module) => module.SolanaSendConfirmedView),
  SolanaSendPreview: () => import('../solana/SolanaSendPreviewView.tsx').then((module) => module.SolanaSendPreviewView),
  SolanaSendSelectToken: () =>
    import('../solana/SolanaSendSelectTokenView.tsx').then((module) => module.SolanaSendSelectTokenView),
  Swap: () => import('../swap/SwapView.tsx').then((module) => module.SwapView),
  SwapConfirmed: () => import('../swap/SwapConfirmedView.tsx').then((module) => module.SwapConfirmedView),
  SwapPreview: () => import('../swap/SwapPreviewView.tsx').then((module) => module.SwapPreviewView),
  SwapSelectToken: () => import('../swap/SwapSelectTokenView.tsx').then((module) => module.SwapSelectTokenView),
  SwitchAddress: () => import('../account/SwitchAddressView.tsx').then((module) => module.SwitchAddressView),
  SwitchNetwork: () => import('../network/SwitchNetworkView.tsx').then((module) => module.SwitchNetworkView),
  TokenDetails: () => import('../detail/TokenDetailsView.tsx').then((module) => module.TokenDetailsView),
  TransactionDetails: () =>
    import('../detail/TransactionDetailsView.tsx').then((module) => module.TransactionDetailsView),
  Transactions: () => import('../account/TransactionsView.tsx').then((module) => module.TransactionsView),
  UnsupportedChain: () => import('../network/UnsupportedChainView.tsx').then((module) => module.UnsupportedChainView),
  WalletReceive: () => import('../receive/WalletReceiveView.tsx').then((module) => module.WalletReceiveView),
  WalletSend: () => import('../send/WalletSendView.tsx').then((module) => module.WalletSendView),
  WalletSendConfirmed: () =>
    import('../send/WalletSendConfirmedView.tsx').then((module) => module.WalletSendConfirmedView),
  WalletSendPreview: () => import('../send/WalletSendPreviewView.tsx').then((module) => module.WalletSendPreviewView),
  WalletSendSelectToken: () =>
    import('../send/WalletSendSelectTokenView.tsx').then((module) => module.WalletSendSelectTokenView),
  WhatIsAWallet: () => import('../connect/WhatIsAWalletView.tsx').then((module) => module.WhatIsAWalletView),
  WhatIsANetwork: () => import('../network/WhatIsANetworkView.tsx').then((module) => module.WhatIsANetworkView)
}

/** Names of all views that are built, for tests. */
export const built = Object.keys({ ...inline, ...files }) as Drawn[]

/** Placeholder for the unbuilt views. */
const unavailable = () => import('./UnavailableView.tsx').then((module) => module.UnavailableView)

export const views = new Lazy<Drawn>(
  (view) => (files as Partial<Record<Drawn, File>>)[view] ?? unavailable,
  Object.entries(inline) as [Drawn, (typeof inline)[keyof typeof inline]][]
)

/** Fetches a view ahead of time. */
export const loadView = (view: Drawn): Promise<void> => views.load(view)

/** View to draw: the current one, in the variant that this host needs. */
export const drawnAs = ({ modal, connect }: Snapshot): Drawn =>
  modal.view === 'Connect' && connect.consent !== 'unasked' ? 'LegalConnect' : modal.view

/** Views that visitors usually open next; they are fetched ahead. */
const next: Partial<Record<View, readonly View[]>> = {
  ConnectingExternal: ['Account'],
  AllWallets: ['ConnectingWalletConnect', 'Downloads'],
  ConnectingWalletConnect: ['Account'],
  Account: ['Networks'],
  Networks: ['SwitchNetwork'],
  ChooseAccountName: ['RegisterAccountName'],
  RegisterAccountName: ['RegisterAccountNameSuccess'],
  ConnectSocials: ['ConnectingSocial'],
  EmailVerifyDevice: ['EmailVerifyOtp'],
  EmailVerifyOtp: ['Account'],
  UpdateEmailWallet: ['UpdateEmailPrimaryOtp', 'UpdateEmailSecondaryOtp'],
  Swap: ['SwapSelectToken', 'SwapPreview'],
  BitcoinSend: ['BitcoinSendPreview'],
  BitcoinSendPreview: ['BitcoinSendConfirmed'],
  SolanaSend: ['SolanaSendPreview', 'SolanaSendSelectToken'],
  SolanaSendPreview: ['SolanaSendConfirmed'],
  WalletSend: ['WalletSendPreview'],
  WalletSendPreview: ['WalletSendConfirmed'],
  OnRampProviders: ['BuyInProgress', 'OnRampTokenSelect', 'OnRampFiatSelect'],
  OnRampCountrySelect: ['OnRampStateSelect']
}

/**
 * Fetches the view that a button opens (`data-ahead`), and its part of the core, when the pointer, a finger or the focus reaches the
 * button.
 */
export function reach({ target }: Event, fetchPart?: (part: Part) => void): void {
  const view = (target as Element).closest<HTMLElement>('[data-ahead]')?.dataset.ahead as View | undefined
  if (!view) return
  void loadView(view)
  const part = formParts[view]
  if (part) fetchPart?.(part)
}

/** Fetches the usual next views. */
export function loadNext(view: View): void {
  for (const ahead of next[view] ?? []) void loadView(ahead)
}
