import { useState } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { NetworkList } from './NetworkList.tsx'
import { networkCss } from './network.css.ts'

/** A list that fits the card needs no search. */
const fits = 8

/** All networks of the host. */
export function NetworksView() {
  useStyle(networkCss)
  const t = useText()
  const dispatch = useDispatch()
  const networks = useSnapshot((snapshot) => snapshot.network.networks)
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = wanted ? networks.filter(({ name }) => name.toLowerCase().includes(wanted)) : networks
  return (
    <>
      {networks.length > fits && (
        <label className="search">
          <Icon name="search" />
          <input
            type="search"
            value={search}
            placeholder={t('searchNetworks')}
            aria-label={t('searchNetworks')}
            data-focus=""
            data-testid="wui-input-text"
            onChange={({ target }) => setSearch(target.value)}
          />
        </label>
      )}
      <NetworkList networks={found} />
      <p role="status" className="none">
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
    </>
  )
}
