import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { ConnectView } from './ConnectView.tsx'

const { getAllByRole, getByRole, getByTestId, getByText, queryByRole } = screen

it('spec_2_15_groups_stand_in_the_order_of_the_core_and_carry_their_names', () => {
  draw(ConnectView, 'Connect.recent')
  const lists = getAllByRole('list')
  expect(lists.map((list) => list.getAttribute('aria-label'))).toEqual(['Recently used', 'In this browser'])
  expect(lists.map((list) => within(list).getAllByRole('button').length)).toEqual([1, 2])
})

it('spec_2_16_without_a_group_there_is_no_list', () => {
  draw(ConnectView, 'Connect.empty')
  expect(queryByRole('list')).toBeNull()
})

it('a wallet is a button called by its name and how it stands', () => {
  draw(ConnectView, 'Connect.recent')
  expect(getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Alpha WalletRecent',
    'BetaInstalled',
    'Gamma VaultInstalled',
    'All Wallets'
  ])
})

it('choosing a wallet says which', () => {
  const { said } = draw(ConnectView, 'Connect.wallets')
  fireEvent.click(getByTestId('wallet-selector-example.beta'))
  expect(said).toEqual([{ feature: 'connect', event: { type: 'walletChosen', connector: 'example.beta' } }])
})

it('an announced picture is drawn, and its place is taken by a letter when it breaks', () => {
  draw(ConnectView, 'Connect.wallets')
  const row = getByTestId('wallet-selector-example.beta')
  const picture = row.querySelector('img')
  expect(picture?.getAttribute('src')).toBe('data:image/svg+xml,uuid-example.beta')
  if (picture) fireEvent.error(picture)
  expect(row.querySelector('img')).toBeNull()
  expect(row.querySelector('.letter')?.textContent).toBe('B')
})

it('while wallets may still come their shape is there and a reader is told', () => {
  draw(ConnectView, 'Connect.discovering')
  expect(getByRole('status', { name: 'Looking for wallets in this browser' })).toBeTruthy()
  expect(queryByRole('button')).toBeNull()
})

it('who has no wallet is shown the best known, and the way to all others', () => {
  const { said } = draw(ConnectView, 'Connect.recommended')
  expect(screen.getByRole('list', { name: 'Recommended' }).children.length).toBe(4)
  fireEvent.click(getByTestId('wallet-selector-io.metamask'))
  fireEvent.click(getByTestId('all-wallets'))
  expect(said).toEqual([
    { feature: 'connect', event: { type: 'walletChosen', connector: 'io.metamask' } },
    { feature: 'modal', event: { type: 'viewAsked', view: 'AllWallets' } }
  ])
})

it('where there is no wallet it says so, and what one is', () => {
  const { said } = draw(ConnectView, 'Connect.empty')
  expect(getByText('No wallet found')).toBeTruthy()
  fireEvent.click(getByRole('button', { name: 'What is a Wallet?' }))
  expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'WhatIsAWallet' } }])
})

it('legal pages are named where the host has them', () => {
  const picture = pictureOf('Connect.wallets')
  const pages = { termsUrl: 'https://host.example/terms', privacyUrl: 'https://host.example/privacy' }
  draw(ConnectView, { ...picture, config: { ...picture.config, ...pages } })
  expect(
    getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')])
  ).toEqual([
    ['Terms of Service', 'https://host.example/terms', 'noreferrer'],
    ['Privacy Policy', 'https://host.example/privacy', 'noreferrer']
  ])
})

it('spec_2_14_a_part_is_drawn_for_each_method_of_the_core_and_where_there_is_none_it_says_so', () => {
  draw(ConnectView, 'Connect.noMethod')
  expect(getByText('No wallets available')).toBeTruthy()
  expect(queryByRole('button')).toBeNull()
  const picture = pictureOf('Connect.wallets')
  draw(ConnectView, { ...picture, connect: { ...picture.connect, methods: ['email', 'social', 'wallet'] } })
  expect(getByTestId('wallet-selector-example.beta')).toBeTruthy()
})
