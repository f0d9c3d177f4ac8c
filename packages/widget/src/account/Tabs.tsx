import type { KeyboardEvent } from 'react'
import type { AccountState, Tab, TokenBalance } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import type { Key } from '../text/en.ts'
import { useText } from '../text/text.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { BoneRows } from '../ui/Row.tsx'

const names: Readonly<Record<Tab, Key>> = { tokens: 'tabTokens', nfts: 'tabNfts', activity: 'tabActivity' }

/** What the account has, in the tabs that its namespace and the host's features have. */
export function Tabs({ account }: { account: AccountState }) {
  const t = useText()
  const dispatch = useDispatch()
  const { currentTab: chosen, tabs } = account
  const choose = (tab: Tab) => dispatch({ feature: 'account', event: { type: 'tabChosen', tab } })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const forward = event.currentTarget.matches(':dir(rtl)') ? 'ArrowLeft' : 'ArrowRight'
    const step = event.key === forward ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? -1 : 0
    const next = tabs[(tabs.indexOf(chosen) + step + tabs.length) % tabs.length]
    if (!step || !next) return
    event.preventDefault()
    choose(next)
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={t('titleAccount')} onKeyDown={onKeyDown} data-chosen={chosen}>
        {tabs.map((tab) => (
          <button
            type="button"
            role="tab"
            key={tab}
            id={`tab-${tab}`}
            data-testid={`tab-${tab}`}
            aria-selected={tab === chosen}
            aria-controls="tab-panel"
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => choose(tab)}
          >
            {t(names[tab])}
          </button>
        ))}
      </div>
      <div className="panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`}>
        <Panel account={account} />
      </div>
    </>
  )
}

function Panel({ account }: { account: AccountState }) {
  const t = useText()
  if (account.currentTab === 'nfts') return <Empty icon="image" title={t('noNfts')} hint={t('noNftsHint')} />
  if (account.currentTab === 'activity') return <Activity />
  if (account.tokenBalance.length > 0) {
    return (
      <ul className="rows">
        {account.tokenBalance.map((token) => (
          <Token key={`${token.chainId}:${token.address}`} token={token} />
        ))}
      </ul>
    )
  }
  if (account.balanceState === 'loading') return <BoneRows count={1} label={t('loading')} />
  return <Empty icon="coins" title={t('noTokens')} hint={t('noTokensHint')} />
}

function Token({ token }: { token: TokenBalance }) {
  const amount = useAmount()
  return (
    <li className="row">
      <Picture src={token.iconUrl} name={token.symbol} />
      <span className="name">
        <bdi>{token.name}</bdi>
      </span>
      <bdi dir="ltr" className="sum">
        {amount(token.shown)} {token.symbol}
      </bdi>
    </li>
  )
}

/** What is on its way is known; what was before is not. */
function Activity() {
  const t = useText()
  const hash = useSnapshot((snapshot) => snapshot.send.pendingHash)
  const url = useSnapshot((snapshot) => snapshot.send.pendingUrl)
  if (!hash) {
    return (
      <div data-testid="empty-activity-state">
        <Empty icon="clock" testid="empty-account-state" title={t('noActivity')} hint={t('noActivityHint')} />
      </div>
    )
  }
  const line = (
    <>
      <span className="tile medal">
        <span className="spinner" />
      </span>
      <span className="name">
        <span>{t('onItsWay')}</span>
        <small>{t('onItsWayHint')}</small>
      </span>
    </>
  )
  if (!url) return <div className="row">{line}</div>
  return (
    <a className="row" href={url} target="_blank" rel="noreferrer">
      {line}
      <Icon name="external" />
      <span className="unseen">{t('viewOnExplorer')}</span>
    </a>
  )
}
