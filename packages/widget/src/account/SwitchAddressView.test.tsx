import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AccountState, Namespace, Snapshot } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { AccountView } from './AccountView.tsx'
import { SwitchAddressView } from './SwitchAddressView.tsx'

const { getAllByTestId, getByTestId, getByRole, queryByTestId, queryByRole } = screen

const SAVINGS = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
const SECOND = '14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3'

const rows = () => getAllByTestId('switch-address-item')
const texts = () => rows().map(({ textContent }) => textContent)

function changed(name: string, namespace: Namespace, change: (account: AccountState) => Partial<AccountState>) {
  const picture = pictureOf(name)
  const accounts = picture.account.accounts.map((one) =>
    one.namespace === namespace ? { ...one, ...change(one) } : one
  )
  return { ...picture, account: { accounts } } satisfies Snapshot
}

/** Picture of a Solana wallet that shares this many accounts more than its first. */
const sharing = (more: number) =>
  changed('SwitchAddress.many', 'solana', ({ allAccounts: [first] }) => ({
    allAccounts: [
      first,
      ...Array.from({ length: more }, (_, index) => ({ ...first, address: `So1${index}x` }))
    ] as never
  }))

describe('the way to the other accounts', () => {
  it('is in the account view of a wallet that shares several, and opens the list', () => {
    const { said } = draw(AccountView, 'Account.polkadot.several')
    expect(getByTestId('account-name').textContent).toBe('Savings')
    const way = getByTestId('w3m-profile-button')
    expect([way.textContent, way.dataset.ahead]).toEqual(['Switch account', 'SwitchAddress'])
    fireEvent.click(way)
    expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'SwitchAddress' } }])
  })

  it.each(['Account.polkadot', 'Account.solana', 'Account.bitcoin', 'Account.ready', 'Account.embedded'])(
    'is not in the view of a single account: %s',
    (name) => {
      draw(AccountView, name)
      expect(queryByTestId('w3m-profile-button')).toBeNull()
    }
  )

  it('is not in the view of an EVM wallet, whose own order counts', () => {
    const several = changed('Account.ready', 'eip155', ({ allAccounts: [first] }) => ({
      allAccounts: [first, { ...first, address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }] as never
    }))
    draw(AccountView, several)
    expect(queryByTestId('w3m-profile-button')).toBeNull()
  })
})

describe('the list of accounts', () => {
  it('shows names and short addresses, and marks the one in use', () => {
    draw(SwitchAddressView, 'SwitchAddress.named')
    expect(texts()).toEqual([
      'Savings15oF…Hr6Sp5Current',
      'gnidarT14E5…NcKVf3',
      'Allowance of the committee for the summer school13UV…PhFsTB',
      '1zug…GgmNnS'
    ])
    expect(rows().map((row) => row.getAttribute('aria-current'))).toEqual(['true', null, null, null])
    expect(queryByRole('searchbox')).toBeNull()
  })

  it('chooses an account by a press, and moves between the rows by the arrow keys', () => {
    const { said } = draw(SwitchAddressView, 'SwitchAddress.named')
    const [first, second] = rows()
    first?.focus()
    fireEvent.keyDown(first as Element, { key: 'End' })
    expect(document.activeElement).toBe(rows()[3])
    fireEvent.click(second as Element)
    expect(said).toEqual([
      {
        feature: 'connect',
        event: { type: 'accountAsked', namespace: 'polkadot', address: SECOND, ticket: null }
      }
    ])
  })

  it('copies the whole address, and says so at that row alone', () => {
    const shell = draw(SwitchAddressView, 'SwitchAddress.named')
    fireEvent.click(getByRole('button', { name: 'Copy address of Savings' }))
    expect(shell.said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text: SAVINGS } }])
    shell.tell({ copied: SAVINGS })
    expect(getAllByTestId('switch-address-copy').map(({ dataset }) => dataset.done)).toEqual([
      'true',
      'false',
      'false',
      'false'
    ])
  })

  it('prefers the name that the host gave', () => {
    draw(
      SwitchAddressView,
      changed('SwitchAddress.named', 'polkadot', () => ({ addressLabels: { [SAVINGS]: 'Treasury' } }))
    )
    expect(texts()[0]).toContain('Treasury')
  })

  it('has a search where it is long, by name and address', () => {
    draw(SwitchAddressView, 'SwitchAddress.many')
    expect(rows()).toHaveLength(12)
    const search = getByRole('searchbox', { name: 'Search accounts' })
    fireEvent.change(search, { target: { value: ' ar3akv ' } })
    expect(rows()).toHaveLength(1)
    fireEvent.change(search, { target: { value: 'nobody' } })
    expect(queryByTestId('switch-address-item')).toBeNull()
    expect(document.querySelector('.unmatched')?.textContent).toBe('No accounts found. Try another name or address.')
  })

  it('draws a hundred rows of a thousand accounts, and the search finds the others', () => {
    draw(SwitchAddressView, sharing(999))
    expect(rows()).toHaveLength(100)
    expect(document.querySelector('.unmatched')?.textContent).toBe('Showing 100 of 1000. Search to find the others.')
    fireEvent.change(getByRole('searchbox'), { target: { value: 'So1998x' } })
    expect(rows()).toHaveLength(1)
  })

  it('is in Arabic too, with addresses from left to right', () => {
    draw(SwitchAddressView, 'SwitchAddress.named', arabic)
    const [first] = rows()
    expect(within(first as HTMLElement).getByText('15oF…Hr6Sp5').dir).toBe('ltr')
    expect(getAllByTestId('switch-address-copy')[0]?.getAttribute('aria-label')).toBe('نسخ عنوان \u2068Savings\u2069')
  })
})
