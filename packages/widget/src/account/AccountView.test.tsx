import { cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import type { AccountState, Snapshot } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { AccountView } from './AccountView.tsx'
import { panels } from './panels.ts'

const { getAllByRole, getByRole, getByTestId, getByText, queryByRole, queryByTestId, queryByText } = screen

beforeAll(() => Promise.all([panels.load('nfts'), panels.load('activity')]))

function withAccount(change: Partial<AccountState>): Snapshot {
  const picture = pictureOf('Account.ready')
  return { ...picture, account: { accounts: picture.account.accounts.map((account) => ({ ...account, ...change })) } }
}

it('spec_2_12_shows_the_shortened_address_and_copies_it_on_request', () => {
  const { said } = draw(AccountView, 'Account.ready')
  expect(getByText('0xf3…b92266')).toBeTruthy()
  fireEvent.click(getByRole('button', { name: 'Copy address' }))
  expect(said).toEqual([{ feature: 'account', event: { type: 'copyAsked' } }])
})

it('spec_2_10_shows_the_balance_as_the_core_rounded_it_with_its_digits_grouped', () => {
  draw(AccountView, 'Account.ready')
  expect(getByTestId('balance-amount').textContent).toBe('10,000.000 ETH')
})

it('spec_2_11_shows_a_token_with_two_decimals', () => {
  draw(AccountView, 'Account.ready')
  expect(getByText('10,000.00 ETH')).toBeTruthy()
})

it('a balance on its way has a shape and no number', () => {
  draw(AccountView, 'Account.loading')
  expect(queryByTestId('balance-amount')).toBeNull()
  expect(getAllByRole('status', { name: 'Loading' }).length).toBeGreaterThan(0)
})

it('a balance that could not be had says so and can be asked for again', () => {
  const { said } = draw(AccountView, 'Account.unavailable')
  expect(getByText('Balance unavailable')).toBeTruthy()
  // It failed, so the list does not say that there is nothing.
  expect([getByText("Couldn't load tokens") !== null, queryByText('No tokens to show')]).toEqual([true, null])
  fireEvent.click(getByRole('button', { name: 'Try again' }))
  expect(said).toEqual([{ feature: 'account', event: { type: 'refreshAsked', ticket: null } }])
})

it('spec_2_10_a_balance_that_nobody_asks_for_is_not_drawn_as_if_it_were_on_its_way', () => {
  const picture = withAccount({ namespace: 'solana', balance: null, balanceState: 'unknown', tokenBalance: [] })
  draw(AccountView, { ...picture, network: { ...picture.network, activeNamespace: 'solana' } })
  expect(queryByRole('status', { name: 'Loading' })).toBeNull()
  expect(getByText('No tokens to show')).toBeTruthy()
  expect(getByText("Balances aren't available on this network.")).toBeTruthy()
})

it('says on Polkadot that nothing can be sent or swapped, and on no other network', () => {
  const sentence = "Sending and swapping aren't available on this network. Use your wallet."
  for (const namespace of ['polkadot', 'eip155', 'solana', 'bip122'] as const) {
    const picture = withAccount({ namespace, walletFeatures: ['receive'] })
    draw(AccountView, { ...picture, network: { ...picture.network, activeNamespace: namespace } })
    expect(queryByText(sentence) !== null, namespace).toBe(namespace === 'polkadot')
    cleanup()
  }
})

it('a balance that is asked for once the second half of the core is there has a shape already', () => {
  draw(AccountView, withAccount({ balance: null, balanceState: 'unknown', tokenBalance: [] }))
  expect(getAllByRole('status', { name: 'Loading' })).toHaveLength(2)
  expect(queryByText('No tokens to show')).toBeNull()
})

it('spec_4_21_on_a_chain_that_the_host_does_not_serve_there_is_no_balance_to_ask_for_again', () => {
  const picture = withAccount({ balance: null, balanceState: 'unavailable', tokenBalance: [] })
  draw(AccountView, { ...picture, network: { ...picture.network, unsupported: 'eip155:999' } })
  expect(getByText('Balance unavailable')).toBeTruthy()
  expect(getByText('Switch to a network that this site supports.')).toBeTruthy()
  expect(queryByRole('button', { name: 'Try again' })).toBeNull()
})

it('spec_2_8_has_three_tabs_and_shows_the_chosen_one', () => {
  const { said } = draw(AccountView, 'Account.nfts')
  expect(getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Tokens', 'NFTs', 'Activity'])
  expect(getByRole('tab', { selected: true }).textContent).toBe('NFTs')
  expect(getByRole('tabpanel', { name: 'NFTs' }).textContent).toMatch(/aren't available here/)
  fireEvent.click(getByRole('tab', { name: 'Activity' }))
  expect(said).toEqual([{ feature: 'account', event: { type: 'tabChosen', tab: 'activity' } }])
})

it('arrows go through the tabs, and only the chosen one is a stop of the Tab key', () => {
  const { said } = draw(AccountView, 'Account.ready')
  expect(getAllByRole('tab').map((tab) => tab.tabIndex)).toEqual([0, -1, -1])
  fireEvent.keyDown(getByRole('tab', { name: 'Tokens' }), { key: 'ArrowRight' })
  fireEvent.keyDown(getByRole('tab', { name: 'Tokens' }), { key: 'ArrowLeft' })
  fireEvent.keyDown(getByRole('tab', { name: 'Tokens' }), { key: 'a' })
  expect(said.map(({ event }) => event)).toEqual([
    { type: 'tabChosen', tab: 'nfts' },
    { type: 'tabChosen', tab: 'activity' }
  ])
})

it('the copy button has a tick while it says that the address was copied', () => {
  const picture = pictureOf('Account.ready')
  draw(AccountView, picture)
  expect(getByTestId('copy-address-button').dataset.done).toBe('false')
  cleanup()
  draw(AccountView, { ...picture, copied: picture.account.accounts[0]?.address ?? '' })
  expect(getByTestId('copy-address-button').dataset.done).toBe('true')
  expect(getByText('Copied').getAttribute('role')).toBe('status')
})

it('a transaction on its way opens its details, as every other one does', () => {
  const picture = pictureOf('Account.pending')
  const accounts = picture.account.accounts.map((account) => ({ ...account, currentTab: 'activity' as const }))
  const { said } = draw(AccountView, { ...picture, account: { accounts } })
  fireEvent.click(getByRole('button', { name: /Transaction pending/ }))
  const id = picture.send.pending[0]?.hash
  expect(said).toEqual([{ feature: 'detail', event: { type: 'transactionAsked', id } }])
})

it('without one it says honestly that there is nothing', () => {
  draw(AccountView, 'Account.activity')
  expect(getByText("Activity isn't available here")).toBeTruthy()
})

it('without a history and an explorer it leads to the wallet', () => {
  const picture = pictureOf('Account.activity')
  const accounts = picture.account.accounts.map((one) => ({ ...one, addressExplorerUrl: null }))
  draw(AccountView, { ...picture, account: { accounts } })
  expect(getByTestId('empty-state-description').textContent).toBe('See your transactions in your wallet.')
})

it('sending leads to the form', () => {
  const { said } = draw(AccountView, 'Account.ready')
  fireEvent.click(getByTestId('wallet-features-send-button'))
  expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'WalletSend' } }])
})

it('where sending is off there is no button for it', () => {
  const picture = pictureOf('Account.ready')
  const accounts = picture.account.accounts.map((account) => ({ ...account, walletFeatures: [] }))
  draw(AccountView, { ...picture, account: { accounts } })
  expect(queryByTestId('wallet-features-send-button')).toBeNull()
})

it('leads to the explorer and disconnects this account only', () => {
  const { said } = draw(AccountView, 'Account.ready')
  const link = getByRole('link', { name: 'View on explorer' })
  expect(link.getAttribute('href')).toMatch(/^https:\/\/scan-31337\.example\/address\/0xf39F/)
  fireEvent.click(getByTestId('disconnect-button'))
  expect(said).toEqual([{ feature: 'connect', event: { type: 'disconnectAsked', namespace: 'eip155', ticket: null } }])
})

it('the picture of the host stands for the wallet', () => {
  const picture = pictureOf('Account.ready')
  const accounts = picture.account.accounts.map((account) => ({
    ...account,
    connectedWalletInfo: account.connectedWalletInfo && { ...account.connectedWalletInfo, imageUrl: '/alpha.svg' }
  }))
  draw(AccountView, { ...picture, account: { accounts } })
  expect(document.querySelector('.by img')?.getAttribute('src')).toBe('/alpha.svg')
})

it('a press on the short address shows the whole one, and another one hides it', () => {
  draw(AccountView, 'Account.ready')
  const address = getByTestId('account-settings-address')
  const full = address.title
  expect([full.length, address.textContent, address.getAttribute('aria-expanded')]).toEqual([
    42,
    '0xf3…b92266',
    'false'
  ])
  fireEvent.click(address)
  expect([address.textContent, address.getAttribute('aria-expanded')]).toEqual([full, 'true'])
  fireEvent.click(address)
  expect(address.textContent).toBe('0xf3…b92266')
})

it('the whole address of one account does not make the next account show its own', () => {
  const shell = draw(AccountView, 'Account.ready')
  fireEvent.click(getByTestId('account-settings-address'))
  shell.tell(withAccount({ address: `0x${'1'.repeat(40)}`, shortAddress: '0x11…111111' }))
  expect(getByTestId('account-settings-address').textContent).toBe('0x11…111111')
})

it('what hosts look for by its test id is there', () => {
  draw(AccountView, 'Account.activity')
  expect(getByTestId('account-settings-address').textContent).toBe('0xf3…b92266')
  expect(getByTestId('wui-profile-button').contains(getByTestId('account-settings-address'))).toBe(true)
  const features = getByTestId('w3m-account-wallet-features-widget')
  expect(features.contains(getByTestId('wallet-features-send-button'))).toBe(true)
  const empty = getByTestId('empty-activity-state')
  expect(empty.contains(getByTestId('empty-account-state'))).toBe(true)
  expect(getByTestId('empty-state-text').textContent).toBe("Activity isn't available here")
  expect(getByTestId('empty-state-description').textContent).toBe('See your transactions on a block explorer.')
  cleanup()
  draw(AccountView, 'Account.nfts')
  expect(getByTestId('empty-template').textContent).toMatch(/aren't available here/)
})
