import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SolanaReceiverFault, SolanaTrouble, SolanaView } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { SolanaSendConfirmedView } from './SolanaSendConfirmedView.tsx'
import { SolanaSendPreviewView } from './SolanaSendPreviewView.tsx'
import { SolanaSendSelectTokenView } from './SolanaSendSelectTokenView.tsx'
import { SolanaSendView } from './SolanaSendView.tsx'

const { getByRole, getByText, getByTestId } = screen

/** Snapshot with other values of the payment. */
function withOthers(name: string, others: Partial<SolanaView>) {
  const picture = pictureOf(name)
  return { ...picture, solana: { ...(picture.solana as SolanaView), ...others } }
}

describe('SolanaSend', () => {
  it('tells the core what is typed, and that the form is to be reviewed', () => {
    const { said } = draw(SolanaSendView, 'SolanaSend.empty')
    fireEvent.change(getByRole('textbox', { name: 'Amount' }), { target: { value: '1' } })
    fireEvent.change(getByRole('textbox', { name: 'To' }), { target: { value: 'abc\n' } })
    fireEvent.click(getByTestId('send-max'))
    fireEvent.click(getByTestId('send-review'))
    expect(said).toEqual([
      { feature: 'solana', event: { type: 'amountTyped', text: '1' } },
      { feature: 'solana', event: { type: 'receiverTyped', text: 'abc' } },
      { feature: 'solana', event: { type: 'maxAsked' } },
      { feature: 'solana', event: { type: 'reviewAsked' } }
    ])
  })

  it('the button says what is missing, and is alive once the payment was tried', () => {
    draw(SolanaSendView, 'SolanaSend.empty')
    expect(getByTestId('send-review').textContent).toBe('Enter an amount')
    cleanup()
    draw(SolanaSendView, 'SolanaSend.filled')
    expect(getByTestId('send-review').textContent).toBe('Review')
    cleanup()
    draw(SolanaSendView, withOthers('SolanaSend.filled', { trouble: 'coin', troubleAmount: '0.000005' }))
    expect(getByTestId('send-review').textContent).toBe('Not enough SOL')
    expect(getByText('Not enough for the network fee. You need 0.000005 SOL.')).toBeTruthy()
  })

  it('who was paid last is offered below an empty field, and an address that looks like it is told', () => {
    const { said } = draw(SolanaSendView, 'SolanaSend.recent')
    const address = '2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1'
    fireEvent.click(getByText(address))
    expect(said).toEqual([{ feature: 'solana', event: { type: 'receiverTyped', text: address } }])
    cleanup()
    draw(SolanaSendView, 'SolanaSend.lookAlike')
    expect(getByTestId('send-warning-lookAlike').className).toBe('warn grave')
    expect(getByTestId('send-warning-lookAlike').textContent).toContain(address)
    // The one character that differs stands out.
    expect(getByTestId('send-warning-lookAlike').querySelector('b')?.textContent).toBe(address[20])
  })

  it('a payment to an address that looks like one that was paid takes a red button', () => {
    draw(SolanaSendPreviewView, withOthers('SolanaSendPreview.ready', { warnings: ['lookAlike'] }))
    expect(getByTestId('send-confirm').className).toBe('button grave')
    expect(getByTestId('send-confirm').textContent).toBe('Send anyway')
  })

  it('a payment that no node tried can be tried again', () => {
    const { said } = draw(SolanaSendView, withOthers('SolanaSend.filled', { trouble: 'untried', ready: false }))
    const again = getByRole('button', { name: 'Try again' })
    expect(again.className).not.toContain('lacks')
    fireEvent.click(again)
    expect(said).toEqual([{ feature: 'solana', event: { type: 'reviewAsked' } }])
  })

  it('a balance that could not be read says so, and the button tries again', () => {
    const { solana } = pictureOf('SolanaSend.empty')
    const token = { ...solana?.token, balance: null, shown: null, state: 'unreadable' } as SolanaView['token']
    const { said } = draw(SolanaSendView, withOthers('SolanaSend.empty', { token }))
    expect(getByText('Balance unavailable')).toBeTruthy()
    expect(getByText("Couldn't load your balance. Try again.").closest('#amount-fault')).toBeTruthy()
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'solana', event: { type: 'reviewAsked' } }])
  })

  it.each<[SolanaReceiverFault, RegExp]>([
    ['notAnAddress', /^Not a valid Solana address/],
    ['wrongLength', /^This address is too short or too long/],
    ['otherNamespace', /^This address is for another network/],
    ['ownAddress', /^This is your own address/],
    ['tokenAccount', /^This is a token account/],
    ['tokenMint', /^This is the address of a token/],
    ['program', /^This is a program/],
    ['programAccount', /^This account belongs to a program/],
    ['unread', /^Couldn't check this address/]
  ])('a receiver with the fault %s has its words beside the field', (receiverFault, words) => {
    draw(SolanaSendView, withOthers('SolanaSend.filled', { receiverFault }))
    expect(getByText(words).closest('#receiver-fault')).toBeTruthy()
    expect(getByTestId('send-review').textContent).toBe('Check the recipient')
  })

  it.each<[SolanaTrouble, RegExp]>([
    ['newAccount', /^This address is new. Send at least 0.00089088 SOL/],
    ['rest', /^Leave at least 0.00089088 SOL/],
    ['frozen', /^The issuer froze your account/],
    ['receiverFrozen', /^The issuer froze the recipient's account/],
    ['receiverForeign', /^Someone else owns/],
    ['freezesNew', /^The issuer has to approve/],
    ['hook', /^This token runs its issuer's program/],
    ['nonTransferable', /^This token can't be transferred/],
    ['paused', /^The issuer paused/],
    ['unknownRule', /^This token has rules/],
    ['fails', /^This transfer would fail/],
    ['untried', /^The network isn't responding/]
  ])('a payment with the trouble %s has its words above the button', (trouble, words) => {
    draw(SolanaSendView, withOthers('SolanaSend.filled', { trouble, troubleAmount: '0.00089088' }))
    expect(getByText(words).closest('#send-trouble')).toBeTruthy()
  })

  it('without a trouble there is no sign of one', () => {
    draw(SolanaSendView, 'SolanaSend.filled')
    expect(document.querySelector('#send-trouble')?.childElementCount).toBe(0)
  })

  it('the words of a program stand beside ours', () => {
    draw(SolanaSendView, withOthers('SolanaSend.filled', { trouble: 'fails', troubleDetail: 'custom program error' }))
    expect(getByText('custom program error').tagName).toBe('Q')
  })

  it('the deposit and the fee of a token are told before the review', () => {
    draw(SolanaSendView, 'SolanaSend.token')
    for (const words of ['Deposit', 'Token fee', 'Recipient gets', '39.6 USDC']) expect(getByText(words)).toBeTruthy()
  })
})

describe('SolanaSendSelectToken', () => {
  it('lists the coin first and tells the core which token was chosen', () => {
    const { said } = draw(SolanaSendSelectTokenView, 'SolanaSendSelectToken.list')
    fireEvent.click(getByTestId('send-select-token-item-USDC'))
    const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    expect(said).toEqual([{ feature: 'solana', event: { type: 'tokenChosen', address } }])
    cleanup()
    draw(SolanaSendSelectTokenView, 'SolanaSendSelectToken.none')
    expect(getByText(/^No tokens found/)).toBeTruthy()
  })
})

describe('SolanaSendPreview', () => {
  it('shows the whole address of the receiver and the costs before the wallet is asked', () => {
    const { said } = draw(SolanaSendPreviewView, 'SolanaSendPreview.token')
    const { solana } = pictureOf('SolanaSendPreview.token')
    expect(document.querySelector('.full')?.textContent).toBe(solana?.receiver)
    for (const words of ['Network fee', 'Deposit', 'Token fee', 'Token address']) expect(getByText(words)).toBeTruthy()
    fireEvent.click(getByRole('button', { name: 'Send' }))
    expect(said).toEqual([{ feature: 'solana', event: { type: 'confirmAsked' } }])
  })

  it('shows the whole address of the token, to be copied, and the fee in dollars', () => {
    const { said } = draw(SolanaSendPreviewView, 'SolanaSendPreview.token')
    const text = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    expect(getByText(text).classList).toContain('full')
    fireEvent.click(getByRole('button', { name: 'Copy token address' }))
    expect(said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text } }])
    expect(getByText('<$0.01')).toBeTruthy()
  })

  it('while the wallet decides it cannot be sent twice', () => {
    const { said } = draw(SolanaSendPreviewView, 'SolanaSendPreview.confirming')
    fireEvent.click(getByRole('button', { name: 'Send' }))
    expect(said).toEqual([])
    expect(getByText('Approve in Sol')).toBeTruthy()
  })

  it.each<[string, Partial<SolanaView>, RegExp]>([
    ['a refusal', { phase: 'refused' }, /^You declined the transaction/],
    ['another message', { phase: 'failed', trouble: 'changed' }, /^Your wallet changed the transaction/],
    ['no signature', { phase: 'failed', trouble: 'unsigned' }, /^Your wallet didn't sign/],
    ['a failure', { phase: 'failed' }, /^The transaction wasn't sent/],
    ['a wallet that does not tell', { phase: 'unsure' }, /^Your wallet may have sent this transaction/],
    ['a page that was left', { phase: 'interrupted' }, /^Your wallet may have sent your last request/],
    [
      'a late signature',
      { phase: 'failed', trouble: 'signedLate' },
      /^Your wallet took too long to sign\. Nothing was sent\./
    ],
    ['an account in use', { phase: 'failed', trouble: 'inUse' }, /^Another transaction is using your account\. Wait/],
    ['a payment that is there', { phase: 'failed', trouble: 'processed' }, /already has this payment\. Check your/],
    ['a block that is not known', { phase: 'failed', trouble: 'unknownBlock' }, /^The network node is behind\. .* Try/],
    ['a frozen account', { phase: 'failed', trouble: 'frozen' }, /^The issuer froze your account .* Ask the issuer/]
  ])('after %s it says what happened', (_, others, words) => {
    draw(SolanaSendPreviewView, withOthers('SolanaSendPreview.ready', others))
    expect(getByText(words).closest('[role="status"]')).toBeTruthy()
  })
})

describe('SolanaSendConfirmed', () => {
  it.each([
    ['pending', 'On its way'],
    ['confirmed', 'Sent'],
    ['failed', 'Transaction failed'],
    ['expired', 'Transaction expired']
  ])('a transaction that is %s says so, with its signature', (state, title) => {
    const name = `SolanaSendConfirmed.${state}`
    draw(SolanaSendConfirmedView, name)
    expect(getByRole('heading', { name: title })).toBeTruthy()
    expect(getByTestId('send-sent').dataset.state).toBe(state)
    const hash = pictureOf(name).solana?.sent?.receipt.hash ?? ''
    expect(document.querySelector('.hash')?.getAttribute('title')).toBe(hash)
  })
})
