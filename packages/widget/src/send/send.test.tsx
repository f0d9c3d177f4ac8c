import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AmountFault, ReceiverFault } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { WalletSendPreviewView } from './WalletSendPreviewView.tsx'
import { WalletSendView } from './WalletSendView.tsx'

const { getByRole, getByText, queryByRole } = screen

describe('WalletSend', () => {
  it('each letter goes to the core, which owns the text', () => {
    const { said } = draw(WalletSendView, 'WalletSend.empty')
    fireEvent.change(getByRole('textbox', { name: 'Amount' }), { target: { value: '1,5' } })
    fireEvent.change(getByRole('textbox', { name: 'To' }), { target: { value: '0x70\n99' } })
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'amountTyped', text: '1,5' },
      { type: 'receiverTyped', text: '0x7099' }
    ])
    expect(getByRole<HTMLInputElement>('textbox', { name: 'Amount' }).value).toBe('')
  })

  it('all of it can be asked for, and the form can be handed in from the keyboard', () => {
    const { said } = draw(WalletSendView, 'WalletSend.filled')
    fireEvent.click(getByRole('button', { name: 'Max' }))
    fireEvent.submit(getByRole('textbox', { name: 'Amount' }))
    expect(said.map(({ event }) => event)).toEqual([{ type: 'maxAsked' }, { type: 'reviewAsked' }])
  })

  it('what the visitor copied is pasted as if it was typed, and nothing is where the browser refuses', async () => {
    for (const readText of [async () => '0x7099', () => Promise.reject(new DOMException('denied')), undefined]) {
      vi.stubGlobal('navigator', { clipboard: { readText } })
      const { said } = draw(WalletSendView, 'WalletSend.empty')
      await act(async () => fireEvent.click(getByRole('button', { name: 'Paste' })))
      const typed = { feature: 'send', event: { type: 'receiverTyped', text: '0x7099' } }
      expect(said).toEqual((await readText?.().catch(() => '')) ? [typed] : [])
      cleanup()
    }
    vi.unstubAllGlobals()
  })

  it('Enter in the receiver asks for the review, as it does in the amount', () => {
    const { said } = draw(WalletSendView, 'WalletSend.filled')
    fireEvent.keyDown(getByRole('textbox', { name: 'To' }), { key: 'Enter' })
    expect(said).toEqual([{ feature: 'send', event: { type: 'reviewAsked' } }])
  })

  it('a field that is filled offers no pasting over it', () => {
    draw(WalletSendView, 'WalletSend.filled')
    expect(queryByRole('button', { name: 'Paste' })).toBeNull()
  })

  it('what there is and what it costs have their digits grouped, and the amount itself stays as typed', () => {
    const picture = pictureOf('WalletSend.filled')
    draw(WalletSendView, { ...picture, send: { ...picture.send, sendTokenAmount: '1234.5', fee: '1234.5' } })
    expect(getByText('Available: 10,000.000 ETH')).toBeTruthy()
    expect(getByText('about 1,235 ETH').title).toBe('1,234.5 ETH')
    expect(getByRole<HTMLInputElement>('textbox', { name: 'Amount' }).value).toBe('1234.5')
  })

  const amounts: readonly [AmountFault, string][] = [
    ['missing', 'Enter an amount'],
    ['notANumber', 'Enter a number such as 0.5'],
    ['tooPrecise', 'At most 18 decimals'],
    ['zero', 'Enter more than zero'],
    ['aboveBalance', 'More than you have'],
    ['insufficientGas', 'Not enough left for the network fee']
  ]
  it.each(amounts)('an amount that is %s is told beside its field', (amountFault, words) => {
    const picture = pictureOf('WalletSend.filled')
    draw(WalletSendView, { ...picture, send: { ...picture.send, amountFault } })
    const field = getByRole('textbox', { name: 'Amount' })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    const described = field.getAttribute('aria-describedby')?.split(' ')[0] ?? ''
    expect(document.getElementById(described)?.textContent).toBe(words)
  })

  const receivers: readonly [ReceiverFault, string][] = [
    ['missing', 'Enter an address'],
    ['notAnAddress', 'This is not an address of this network'],
    ['wrongChecksum', 'Its capitals do not match: paste it again'],
    ['zeroAddress', 'Nobody can use this address'],
    ['ownAddress', 'This is your own address']
  ]
  it.each(receivers)('a receiver that is %s is told beside its field', (receiverFault, words) => {
    const picture = pictureOf('WalletSend.filled')
    draw(WalletSendView, { ...picture, send: { ...picture.send, receiverFault } })
    const field = getByRole('textbox', { name: 'To' })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById('receiver-fault')?.textContent).toBe(words)
  })

  it('where only the price of gas is missing, the network is blamed and no field is', () => {
    const picture = pictureOf('WalletSend.filled')
    draw(WalletSendView, { ...picture, send: { ...picture.send, feeMissing: true, ready: false, fee: null } })
    expect(document.getElementById('fee-fault')?.textContent).toBe('The network does not answer. Try again.')
    expect(getByRole('textbox', { name: 'Amount' }).getAttribute('aria-invalid')).toBe('false')
  })

  it('a name in the place of the receiver is told apart from an address with a slip', () => {
    const picture = pictureOf('WalletSend.filled')
    const send = { ...picture.send, receiverAddress: 'vitalik.eth', receiverFault: 'notAnAddress' as const }
    draw(WalletSendView, { ...picture, send })
    expect(document.getElementById('receiver-fault')?.textContent).toBe(
      'Names cannot be sent to yet: paste the address'
    )
  })
})

describe('WalletSendPreview', () => {
  it('shows all that will be sent before the wallet is asked', () => {
    const { said } = draw(WalletSendPreviewView, 'WalletSendPreview.ready')
    for (const words of ['0xf3…b92266', '0x70…dc79C8', 'Anvil One', 'about 0.0000252 ETH', '1.2500252 ETH']) {
      expect(getByText(words)).toBeTruthy()
    }
    fireEvent.click(getByRole('button', { name: 'Send' }))
    fireEvent.click(getByRole('button', { name: 'Cancel' }))
    expect(said).toEqual([
      { feature: 'send', event: { type: 'confirmAsked' } },
      { feature: 'modal', event: { type: 'backAsked' } }
    ])
  })

  it('groups the digits of all amounts', () => {
    const picture = pictureOf('WalletSendPreview.ready')
    draw(WalletSendPreviewView, {
      ...picture,
      send: { ...picture.send, sendTokenAmount: '1234.5', total: '1234.56789' }
    })
    expect(document.querySelector('.amount')?.textContent).toBe('1,234.5 ETH')
    expect(getByText('1,234.56789 ETH')).toBeTruthy()
  })

  it('while the wallet decides it cannot be sent twice, and the button keeps its place', () => {
    const { said } = draw(WalletSendPreviewView, 'WalletSendPreview.confirming')
    const button = getByRole<HTMLButtonElement>('button', { name: 'Send' })
    fireEvent.click(button)
    expect([said.length, button.disabled, button.getAttribute('aria-busy')]).toEqual([0, false, 'true'])
    expect(getByText('Confirm in Alpha Wallet')).toBeTruthy()
  })

  it.each([
    ['refused', /You declined the transaction\. Nothing was sent\./],
    ['failed', /The transaction was not sent\..*insufficient funds/]
  ])('when it was %s it says so and can be tried again', (phase, words) => {
    const { said } = draw(WalletSendPreviewView, `WalletSendPreview.${phase}`)
    expect(getByRole('status').textContent).toMatch(words)
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'send', event: { type: 'confirmAsked' } }])
  })
})
