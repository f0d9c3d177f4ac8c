import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw } from '../testing/draw.tsx'
import { ConnectingMultiChainView } from './ConnectingMultiChainView.tsx'

const { getAllByRole, getByRole, getByText } = screen

it('a wallet of several namespaces offers each by its name, with the networks of the site there', () => {
  const { said } = draw(ConnectingMultiChainView, 'ConnectingMultiChain.chains')
  getByText('Alpha Wallet works on several networks. Choose one to connect.')
  expect(getAllByRole('button').map((button) => button.querySelector('.name')?.textContent)).toEqual([
    'EthereumAnvil One, Anvil Two',
    'Solana',
    'Bitcoin'
  ])
  fireEvent.click(getByRole('button', { name: /Solana/ }))
  expect(said).toEqual([{ feature: 'connect', event: { type: 'chainChosen', connector: 'solana.alpha' } }])
})

it('nothing is drawn once the wallet is gone', () => {
  draw(ConnectingMultiChainView, 'Connect.wallets')
  expect(document.querySelector('button')).toBeNull()
})
