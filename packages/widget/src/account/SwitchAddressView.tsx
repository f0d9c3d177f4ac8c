import { useState } from 'react'
import type { AccountState } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { accountsWords } from '../text/accounts.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Arrows } from '../ui/Arrows.tsx'
import { Chosen } from '../ui/Chosen.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Row } from '../ui/Row.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Avatar } from './Avatar.tsx'
import { accountCss } from './account.css.ts'
import { accountsCss } from './accounts.css.ts'

/** Longest list that needs no search: it fits the card. */
const FITS = 8

/** Maximum number of rows; the search reaches the others. A wallet may share a thousand accounts. */
const MOST_ROWS = 100

/** Accounts that the connected wallet shares, the one in use first. */
export function SwitchAddressView() {
  useStyle(accountCss)
  useStyle(accountsCss)
  const t = useText(accountsWords)
  const account = useSnapshot(activeAccount)
  const [search, setSearch] = useState('')
  if (!account) return null
  const wanted = search.trim().toLowerCase()
  const all = account.allAccounts.map(({ address }) => ({ address, name: nameOf(account, address) }))
  const found = all.filter(({ address, name }) => `${name ?? ''} ${address}`.toLowerCase().includes(wanted))
  const searched = all.length > FITS
  return (
    <Arrows>
      {searched && (
        <SearchField value={search} label={t('searchAccounts')} testid="wui-input-text" onTyped={setSearch} />
      )}
      <ul className="rows accounts">
        {found.slice(0, MOST_ROWS).map(({ address, name }) => (
          <li key={address}>
            <Account account={account} address={address} name={name} />
          </li>
        ))}
      </ul>
      {searched && (
        <p role="status" className="unmatched">
          {found.length === 0 && t('noAccount')}
          {found.length > MOST_ROWS && t('moreAccounts', `${MOST_ROWS}`, `${found.length}`)}
        </p>
      )}
    </Arrows>
  )
}

/** Name of the host for an address, else the one that the wallet gave to it. */
function nameOf({ addressLabels, names }: AccountState, address: string): string | undefined {
  return addressLabels[address] ?? names[address]
}

function Account({
  account: { namespace, address: active },
  address,
  name
}: {
  readonly account: AccountState
  readonly address: string
  readonly name: string | undefined
}) {
  const t = useText(accountsWords)
  const dispatch = useDispatch()
  const copied = useSnapshot((snapshot) => snapshot.copied)
  const short = shortened(address)
  const current = address === active
  return (
    <>
      <Row
        picture={<Avatar address={address} />}
        name={name ?? short}
        note={name && <bdi dir="ltr">{short}</bdi>}
        current={current}
        testid="switch-address-item"
        end={current && <Chosen />}
        onClick={() =>
          dispatch({ feature: 'connect', event: { type: 'accountAsked', namespace, address, ticket: null } })
        }
      />
      <CopyButton
        text={address}
        copied={copied}
        label={t('copyAddressOf', name ?? short)}
        testid="switch-address-copy"
        onCopy={() => dispatch({ feature: 'account', event: { type: 'textCopyAsked', text: address } })}
      />
    </>
  )
}

/** First 4 and last 6 characters of an address, as in the account view (spec 2.12). */
function shortened(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-6)}`
}
