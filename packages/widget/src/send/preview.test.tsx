import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { WalletSendConfirmedView } from './WalletSendConfirmedView.tsx'
import { WalletSendPreviewView } from './WalletSendPreviewView.tsx'

const { getByRole, getByText } = screen

describe('WalletSendPreview', () => {
  it('what the network takes is written in money as every other amount is', () => {
    const picture = pictureOf('WalletSendPreview.ready')
    draw(WalletSendPreviewView, { ...picture, send: { ...picture.send, feeValue: '1234.56' } })
    expect(getByText('$1,234.56')).toBeTruthy()
  })

  it('shows all that will be sent before the wallet is asked', () => {
    const { said } = draw(WalletSendPreviewView, 'WalletSendPreview.ready')
    for (const words of ['0xf3…b92266', '0x70…dc79C8', 'Anvil One', '~0.0000252 ETH', '~1.2500252 ETH']) {
      expect(getByText(words)).toBeTruthy()
    }
    expect(document.querySelector('.full')?.textContent).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
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
    expect(getByText('~1,234.56789 ETH')).toBeTruthy()
  })

  it('copies the whole address of the receiver, and the button then has a tick', () => {
    const picture = pictureOf('WalletSendPreview.ready')
    const text = picture.send.receiverResolved ?? picture.send.receiverAddress
    const { said } = draw(WalletSendPreviewView, picture)
    fireEvent.click(getByRole('button', { name: 'Copy address' }))
    expect(said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text } }])
    cleanup()
    draw(WalletSendPreviewView, { ...picture, copied: text })
    expect(getByRole('button', { name: 'Copy address' }).dataset.done).toBe('true')
  })

  it('the contract of a token stands whole below its shortened form, and can be copied', () => {
    const text = pictureOf('WalletSendPreview.token').send.token?.address ?? ''
    expect(text).toMatch(/^0x[\da-fA-F]{40}$/)
    const { said } = draw(WalletSendPreviewView, 'WalletSendPreview.token')
    expect(getByText(text).className).toBe('full')
    fireEvent.click(getByRole('button', { name: 'Copy token contract' }))
    expect(said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text } }])
  })

  it('while the wallet decides it cannot be sent twice, and the button keeps its place', () => {
    const { said } = draw(WalletSendPreviewView, 'WalletSendPreview.confirming')
    const button = getByRole<HTMLButtonElement>('button', { name: 'Send' })
    fireEvent.click(button)
    expect([said.length, button.disabled, button.getAttribute('aria-busy')]).toEqual([0, false, 'true'])
    expect(getByText('Approve in Alpha Wallet')).toBeTruthy()
  })

  it.each([
    ['a wallet of this browser', 'io.alpha', { slow: true }, /^Open Alpha Wallet from its window/],
    ['one on another device', 'walletConnect', { slow: true }, /^Open Alpha Wallet on your phone or other device/],
    [
      'one that does not answer',
      'walletConnect',
      { slow: true, phase: 'silent' as const },
      /isn't responding\. It may still send/
    ]
  ])('where %s takes long it says what helps there', (_, connector, told, words) => {
    const picture = pictureOf('WalletSendPreview.confirming')
    const accounts = picture.account.accounts.map((account) => ({ ...account, connector }))
    const account = { ...picture.account, accounts }
    draw(WalletSendPreviewView, { ...picture, account, send: { ...picture.send, ...told } })
    expect(document.querySelector('.floor [role=status]')?.textContent).toMatch(words)
  })

  it.each([
    ['refused', /You declined the transaction\. Nothing was sent\./, 'Try again'],
    ['failed', /The transaction wasn't sent\..*insufficient funds/, 'Try again'],
    ['unsure', /^Your wallet may have sent this transaction\. Check there before you try again\./, 'Send again'],
    ['interrupted', /^Your wallet may have sent your last request\./, 'Send again']
  ])('when it was %s it says so and can be sent again', (phase, words, name) => {
    const { said } = draw(WalletSendPreviewView, `WalletSendPreview.${phase}`)
    expect(document.querySelector('.floor [role=status]')?.textContent).toMatch(words)
    fireEvent.click(getByRole('button', { name }))
    expect(said).toEqual([{ feature: 'send', event: { type: 'confirmAsked' } }])
  })
})

describe('WalletSendConfirmed', () => {
  it.each([
    ['pending', /^On its way.*You can close this/],
    ['slow', /^On its way.*speed it up in your wallet with a higher fee/],
    ['confirmed', /^Sent$/],
    ['failed', /^Transaction failed.*Nothing was sent/],
    ['replaced', /^Replaced by another transaction.*may have sent the same amount/, 'View account'],
    ['lost', /^Still waiting.*before you send again/]
  ])('%s is told as it is', (name, words, link = 'View on explorer') => {
    const { said } = draw(WalletSendConfirmedView, `WalletSendConfirmed.${name}`)
    expect(screen.getAllByRole('status')[0]?.textContent).toMatch(words)
    // The result stands below its picture, for eyes as well as for screen readers.
    expect(getByRole('heading').className).toBe('')
    expect(getByText('40 USDC')).toBeTruthy()
    expect(getByRole('link', { name: link }).getAttribute('rel')).toBe('noreferrer')
    fireEvent.click(getByRole('button', { name: 'Done' }))
    expect(said).toEqual([{ feature: 'modal', event: { type: 'backAsked' } }])
  })

  it('is a receipt with the network, the time, the fee and the hash, which can be copied', () => {
    const { said } = draw(WalletSendConfirmedView, 'WalletSendConfirmed.confirmed')
    for (const words of ['$40.00', 'Anvil One', '0xab…ababab', /^0\.0\d+ ETH$/]) expect(getByText(words)).toBeTruthy()
    const time = getByText('Date').parentElement?.querySelector('dd')
    expect(time?.textContent).toMatch(/^[A-Z][a-z]+ \d+, 20\d\d, \d+:\d\d/)
    expect(getByText('0xab…ababab').closest('dd')?.title).toBe(`0x${'ab'.repeat(32)}`)
    fireEvent.click(getByRole('button', { name: 'Copy transaction hash' }))
    const text = `0x${'ab'.repeat(32)}`
    expect(said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text } }])
    cleanup()
    draw(WalletSendConfirmedView, 'WalletSendConfirmed.pending')
    expect(screen.queryByText('Network fee')).toBeNull()
  })

  it('what is moved is written as in the review', () => {
    const review = pictureOf('WalletSendPreview.ready')
    const { sendTokenAmount } = review.send
    draw(WalletSendPreviewView, { ...review, send: { ...review.send, sendTokenAmount: '1234.5' } })
    expect([sendTokenAmount, document.querySelector('.amount > bdi')?.textContent]).toEqual(['1.25', '1,234.5 ETH'])
    cleanup()
    const picture = pictureOf('WalletSendConfirmed.confirmed')
    const sent = picture.send.sent && { ...picture.send.sent, amount: '1234.5', symbol: 'ETH' }
    draw(WalletSendConfirmedView, { ...picture, send: { ...picture.send, sent } })
    expect(getByText('1,234.5 ETH')).toBeTruthy()
  })

  it('has the whole address of the receiver, and the button that copies it then has a tick', () => {
    const picture = pictureOf('WalletSendConfirmed.confirmed')
    const text = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const { said } = draw(WalletSendConfirmedView, picture)
    expect(getByText(text).closest('div')?.querySelector('dt')?.textContent).toBe('To')
    fireEvent.click(getByRole('button', { name: 'Copy address' }))
    expect(said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text } }])
    cleanup()
    draw(WalletSendConfirmedView, { ...picture, copied: text })
    const done = ['Copy address', 'Copy transaction hash'].map((name) => getByRole('button', { name }).dataset.done)
    expect(done).toEqual(['true', 'false'])
  })

  it.each([
    ['replaced', /^Replaced by another transaction.*explorer/, 'View replacement'],
    ['confirmed', /^Sent.*resent it with a higher fee/, 'View on explorer']
  ] as const)('%s by a transaction that was found leads to that one', (state, words, link) => {
    const picture = pictureOf('WalletSendConfirmed.replaced')
    const sent = picture.send.sent && {
      ...picture.send.sent,
      receipt: { ...picture.send.sent.receipt, state, replacedBy: '0xcd', url: 'https://scan.example/tx/0xcd' }
    }
    draw(WalletSendConfirmedView, { ...picture, send: { ...picture.send, sent } })
    expect(screen.getAllByRole('status')[0]?.textContent).toMatch(words)
    expect(getByRole('link', { name: link }).getAttribute('href')).toBe('https://scan.example/tx/0xcd')
  })

  it('an address that only looks like one that was paid is sent to by a red button of its own words', () => {
    draw(WalletSendPreviewView, 'WalletSendPreview.lookAlike')
    const confirm = screen.getByTestId('send-confirm')
    expect([confirm.textContent, confirm.className]).toEqual(['Send anyway', expect.stringContaining('grave')])
  })
})
