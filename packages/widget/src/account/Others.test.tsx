import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { AccountState, Namespace, Snapshot } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { AccountView } from './AccountView.tsx'
import { others } from './panels.ts'

const { getByRole, getByTestId, queryByRole, queryByTestId } = screen

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

const names = () => [...document.querySelectorAll('.others button')].map((button) => button.getAttribute('aria-label'))

function withAccount(picture: Snapshot, namespace: Namespace, change: Partial<AccountState>): Snapshot {
  const accounts = picture.account.accounts.map((one) => (one.namespace === namespace ? { ...one, ...change } : one))
  return { ...picture, account: { accounts } }
}

it('an EVM-only host fetches nothing more, and its account view has no place for others', () => {
  const load = vi.spyOn(others, 'need')
  draw(AccountView, 'Account.ready')
  expect(load).not.toHaveBeenCalled()
  expect([document.querySelector('.beside'), queryByTestId('disconnect-all-button')]).toEqual([null, null])
  load.mockRestore()
})

it('the lines of the other accounts are free before their file is there', async () => {
  draw(AccountView, 'Account.beside.all')
  const place = document.querySelector<HTMLElement>('.beside')
  expect([place?.style.minHeight, names()]).toEqual(['96px', []])
  await act(() => others.load('Others'))
  expect(names()).toHaveLength(3)
  cleanup()
  draw(AccountView, 'Account.beside.one')
  expect(document.querySelector<HTMLElement>('.beside')?.style.minHeight).toBe('44px')
})

it('each other account is named with its network, and a press makes it the active one', () => {
  const { said } = draw(AccountView, 'Account.beside.all')
  expect(names()).toEqual([
    'Switch to 7S3P…ArAaKv on Solana',
    'Switch to bc1q…v8f3t4 on Bitcoin',
    'Switch to 15oF…Hr6Sp5 on Polkadot'
  ])
  fireEvent.click(getByTestId('account-switch-solana'))
  expect(said).toEqual([{ feature: 'network', event: { type: 'networkChosen', chain: SOLANA } }])
})

it('spec_4_14_the_other_accounts_are_busy_while_a_wallet_of_another_namespace_switches', () => {
  const busy = () => document.querySelector('.others')?.getAttribute('aria-busy')
  draw(AccountView, 'Account.beside.all')
  expect(busy()).toBe('false')
  cleanup()
  const picture = pictureOf('Account.beside.all')
  draw(AccountView, { ...picture, network: { ...picture.network, namespaceSwitching: true } })
  expect(busy()).toBe('true')
})

it('an account with a name of the host is called by it', () => {
  const picture = pictureOf('Account.beside.one')
  const address = picture.account.accounts.find(({ namespace }) => namespace === 'solana')?.address ?? ''
  draw(AccountView, withAccount(picture, 'solana', { addressLabels: { [address]: 'Savings' } }))
  expect(names()).toEqual(['Switch to Savings on Solana'])
})

it('a namespace without an account offers to connect a wallet there', () => {
  const { said } = draw(AccountView, 'Account.beside.some')
  expect(names()).toEqual(['Switch to 7S3P…ArAaKv on Solana', 'Connect Bitcoin'])
  fireEvent.click(getByRole('button', { name: 'Connect Bitcoin' }))
  const chain = 'bip122:000000000019d6689c085ae165831e93'
  expect(said).toEqual([{ feature: 'network', event: { type: 'networkChosen', chain } }])
})

it('a namespace without an adapter is not offered', () => {
  const picture = pictureOf('Account.beside.some')
  const chains = picture.network.chains.map((one) => ({ ...one, adapter: one.namespace !== 'bip122' }))
  draw(AccountView, { ...picture, network: { ...picture.network, chains } })
  expect(names()).toEqual(['Switch to 7S3P…ArAaKv on Solana'])
})

it('a wallet that is coming back is not offered a second time meanwhile', () => {
  const { said } = draw(AccountView, 'Account.beside.returning')
  const button = getByTestId('account-connect-solana')
  expect([button.ariaBusy ?? button.getAttribute('aria-busy'), button.getAttribute('aria-disabled')]).toEqual([
    'true',
    'true'
  ])
  fireEvent.click(button)
  expect(said).toEqual([])
})

it('after a switch the focus stays, the next press goes back, and the account in use is told', () => {
  const picture = pictureOf('Account.beside.one')
  const shell = draw(AccountView, picture)
  const told = () => document.querySelector('.beside [role=status]')?.textContent
  expect(told()).toBe('0xf3…b92266 on Anvil One')
  const button = getByTestId('account-switch-solana')
  button.focus()
  const active = picture.network.networks.find(({ caipNetworkId }) => caipNetworkId === SOLANA) ?? null
  shell.tell({ network: { ...picture.network, activeNamespace: 'solana', active } })
  expect(told()).toBe('7S3P…ArAaKv on Solana')
  expect(document.activeElement).toBe(button)
  fireEvent.click(button)
  expect(shell.said).toEqual([{ feature: 'network', event: { type: 'networkChosen', chain: 'eip155:31337' } }])
})

it('in Arabic a shortened address keeps its direction', () => {
  draw(AccountView, 'Account.beside.one', arabic)
  expect(getByTestId('account-switch-solana').querySelector('bdi')?.dir).toBe('ltr')
  expect(names()[0]).toMatch(/^التبديل إلى/)
})

it('spec_4_6_all_accounts_are_disconnected_at_once_where_one_disconnection_would_leave_some', () => {
  const { said } = draw(AccountView, 'Account.beside.one')
  fireEvent.click(getByRole('button', { name: 'Disconnect' }))
  fireEvent.click(getByTestId('disconnect-all-button'))
  expect(said.map(({ event }) => event)).toEqual([
    { type: 'disconnectAsked', namespace: 'eip155', ticket: null },
    { type: 'disconnectAsked', namespace: null, ticket: null }
  ])
})

it('spec_4_8_accounts_of_one_session_end_together_so_there_is_one_button', () => {
  const picture = pictureOf('Account.beside.one')
  const accounts = picture.account.accounts.map((one) => ({ ...one, connector: 'walletConnect' }))
  draw(AccountView, { ...picture, account: { accounts } })
  expect(queryByRole('button', { name: 'Disconnect all' })).toBeNull()
  expect(names()).toEqual(['Switch to 7S3P…ArAaKv on Solana'])
})
