import { cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { ConnectingExternalView } from './ConnectingExternalView.tsx'

const { getByRole, getByText, queryByRole, queryByText } = screen

it('while the wallet decides it says what to do and offers nothing else', () => {
  draw(ConnectingExternalView, 'ConnectingExternal.waiting')
  expect(getByRole('status').textContent).toBe('Continue in Alpha WalletApprove the connection in your wallet.')
  expect(queryByRole('button')).toBeNull()
})

it.each([
  ['slow', 'Still waiting', 'Try again'],
  ['pending', 'A request is already open in Alpha Wallet', 'Try again'],
  ['refused', 'Request declined', 'Try again'],
  ['failed', "Couldn't connect", 'Try again']
])('when it is %s it says so and another try can be asked for', (phase, title, again) => {
  const { said } = draw(ConnectingExternalView, `ConnectingExternal.${phase}`)
  expect(getByText(title)).toBeTruthy()
  fireEvent.click(getByRole('button', { name: again }))
  expect(said).toEqual([{ feature: 'connect', event: { type: 'retryAsked' } }])
})

it('a failure is told in the words of the wallet, a refusal in ours', () => {
  draw(ConnectingExternalView, 'ConnectingExternal.failed')
  expect(getByText('Message from Alpha Wallet')).toBeTruthy()
  expect(getByText('The provider is disconnected from all chains.')).toBeTruthy()
  draw(ConnectingExternalView, 'ConnectingExternal.refused')
  expect(queryByText('User rejected the request.')).toBeNull()
})

it('spec_8_50_a_wallet_is_not_quoted_with_our_own_words', () => {
  const picture = pictureOf('ConnectingExternal.failed')
  const error = { code: -32603, kind: 'internal' as const, message: 'Account not found for connector' }
  const { attempt } = picture.connect
  if (!attempt) throw new Error('There is no attempt')
  draw(ConnectingExternalView, {
    ...picture,
    connect: { ...picture.connect, attempt: { ...attempt, error, own: true } }
  })
  expect(getByText('Account not found for connector')).toBeTruthy()
  expect(queryByText('Message from Alpha Wallet')).toBeNull()
})

it('the picture of the host goes before the announced one', () => {
  const picture = pictureOf('ConnectingExternal.waiting')
  const { attempt } = picture.connect
  const drawn = () => document.querySelector('img')?.getAttribute('src')
  draw(ConnectingExternalView, picture)
  expect(drawn()).toBe(`data:image/svg+xml,${attempt?.handle}`)
  cleanup()
  const own = attempt && { ...attempt, imageUrl: '/alpha.svg' }
  draw(ConnectingExternalView, { ...picture, connect: { ...picture.connect, attempt: own } })
  expect(drawn()).toBe('/alpha.svg')
})
