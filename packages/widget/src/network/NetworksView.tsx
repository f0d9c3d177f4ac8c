import { useState } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { networkWords } from '../text/networks.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Arrows } from '../ui/Arrows.tsx'
import { Button } from '../ui/Button.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { searchCss } from '../ui/search.css.ts'
import { NetworkList } from './NetworkList.tsx'
import { networkCss } from './network.css.ts'

/** Longest list that needs no search: it fits the card. */
const fits = 8

/** All networks of the host. */
export function NetworksView() {
  useStyle(networkCss)
  useStyle(searchCss)
  const t = useText(networkWords)
  const dispatch = useDispatch()
  const networks = useSnapshot((snapshot) => snapshot.network.networks)
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = wanted ? networks.filter(({ name }) => name.toLowerCase().includes(wanted)) : networks
  return (
    <Arrows>
      {networks.length > fits && (
        <SearchField value={search} label={t('searchNetworks')} testid="wui-input-text" onTyped={setSearch} />
      )}
      <NetworkList networks={found} />
      <p role="status" className="unmatched">
        {found.length === 0 && t('noNetwork')}
      </p>
      <div className="foot">
        <Button
          kind="plain"
          icon="help"
          onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'WhatIsANetwork' } })}
        >
          {t('titleWhatIsANetwork')}
        </Button>
      </div>
    </Arrows>
  )
}
