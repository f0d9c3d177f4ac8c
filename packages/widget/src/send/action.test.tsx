import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { WalletSendView } from './WalletSendView.tsx'

const { getByRole } = screen

describe('the button of the form to send', () => {
  it.each([
    ['WalletSend.empty', {}, 'Enter an amount'],
    ['WalletSend.suggestions', { sendTokenAmount: '1' }, 'Enter a recipient'],
    ['WalletSend.faults', {}, 'Not enough ETH'],
    ['WalletSend.insufficient', {}, 'Not enough ETH'],
    ['WalletSend.token', { amountFault: 'insufficientGas' as const }, 'Not enough ETH'],
    ['WalletSend.filled', { amountFault: 'notANumber' as const }, 'Check the amount'],
    ['WalletSend.filled', { receiverFault: 'wrongChecksum' as const }, 'Check the recipient'],
    ['WalletSend.resolving', {}, 'Review'],
    ['WalletSend.reverts', {}, 'Check the recipient'],
    ['WalletSend.unreadable', {}, 'Check the amount']
  ])('the button of %s with %j says what is missing, looks like no way on, and tells more when pressed', (...args) => {
    const [name, changes, words] = args
    const picture = pictureOf(name)
    const { said } = draw(WalletSendView, { ...picture, send: { ...picture.send, ...changes } })
    const button = screen.getByTestId('send-review')
    expect([button.textContent, button.classList.contains('primary')]).toEqual([words, false])
    fireEvent.click(button)
    expect(said).toEqual([{ feature: 'send', event: { type: 'reviewAsked' } }])
  })

  it('the button of a form that can go on looks like the way on', () => {
    draw(WalletSendView, 'WalletSend.filled')
    const button = getByRole('button', { name: 'Review' })
    expect(button.classList.contains('primary')).toBe(true)
  })
})
