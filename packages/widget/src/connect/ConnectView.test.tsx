import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ConnectorGroup } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { ConnectView } from './ConnectView.tsx'

const { findByTestId, getAllByRole, getByRole, getByTestId, getByText, queryByRole } = screen

it('spec_2_15_groups_stand_in_the_order_of_the_core_and_carry_their_names', () => {
  draw(ConnectView, 'Connect.recent')
  const lists = getAllByRole('list')
  expect(lists.map((list) => list.getAttribute('aria-label'))).toEqual(['Recently used', 'In this browser'])
  expect(lists.map((list) => within(list).getAllByRole('button').length)).toEqual([1, 2])
})

it('spec_2_15_all_seven_groups_are_drawn_in_the_order_of_the_core_whatever_it_is', () => {
  const picture = pictureOf('Connect.recent')
  const [item] = picture.wallets.groups.flatMap((group) => group.items)
  if (!item) throw new Error('The snapshot has no wallet')
  const names = {
    walletConnect: 'WalletConnect',
    recent: 'Recently used',
    injected: 'In this browser',
    featured: 'Featured',
    custom: 'More wallets',
    external: 'Other wallets',
    recommended: 'Recommended'
  }
  const kinds = Object.keys(names) as ConnectorGroup[]
  for (const order of [kinds, kinds.toReversed()]) {
    const groups = order.map((kind) => ({ kind, items: [{ ...item, id: kind }] }))
    draw(ConnectView, { ...picture, wallets: { ...picture.wallets, groups } })
    const lists = getAllByRole('list')
    expect(lists.map((list) => list.getAttribute('aria-label'))).toEqual(order.map((kind) => names[kind]))
    const rows = lists.map((list) => within(list).getByRole('button').dataset.testid)
    expect(rows).toEqual(order.map((kind) => `wallet-selector-${kind.toLowerCase()}`))
    cleanup()
  }
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

it('spec_2_14_methods_stand_in_the_order_of_the_core_whatever_it_is', async () => {
  const picture = pictureOf('Connect.socialsWithWallets')
  const parts = {
    email: 'wui-email-input',
    social: 'w3m-social-login-widget',
    wallet: 'w3m-connect-scroll-view'
  }
  for (const methods of [
    ['email', 'social', 'wallet'],
    ['wallet', 'email', 'social'],
    ['social', 'wallet', 'email']
  ] as const) {
    draw(ConnectView, { ...picture, connect: { ...picture.connect, methods } })
    await Promise.all(Object.values(parts).map((id) => findByTestId(id)))
    const drawn = [...document.querySelectorAll<HTMLElement>('[data-testid]')].map(({ dataset }) => dataset.testid)
    expect(drawn.filter((id) => Object.values(parts).includes(String(id)))).toEqual(methods.map((name) => parts[name]))
    cleanup()
  }
})
