import { useState } from 'react'
import type { AccountState, Namespace } from '../generated/core.ts'
import { activeAccount, useActiveWallet } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { accountWords } from '../text/account.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Anchor } from '../ui/Anchor.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Part } from '../ui/lazy.tsx'
import { Picture } from '../ui/Picture.tsx'
import { accountCss } from './account.css.ts'
import { Balance } from './Balance.tsx'
import { Face } from './Face.tsx'
import { Features } from './Features.tsx'
import { PasskeyOffer } from './PasskeyOffer.tsx'
import { others } from './panels.ts'
import { Tabs } from './Tabs.tsx'

/** Account view: the connected account with its balance, actions and tabs. */
export function AccountView() {
  useStyle(accountCss)
  const account = useSnapshot(activeAccount)
  return (
    <div className="account">
      <div className="head">
        {account?.address ? <Identity account={account} address={account.address} /> : <Unknown />}
        {account && !account.profileName && <ChooseName />}
        {account && <SwitchAccount account={account} />}
        {account?.connector === 'AUTH' && <Email />}
      </div>
      <Beside />
      {account && <Balance account={account} />}
      {account && <Features account={account} />}
      {account?.namespace === 'polkadot' && <NoPayments />}
      {account?.connector === 'AUTH' && <PasskeyOffer />}
      {account && <Tabs account={account} />}
      <Ends account={account} />
    </div>
  )
}

function Identity({ account, address }: { account: AccountState; address: string }) {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const wallet = useActiveWallet()
  const copied = useSnapshot((snapshot) => snapshot.copied)
  const name = account.profileName ?? account.addressLabels[address] ?? account.names[address]
  // A press shows the whole address, which a phone has no other place for.
  const [opened, setOpened] = useState<string>()
  const whole = opened === address
  return (
    <>
      <div className="face">
        <Face image={account.profileImage} address={address} />
        {wallet.name && (
          <span className="by" title={t('connectedWith', wallet.name)}>
            {wallet.picture && <Picture src={wallet.picture} name={wallet.name} />}
            <span className="unseen">{t('connectedWith', wallet.name)}</span>
          </span>
        )}
      </div>
      <div className={name ? 'who named' : 'who'} data-testid="wui-profile-button">
        {name && (
          <strong data-testid="account-name">
            <bdi className="clip">{name}</bdi>
          </strong>
        )}
        <button
          type="button"
          className="short"
          aria-expanded={whole}
          title={address}
          data-testid="account-settings-address"
          onClick={() => setOpened(whole ? undefined : address)}
        >
          <bdi className={whole ? undefined : 'clip'} dir="ltr">
            {whole ? address : account.shortAddress}
          </bdi>
        </button>
        <CopyButton
          text={address}
          copied={copied}
          label={t('copyAddress')}
          testid="copy-address-button"
          onCopy={() => dispatch({ feature: 'account', event: { type: 'copyAsked' } })}
        />
      </div>
    </>
  )
}

/** Button to choose a name, where the host's server registers names. */
function ChooseName() {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const parent = useSnapshot((snapshot) => snapshot.name.parent)
  if (!parent) return null
  const choose = () => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'ChooseAccountName' } })
  return (
    <button
      type="button"
      className="nameless"
      data-testid="account-choose-name-button"
      data-ahead="ChooseAccountName"
      onClick={choose}
    >
      {t('chooseName')}
    </button>
  )
}

/**
 * Way to the other accounts that the wallet shares. An EVM wallet has none: by EIP-1193 the order of its accounts tells which one it uses, and
 * libraries of the page sign with that one.
 */
function SwitchAccount({ account: { namespace, allAccounts } }: { account: AccountState }) {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  if (namespace === 'eip155' || allAccounts.length < 2) return null
  return (
    <button
      type="button"
      className="nameless"
      data-testid="w3m-profile-button"
      data-ahead="SwitchAddress"
      onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'SwitchAddress' } })}
    >
      {t('switchAccount')}
    </button>
  )
}

/** Login of the embedded wallet: the service and the name there, or the e-mail address, which the visitor can change. */
function Email() {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const email = useSnapshot((snapshot) => snapshot.embedded.userEmail)
  const name = useSnapshot((snapshot) => snapshot.embedded.userName)
  const provider = useSnapshot((snapshot) => snapshot.embedded.userProvider)
  // A person at another service is known by that service, whatever address it names.
  if (provider !== null) {
    return (
      <span className="nameless mail" data-testid="w3m-account-social">
        <bdi className="clip">{[name ?? email, provider].filter(Boolean).join(' · ')}</bdi>
      </span>
    )
  }
  if (!email) return null
  return (
    <button
      type="button"
      className="nameless mail"
      title={t('changeEmail')}
      data-testid="w3m-account-email-update"
      data-ahead="UpdateEmailWallet"
      onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'UpdateEmailWallet' } })}
    >
      <bdi className="clip">{email}</bdi>
      <span className="unseen">{t('changeEmail')}</span>
    </button>
  )
}

/** Says why Send and Swap are missing on Polkadot, whose transactions the core cannot build. */
function NoPayments() {
  const t = useText(accountWords)
  return <p className="absent">{t('noPayments')}</p>
}

/** Place of the other namespaces' accounts. Its file is fetched only where the host has adapters of several namespaces. */
function Beside() {
  // Two stand in a line; before the file is there, the lines are free.
  const lines = useSnapshot(({ network }) => network.chains.filter(({ adapter }) => adapter).length >> 1)
  if (lines === 0) return null
  return (
    <div className="beside" style={{ minHeight: lines * 52 - 8 }}>
      <Part of={others} name="Others" skeleton={Nothing} />
    </div>
  )
}

function Nothing() {
  return null
}

function Unknown() {
  return (
    <>
      <i className="avatar bone" />
      <i className="word bone" />
    </>
  )
}

function Ends({ account }: { account: AccountState | undefined }) {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const namespace = account?.namespace ?? null
  const disconnect = (namespace: Namespace | null) =>
    dispatch({ feature: 'connect', event: { type: 'disconnectAsked', namespace, ticket: null } })
  // Accounts of one session end together.
  const several = useSnapshot(({ account: { accounts } }) =>
    accounts.some(({ isConnected, connector }) => isConnected && connector !== account?.connector)
  )
  return (
    <div className="ends">
      {account?.addressExplorerUrl && (
        <Anchor className="button plain" href={account.addressExplorerUrl} target="_blank" rel="noopener noreferrer">
          <Icon name="external" />
          <span>{t('viewOnExplorer')}</span>
        </Anchor>
      )}
      {account?.connector === 'AUTH' && (
        <Button
          kind="plain"
          icon="shield"
          data-testid="w3m-wallet-upgrade-card"
          data-ahead="UpgradeEmailWallet"
          onClick={() => dispatch({ feature: 'embedded', event: { type: 'settingsAsked' } })}
        >
          {t('walletSettings')}
        </Button>
      )}
      <Button kind="plain" icon="power" data-testid="disconnect-button" onClick={() => disconnect(namespace)}>
        {t('disconnect')}
      </Button>
      {several && (
        <Button kind="plain" icon="close" data-testid="disconnect-all-button" onClick={() => disconnect(null)}>
          {t('disconnectAll')}
        </Button>
      )}
    </div>
  )
}
