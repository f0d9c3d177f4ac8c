import type { ComponentType } from 'react'
import type { ConnectMethod, ConnectorGroup, Item } from '../generated/core.ts'
import { useDispatch, useIcon, useSnapshot } from '../shell/react.tsx'
import type { Key } from '../text/en.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Lazy, Part } from '../ui/lazy.tsx'
import { Picture } from '../ui/Picture.tsx'
import { BoneRows, Row } from '../ui/Row.tsx'
import { Tag } from '../ui/Tag.tsx'
import { Legal } from './Legal.tsx'

/** Connect methods that this version can draw. */
const parts: Partial<Record<ConnectMethod, ComponentType>> = { wallet: Wallets, email: Email, social: Social }

/** Methods in files of their own, each fetched when it is shown. */
const logins = new Lazy<'email' | 'social'>((name) =>
  name === 'email'
    ? () => import('./EmailLogin.tsx').then((module) => module.EmailLogin)
    : () => import('./SocialLogin.tsx').then((module) => module.SocialLogin)
)

const groupNames: Readonly<Record<ConnectorGroup, Key>> = {
  walletConnect: 'groupWalletConnect',
  recent: 'groupRecent',
  injected: 'groupInjected',
  featured: 'groupFeatured',
  custom: 'groupCustom',
  external: 'groupExternal',
  recommended: 'groupRecommended'
}

/** Connect methods, in the order of the core. */
export function ConnectView() {
  const t = useText()
  const methods = useSnapshot((snapshot) => snapshot.connect.methods)
  const unasked = useSnapshot((snapshot) => snapshot.connect.consent === 'unasked')
  const offered = methods.flatMap((method) => {
    const Method = parts[method]
    return Method ? [<Method key={method} />] : []
  })
  if (offered.length === 0) return <Empty icon="wallet" title={t('noMethod')} hint={t('noMethodHint')} />
  return (
    <>
      {offered}
      {unasked && <Legal />}
    </>
  )
}

/** Field of the login by e-mail, whose file is fetched when it is shown. */
function Email() {
  return <Part of={logins} name="email" skeleton={LoginBone} />
}

/** Services of social logins. */
function Social() {
  return <Part of={logins} name="social" skeleton={LoginBone} />
}

/** A login before its file is there. */
function LoginBone() {
  return <div className="row bone" />
}

/** Wallet list, in the order of the core. */
function Wallets() {
  const t = useText()
  const dispatch = useDispatch()
  const groups = useSnapshot((snapshot) => snapshot.wallets.groups)
  const discovered = useSnapshot((snapshot) => snapshot.connect.discovered)
  const all = useSnapshot((snapshot) => snapshot.directory?.all)
  if (groups.length === 0) {
    if (!discovered) return <BoneRows count={4} label={t('looking')} />
    return (
      <Empty icon="wallet" title={t('noWallet')} hint={t('noWalletHint')}>
        {all ? (
          <Button
            data-ahead="AllWallets"
            onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'AllWallets' } })}
          >
            {t('titleAllWallets')}
          </Button>
        ) : (
          <Button onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'WhatIsAWallet' } })}>
            {t('titleWhatIsAWallet')}
          </Button>
        )}
      </Empty>
    )
  }
  return (
    <div className="rows" data-testid="w3m-connect-scroll-view">
      {groups.map(({ kind, items }) => (
        <ul className="rows" key={kind} aria-label={t(groupNames[kind])}>
          {items.map((item) => (
            <li key={item.id}>
              <Wallet item={item} remote={kind === 'walletConnect'} />
            </li>
          ))}
        </ul>
      ))}
      {all && <AllWallets />}
    </div>
  )
}

/** Row that opens the list of all wallets. */
export function AllWallets() {
  const t = useText()
  const dispatch = useDispatch()
  const held = useSnapshot((snapshot) => snapshot.connect.consent === 'missing')
  const count = useSnapshot((snapshot) => snapshot.directory?.count)
  return (
    <Row
      picture={
        <span className="tile medal">
          <Icon name="layers" />
        </span>
      }
      name={t('titleAllWallets')}
      end={count ? <Tag kind="quiet">{String(count)}</Tag> : undefined}
      heldBy={held ? 'consent' : undefined}
      testid="all-wallets"
      ahead="AllWallets"
      onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'AllWallets' } })}
    />
  )
}

function Wallet({ item, remote }: { item: Item; remote: boolean }) {
  const t = useText()
  const dispatch = useDispatch()
  const held = useSnapshot((snapshot) => snapshot.connect.consent === 'missing')
  const picture = useIcon(item)
  const tag = item.recent ? (
    <Tag kind="accent">{t('recent')}</Tag>
  ) : remote ? (
    <Tag kind="quiet">{t('platformQr')}</Tag>
  ) : (
    item.installed && <Tag kind="good">{t('installed')}</Tag>
  )
  return (
    <Row
      picture={
        remote && !picture ? (
          <span className="tile remote">
            <Icon name="qr" />
          </span>
        ) : (
          <Picture src={picture} name={item.name} />
        )
      }
      name={item.name}
      end={tag}
      heldBy={held ? 'consent' : undefined}
      testid={`wallet-selector-${item.id.toLowerCase()}`}
      ahead={item.installed ? undefined : 'ConnectingWalletConnect'}
      onClick={() => dispatch({ feature: 'connect', event: { type: 'walletChosen', connector: item.id } })}
    />
  )
}
