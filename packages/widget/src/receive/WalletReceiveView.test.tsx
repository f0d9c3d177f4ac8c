import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { WalletReceiveView } from './WalletReceiveView.tsx'

const { getByRole, getByTestId, getByText, queryByTestId } = screen

it('shows the address whole, as a text and as a code, and copies it', () => {
  const { said } = draw(WalletReceiveView, 'WalletReceive.ready')
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  expect(getByTestId('receive-address').textContent).toBe(address)
  expect(getByRole('img', { name: 'QR code of your address' }).getAttribute('uri')).toBe(address)
  const button = getByRole('button', { name: new RegExp(`${address}.*Copy address`) })
  expect(button.dataset.testid).toBe('receive-address-copy-button')
  fireEvent.click(button)
  expect(said).toEqual([{ feature: 'account', event: { type: 'copyAsked' } }])
})

it('says on which network, and lists the others on which the address is the same', () => {
  draw(WalletReceiveView, 'WalletReceive.ready')
  expect(getByTestId('receive-network').textContent).toMatch(/^Send only assets on .*Anvil One.*listed here/)
  expect(getByTestId('receive-networks').textContent).toContain('Anvil Two')
})

it('where there is no other network it says that the one alone will do', () => {
  draw(WalletReceiveView, 'WalletReceive.named')
  expect(getByTestId('receive-network').textContent).toMatch(/^Send only assets on/)
  expect(queryByTestId('receive-networks')).toBeNull()
})

it('names no network where the wallet stands on none that the host serves', () => {
  const picture = pictureOf('WalletReceive.ready')
  draw(WalletReceiveView, { ...picture, receive: picture.receive && { ...picture.receive, networks: [] } })
  expect(queryByTestId('receive-network')).toBeNull()
  expect(getByTestId('receive-address')).toBeTruthy()
})

it('shows the name of the account', () => {
  draw(WalletReceiveView, 'WalletReceive.named')
  expect(getByText('alice.portico.eth')).toBeTruthy()
})

it('before the core has told the address there is the shape of a code', () => {
  draw(WalletReceiveView, { ...pictureOf('WalletReceive.ready'), receive: null })
  expect(getByTestId('wui-qr-code').getAttribute('aria-busy')).toBe('true')
  expect(queryByTestId('receive-address-copy-button')).toBeNull()
})

it('says that the address was copied', () => {
  const picture = pictureOf('WalletReceive.ready')
  draw(WalletReceiveView, { ...picture, copied: picture.receive?.address ?? '' })
  expect(screen.getByText('Copied').getAttribute('role')).toBe('status')
})
