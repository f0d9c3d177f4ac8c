import type { ConnectorGroup, Item } from '../generated/core.ts'
import { useDispatch, useIcon, useSnapshot } from '../shell/react.tsx'
import type { Key } from '../text/en.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Picture } from '../ui/Picture.tsx'
import { BoneRows, Row } from '../ui/Row.tsx'
import { Tag } from '../ui/Tag.tsx'
import { Legal } from './Legal.tsx'

const groupNames: Readonly<Record<ConnectorGroup, Key>> = {
  walletConnect: 'groupWalletConnect',
  recent: 'groupRecent',
  injected: 'groupInjected',
  featured: 'groupFeatured',
  custom: 'groupCustom',
  external: 'groupExternal',
  recommended: 'groupRecommended'
}

/** The wallets to choose from, in the order of the core. */
export function ConnectView() {
  const t = useText()
  const dispatch = useDispatch()
  const groups = useSnapshot((snapshot) => snapshot.wallets.groups)
  const discovered = useSnapshot((snapshot) => snapshot.connect.discovered)
  if (groups.length === 0) {
    if (!discovered) return <BoneRows count={4} label={t('looking')} />
    return (
      <Empty icon="wallet" title={t('noWallet')} hint={t('noWalletHint')}>
        <Button onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'WhatIsAWallet' } })}>
          {t('titleWhatIsAWallet')}
        </Button>
      </Empty>
    )
  }
  return (
    <>
      <div className="rows" data-testid="w3m-connect-scroll-view">
        {groups.map(({ kind, items }) => (
          <ul className="rows" key={kind} aria-label={t(groupNames[kind])}>
            {items.map((item) => (
              <li key={item.id}>
                <Wallet item={item} />
              </li>
            ))}
          </ul>
        ))}
      </div>
      <Legal />
    </>
  )
}

function Wallet({ item }: { item: Item }) {
  const t = useText()
  const dispatch = useDispatch()
  const tag = item.recent ? (
    <Tag kind="accent">{t('recent')}</Tag>
  ) : (
    item.installed && <Tag kind="good">{t('installed')}</Tag>
  )
  return (
    <Row
      picture={<Picture src={useIcon(item)} name={item.name} />}
      name={item.name}
      end={tag}
      testid={`wallet-selector-${item.id.toLowerCase()}`}
      onClick={() => dispatch({ feature: 'connect', event: { type: 'walletChosen', connector: item.id } })}
    />
  )
}
