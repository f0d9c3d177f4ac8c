import type { View } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import type { Key } from '../text/en.ts'
import { useText } from '../text/text.tsx'
import { IconButton } from '../ui/Button.tsx'
import { NetworkButton } from './NetworkButton.tsx'

const titles: Readonly<Record<View, Key>> = {
  Connect: 'titleConnect',
  ConnectingExternal: 'titleConnect',
  ConnectingMultiChain: 'titleMultiChain',
  Account: 'titleAccount',
  Networks: 'titleNetworks',
  SwitchNetwork: 'titleNetworks',
  UnsupportedChain: 'titleUnsupportedChain',
  WalletSend: 'titleWalletSend',
  WalletSendPreview: 'titleWalletSendPreview',
  WalletSendSelectToken: 'titleOnRampTokenSelect',
  WalletSendConfirmed: 'titleWalletSend',
  SolanaSend: 'titleWalletSend',
  SolanaSendPreview: 'titleWalletSendPreview',
  SolanaSendSelectToken: 'titleOnRampTokenSelect',
  SolanaSendConfirmed: 'titleWalletSend',
  BitcoinSend: 'titleWalletSend',
  BitcoinSendPreview: 'titleWalletSendPreview',
  BitcoinSendConfirmed: 'titleWalletSend',
  WhatIsAWallet: 'titleWhatIsAWallet',
  WhatIsANetwork: 'titleWhatIsANetwork',
  AllWallets: 'titleAllWallets',
  Downloads: 'titleDownloads',
  ConnectingWalletConnect: 'groupWalletConnect',
  ConnectingWalletConnectBasic: 'groupWalletConnect',
  ConnectSocials: 'titleSocials',
  ConnectingSocial: 'titleConnect',
  ConnectingFarcaster: 'titleFarcaster',
  SIWXSignMessage: 'titleSignIn',
  ChooseAccountName: 'chooseName',
  RegisterAccountName: 'titleChooseName',
  RegisterAccountNameSuccess: 'nameRegistered',
  ApproveTransaction: 'titleApproveTransaction',
  EmailVerifyDevice: 'titleVerifyDevice',
  EmailVerifyOtp: 'titleVerifyOtp',
  UpdateEmailWallet: 'titleUpdateEmail',
  UpgradeEmailWallet: 'titleUpgradeWallet',
  UpdateEmailPrimaryOtp: 'titlePrimaryOtp',
  UpdateEmailSecondaryOtp: 'titleSecondaryOtp',
  Swap: 'titleSwap',
  SwapSelectToken: 'titleSwapSelectToken',
  SwapPreview: 'titleSwapPreview',
  SwapConfirmed: 'titleSwap',
  OnRampProviders: 'titleOnRampProviders',
  WalletReceive: 'titleWalletReceive',
  Transactions: 'tabActivity',
  OnRampTokenSelect: 'titleOnRampTokenSelect',
  OnRampFiatSelect: 'titleOnRampFiatSelect',
  OnRampCountrySelect: 'titleOnRampCountrySelect',
  OnRampStateSelect: 'titleOnRampStateSelect',
  BuyInProgress: 'titleBuyInProgress',
  WhatIsABuy: 'titleWhatIsABuy',
  ProfileWallets: 'titleProfileWallets',
  SwitchAddress: 'titleSwitchAddress',
  TokenDetails: 'titleToken',
  NftDetails: 'titleNft',
  TransactionDetails: 'titleTransaction'
}

/** Views with a title for screen readers only. */
const untitled: readonly View[] = ['Account', 'ChooseAccountName', 'RegisterAccountNameSuccess']

/** Header of the card: back or help, the title or the network, close. */
export function Header() {
  const t = useText()
  const dispatch = useDispatch()
  const view = useSnapshot((snapshot) => snapshot.modal.view)
  const canGoBack = useSnapshot((snapshot) => snapshot.modal.canGoBack)
  const embedded = useSnapshot((snapshot) => snapshot.config.embedded)
  const title = useTitle(view)
  const ask = (type: 'backAsked' | 'closeAsked') => () => dispatch({ feature: 'modal', event: { type } })
  return (
    <div className="header">
      <span className="slot">
        {canGoBack ? (
          <IconButton icon="back" label={t('back')} data-testid="header-back" onClick={ask('backAsked')} />
        ) : (
          view === 'Connect' && (
            <IconButton
              icon="help"
              label={t('titleWhatIsAWallet')}
              data-testid="w3m-wallet-help"
              onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'WhatIsAWallet' } })}
            />
          )
        )}
      </span>
      <h1
        id="title"
        tabIndex={-1}
        dir="auto"
        className={untitled.includes(view) ? 'title unseen' : 'title'}
        data-testid="w3m-header-text"
      >
        {title}
      </h1>
      {view === 'Account' && <NetworkButton />}
      <span className="slot">
        {!embedded && (
          <IconButton icon="close" label={t('close')} data-testid="w3m-header-close" onClick={ask('closeAsked')} />
        )}
      </span>
    </div>
  )
}

/** Title of the view; in eight views it depends on the wallet, the service, the network, the token or the state of a send or swap. */
function useTitle(view: View): string {
  const t = useText()
  const wallet = useSnapshot((snapshot) => snapshot.connect.attempt?.name)
  const network = useSnapshot((snapshot) => snapshot.network.switching?.name)
  const chosen = useSnapshot((snapshot) => snapshot.directory?.chosen?.name)
  const remote = useSnapshot((snapshot) => snapshot.pairing?.wallet?.name)
  const social = useSnapshot((snapshot) => snapshot.embedded.social.chosen?.name)
  const sent = useSnapshot((snapshot) => snapshot.send.sent?.receipt.state)
  const swapped = useSnapshot((snapshot) => snapshot.swap.sent?.receipt.state)
  const thing = useSnapshot((snapshot) => {
    const id = snapshot.detail?.id
    if (view === 'NftDetails') return snapshot.nfts?.items.find((nft) => nft.id === id)?.name
    const tokens = view === 'TokenDetails' && activeAccount(snapshot)?.tokenBalance
    // biome-ignore lint/complexity/useOptionalChain: it is smaller so
    const token = tokens && tokens.find(({ address }) => (address ?? '') === id)
    // The name of a token to distrust may be made to deceive.
    return token && !token.mark && (token.name || token.symbol)
  })
  const paid = useSnapshot((snapshot) => snapshot.solana?.sent?.receipt.state)
  const spent = useSnapshot((snapshot) => snapshot.bitcoin?.sent?.receipt.state)
  const states: Partial<Record<View, typeof sent>> = {
    WalletSendConfirmed: sent,
    SolanaSendConfirmed: paid,
    BitcoinSendConfirmed: spent,
    SwapConfirmed: swapped
  }
  const state = states[view]
  // Only the network's result makes it "confirmed" or "failed".
  if (state === 'failed') return t(state)
  if (state === 'confirmed') return t('titleWalletSendConfirmed')
  if (view === 'Downloads') return t('titleDownloads', chosen ?? '')
  if (view === 'ConnectingWalletConnect') return remote || t(titles[view])
  const named =
    view === 'ConnectingExternal' ? wallet : view === 'ConnectingSocial' ? social : view === 'SwitchNetwork' && network
  return named || thing || t(titles[view])
}
