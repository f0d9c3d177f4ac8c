import { cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Snapshot, WalletFeature } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useSnapshot } from '../shell/react.tsx'
import { draw, pictureOf } from '../testing/draw.tsx'
import { Features } from './Features.tsx'

const { getAllByRole, getByTestId, queryByTestId } = screen

function Shown() {
  const account = useSnapshot(activeAccount)
  return account ? <Features account={account} /> : null
}

function withFeatures(walletFeatures: WalletFeature[]): Snapshot {
  const picture = pictureOf('Account.features')
  const accounts = picture.account.accounts.map((account) => ({ ...account, walletFeatures }))
  return { ...picture, account: { accounts } }
}

it('spec_6_8_draws_the_buttons_in_the_order_of_the_core', () => {
  draw(Shown, 'Account.features')
  expect(getAllByRole('button').map((button) => button.textContent)).toEqual(['Buy', 'Swap', 'Receive', 'Send'])
  cleanup()
  draw(Shown, withFeatures(['send', 'onramp']))
  expect(getAllByRole('button').map((button) => button.textContent)).toEqual(['Send', 'Buy'])
})

it('spec_6_4_draws_nothing_where_everything_is_off', () => {
  draw(Shown, withFeatures([]))
  expect(queryByTestId('w3m-account-wallet-features-widget')).toBeNull()
})

it('each leads to its view, whose file is fetched while the pointer is on it, under either of the names that hosts know', () => {
  const { said } = draw(Shown, 'Account.features')
  const views = { onramp: 'OnRampProviders', swaps: 'Swap', receive: 'WalletReceive', send: 'WalletSend' }
  for (const [feature, view] of Object.entries(views)) {
    const button = getByTestId(`wallet-features-${feature}-button`)
    expect(getByTestId(`w3m-account-default-${feature}-button`).firstElementChild).toBe(button)
    expect(button.dataset.ahead).toBe(view)
    fireEvent.click(button)
    expect(said.at(-1)).toEqual({ feature: 'modal', event: { type: 'viewAsked', view } })
  }
})

it.each([
  ['solana', 'SolanaSend'],
  ['bip122', 'BitcoinSend']
] as const)('sending on %s has a view of its own', (namespace, view) => {
  const picture = withFeatures(['send'])
  const accounts = picture.account.accounts.map((account) => ({ ...account, namespace }))
  const { said } = draw(() => accounts[0] && <Features account={accounts[0]} />, picture)
  fireEvent.click(getByTestId('wallet-features-send-button'))
  expect(getByTestId('wallet-features-send-button').dataset.ahead).toBe(view)
  expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view } }])
})
