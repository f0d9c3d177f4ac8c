import type { KeyboardEvent } from 'react'
import type { AccountState, Tab } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import { accountWords } from '../text/account.ts'
import type { KeyWith } from '../text/keys.ts'
import { useText } from '../text/text.tsx'
import { Part } from '../ui/lazy.tsx'
import { BoneDeeds, BoneTiles } from './Bones.tsx'
import { loadPanel, panels } from './panels.ts'
import { Tokens } from './Tokens.tsx'

const names: Readonly<Record<Tab, KeyWith<typeof accountWords>>> = {
  tokens: 'tabTokens',
  nfts: 'tabNfts',
  activity: 'tabActivity'
}

/** Tabs of the account, as its namespace and the host's features allow. */
export function Tabs({ account }: { account: AccountState }) {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const { currentTab: chosen, tabs } = account
  const choose = (tab: Tab) => dispatch({ feature: 'account', event: { type: 'tabChosen', tab } })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const forward = event.currentTarget.matches(':dir(rtl)') ? 'ArrowLeft' : 'ArrowRight'
    const step = event.key === forward ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? -1 : 0
    const ends = { Home: tabs[0], End: tabs.at(-1) }[event.key]
    const next = ends ?? (step ? tabs[(tabs.indexOf(chosen) + step + tabs.length) % tabs.length] : undefined)
    if (!next) return
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
            onPointerEnter={() => void loadPanel(tab)}
            onFocus={() => void loadPanel(tab)}
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
  const { currentTab: tab } = account
  return tab === 'tokens' ? (
    <Tokens account={account} />
  ) : (
    <Part key={tab} of={panels} name={tab} skeleton={tab === 'nfts' ? BoneTiles : BoneDeeds} />
  )
}
