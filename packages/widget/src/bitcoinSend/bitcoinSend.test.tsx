import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import type { ComponentType } from 'react'
import { describe, expect, it } from 'vitest'
import type {
  BitcoinReceiverFault,
  BitcoinSent,
  BitcoinTrouble,
  BitcoinView,
  BitcoinWarning,
  PaymentReceipt
} from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { BitcoinSendConfirmedView } from './BitcoinSendConfirmedView.tsx'
import { BitcoinSendPreviewView } from './BitcoinSendPreviewView.tsx'
import { BitcoinSendView } from './BitcoinSendView.tsx'

const { getByRole, getByText, getByTestId, queryByText, queryByRole, getAllByRole } = screen

const RECEIVER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const OTHER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kvxx3t4'

/** Form before the nodes have answered. */
const opened: BitcoinView = {
  symbol: 'BTC',
  iconUrl: null,
  balance: null,
  shown: null,
  unread: false,
  amount: '',
  value: null,
  receiver: '',
  receiverAddress: '',
  receiverShort: '',
  amountFault: null,
  receiverFault: null,
  warnings: [],
  lookAlike: null,
  recent: [],
  trouble: null,
  troubleAmount: null,
  troubleDetail: null,
  speeds: [],
  speed: 'normal',
  fee: null,
  feeValue: null,
  change: null,
  added: null,
  total: null,
  ready: false,
  phase: 'editing',
  slow: false,
  error: null,
  networkName: 'Bitcoin',
  pending: [],
  sent: null
}

/** The same with a payment that can be reviewed. */
const filled: BitcoinView = {
  ...opened,
  balance: '0.0123456',
  shown: '0.012',
  amount: '0.01',
  value: '640.00',
  receiver: `bitcoin:${RECEIVER}?amount=1`,
  receiverAddress: RECEIVER,
  receiverShort: 'bc1q…v8f3t4',
  speeds: [
    { speed: 'slow', rate: '1.0', fee: '0.00000141' },
    { speed: 'normal', rate: '2.5', fee: '0.00000353' },
    { speed: 'fast', rate: '12.3', fee: '0.00001735' }
  ],
  fee: '0.00000353',
  feeValue: '0.23',
  change: '0.00234207',
  total: '0.01000353',
  ready: true
}

function show(View: ComponentType, bitcoin: BitcoinView, language?: typeof arabic) {
  return draw(View, { ...pictureOf('SolanaSend.filled'), bitcoin }, language)
}

describe('BitcoinSend', () => {
  it('tells the core what is typed, and that the form is to be reviewed', () => {
    const { said } = show(BitcoinSendView, { ...opened, balance: '1', shown: '1' })
    fireEvent.change(getByRole('textbox', { name: 'Amount' }), { target: { value: '1' } })
    fireEvent.change(getByRole('textbox', { name: 'To' }), { target: { value: 'abc\n' } })
    fireEvent.click(getByTestId('send-max'))
    fireEvent.click(getByTestId('send-review'))
    expect(said).toEqual([
      { feature: 'bitcoin', event: { type: 'amountTyped', text: '1' } },
      { feature: 'bitcoin', event: { type: 'receiverTyped', text: 'abc' } },
      { feature: 'bitcoin', event: { type: 'maxAsked' } },
      { feature: 'bitcoin', event: { type: 'reviewAsked' } }
    ])
  })

  it('the button says what is missing, and is alive once the form can go on', () => {
    const told = (others: Partial<BitcoinView>) => {
      cleanup()
      show(BitcoinSendView, { ...filled, ...others })
      const button = getByTestId('send-review')
      return [button.textContent, button.className.includes('primary')]
    }
    expect(told({ amount: '' })).toEqual(['Enter an amount', false])
    expect(told({ receiver: '' })).toEqual(['Enter a recipient', false])
    expect(told({ amountFault: 'zero' })).toEqual(['Check the amount', false])
    expect(told({ amountFault: 'aboveBalance' })).toEqual(['Not enough BTC', false])
    expect(told({ trouble: 'coin' })).toEqual(['Not enough BTC', false])
    expect(told({ trouble: 'dust' })).toEqual(['Check the amount', false])
    expect(told({ trouble: 'inputs' })).toEqual(['Check the amount', false])
    expect(told({ trouble: 'account', amount: '' })).toEqual(['Review', false])
    expect(told({})).toEqual(['Review', true])
  })

  it('each speed has its time, its rate and its fee, and the one in use is checked', () => {
    show(BitcoinSendView, filled)
    const group = getByRole('group', { name: 'Speed' })
    expect(
      within(group)
        .getAllByRole('radio')
        .map((one) => one.closest('label')?.textContent)
    ).toEqual([
      'Slow ~1 day~0.00000141 BTC 1 sat/vB',
      'Normal ~1 hour~0.00000353 BTC 2.5 sat/vB',
      'Fast ~20 minutes~0.00001735 BTC 12.3 sat/vB'
    ])
    expect(getByRole('radio', { checked: true })).toBe(getByTestId('send-speed-normal'))
  })

  it('the speeds are one group of radio buttons, which the arrow keys go through', () => {
    const { said } = show(BitcoinSendView, filled)
    const names = getAllByRole<HTMLInputElement>('radio').map(({ type, name }) => `${type} ${name}`)
    expect(names).toEqual(['radio speed', 'radio speed', 'radio speed'])
    fireEvent.click(getByTestId('send-speed-fast'))
    expect(said).toEqual([{ feature: 'bitcoin', event: { type: 'speedChosen', speed: 'fast' } }])
  })

  it('a speed can be chosen before its rate is known, and has no fee before there is a payment', () => {
    show(BitcoinSendView, opened)
    expect(getByTestId('send-speed-slow').closest('label')?.textContent).toBe('Slow ~1 day')
    expect(getByText('Loading balance')).toBeTruthy()
    cleanup()
    show(BitcoinSendView, { ...opened, speeds: filled.speeds.map((row) => ({ ...row, fee: null })) })
    expect(getByTestId('send-speed-slow').closest('label')?.textContent).toBe('Slow ~1 day 1 sat/vB')
  })

  it('nodes that do not answer are told before anything is typed, and the button tries again', () => {
    const { said } = show(BitcoinSendView, { ...opened, unread: true })
    expect(getByText('Balance unavailable')).toBeTruthy()
    expect(getByText("The network isn't responding. Try again.").closest('#send-trouble')).toBeTruthy()
    const again = getByRole('button', { name: 'Try again' })
    expect(again.className).not.toContain('lacks')
    fireEvent.click(again)
    expect(said).toEqual([{ feature: 'bitcoin', event: { type: 'reviewAsked' } }])
  })

  it('who was paid last is offered below an empty field', () => {
    const { said } = show(BitcoinSendView, { ...opened, recent: [RECEIVER] })
    fireEvent.click(getByText(RECEIVER))
    expect(said).toEqual([{ feature: 'bitcoin', event: { type: 'receiverTyped', text: RECEIVER } }])
  })

  it.each<[BitcoinReceiverFault, RegExp]>([
    ['notAnAddress', /^Not a valid Bitcoin address/],
    ['otherNamespace', /^This address is for another network/],
    ['otherNetwork', /^This address is for another Bitcoin network/],
    ['unknownVersion', /^This kind of address isn't in use yet/],
    ['ownAddress', /^This is your own address/]
  ])('a receiver with the fault %s has its words beside the field', (receiverFault, words) => {
    show(BitcoinSendView, { ...filled, receiverFault })
    expect(getByText(words).closest('#receiver-fault')).toBeTruthy()
    expect(getByTestId('send-review').textContent).toBe('Check the recipient')
  })

  it('a missing receiver has a border and no words after the button was pressed', () => {
    show(BitcoinSendView, { ...filled, receiver: '', receiverFault: 'missing' })
    expect(getByTestId('send-receiver').getAttribute('aria-invalid')).toBe('true')
    expect(document.querySelector('#receiver-fault')?.childElementCount).toBe(0)
  })

  it.each<[BitcoinTrouble, RegExp]>([
    ['coin', /^Not enough for the network fee of 0.00000546 BTC/],
    ['dust', /^Too small for this network. Send at least 0.00000546 BTC/],
    ['inputs', /^Your coins are in too many small pieces for this amount. Send at most 0.00000546 BTC/],
    ['account', /^Payments from this kind of address aren't supported here/],
    ['untried', /^The network isn't responding/]
  ])('a payment with the trouble %s has its words above the button', (trouble, words) => {
    show(BitcoinSendView, { ...filled, trouble, troubleAmount: '0.00000546' })
    expect(getByText(words).closest('#send-trouble')).toBeTruthy()
  })

  it('coins that are worth less than their own fee are told so', () => {
    show(BitcoinSendView, { ...filled, trouble: 'coin' })
    expect(getByText(/^Your coins are worth less than the network fee/)).toBeTruthy()
  })

  it.each<[BitcoinWarning, RegExp, string]>([
    ['lookAlike', /^Looks like an address you've paid/, 'warn grave'],
    ['highFee', /^The network fee is more than a fifth/, 'warn'],
    ['mayHoldOrdinals', /^Inscriptions or runes/, 'warn'],
    ['unconfirmed', /^Part of your coins isn't confirmed yet/, 'warn'],
    ['firstSeen', /^First time sending/, 'warn']
  ])('the warning %s is read out when it comes, and stays in the review', (warning, words, look) => {
    const warned = { ...filled, warnings: [warning], lookAlike: OTHER }
    show(BitcoinSendView, warned)
    expect(getByText(words).closest('[role="status"]')).toBeTruthy()
    expect(getByTestId(`send-warning-${warning}`).className).toBe(look)
    expect(getByTestId(`send-warning-${warning}`).textContent?.includes(OTHER)).toBe(warning === 'lookAlike')
    cleanup()
    show(BitcoinSendPreviewView, warned)
    expect(getByText(words)).toBeTruthy()
  })

  it('is written in Arabic', () => {
    show(BitcoinSendView, filled, arabic)
    expect(getByRole('group', { name: 'السرعة' })).toBeTruthy()
    expect(getByTestId('send-speed-slow').closest('label')?.textContent).toContain('بطيئة')
  })
})

describe('BitcoinSendPreview', () => {
  const fact = (name: string) => getByText(name).nextElementSibling?.textContent

  it('shows the whole address of a payment link, and exactly what leaves the account and what returns', () => {
    const { said } = show(BitcoinSendPreviewView, filled)
    expect(document.querySelector('.full')?.textContent).toBe(RECEIVER)
    expect(fact('Network')).toBe('Bitcoin')
    expect(fact('Speed')).toBe('Normal2.5 sat/vB')
    expect(fact('Network fee')).toBe('0.00000353 BTC$0.23')
    expect(fact('Total')).toBe('0.01000353 BTC')
    expect(fact('Returned to you')).toBe('0.00234207 BTCGoes back to your own address.')
    expect(queryByText('Too small to return')).toBeNull()
    fireEvent.click(getByRole('button', { name: 'Send' }))
    expect(said).toEqual([{ feature: 'bitcoin', event: { type: 'confirmAsked' } }])
  })

  it('coins too few to return are a part of the fee', () => {
    show(BitcoinSendPreviewView, { ...filled, change: null, added: '0.00000123' })
    expect(fact('Too small to return')).toBe('0.00000123 BTCPart of the network fee.')
    expect(queryByText('Returned to you')).toBeNull()
  })

  it('a payment to an address that looks like one that was paid takes a red button', () => {
    show(BitcoinSendPreviewView, { ...filled, warnings: ['lookAlike'], lookAlike: OTHER })
    expect(getByTestId('send-confirm').className).toBe('button grave')
    expect(getByTestId('send-confirm').textContent).toBe('Send anyway')
  })

  it('while the wallet decides it cannot be sent twice', () => {
    const { said } = show(BitcoinSendPreviewView, { ...filled, phase: 'confirming' })
    fireEvent.click(getByRole('button', { name: 'Send' }))
    expect(said).toEqual([])
    expect(getByText('Approve in Sol')).toBeTruthy()
    cleanup()
    show(BitcoinSendPreviewView, { ...filled, phase: 'confirming', slow: true })
    expect(getByText(/^Open Sol from/)).toBeTruthy()
  })

  it.each<[string, Partial<BitcoinView>, RegExp]>([
    ['a refusal', { phase: 'refused' }, /^You declined the transaction/],
    ['another transaction', { phase: 'failed', trouble: 'changed' }, /^Your wallet changed the transaction/],
    ['no signature', { phase: 'failed', trouble: 'unsigned' }, /^Your wallet didn't sign/],
    ['answers that contradict each other', { phase: 'failed', trouble: 'untrue' }, /^The network's answers contradict/],
    ['no answer', { phase: 'failed', trouble: 'untried' }, /^The network isn't responding/],
    ['a failure', { phase: 'failed' }, /^The transaction wasn't sent/]
  ])('after %s it says what happened, and can be tried again', (_, others, words) => {
    show(BitcoinSendPreviewView, { ...filled, ...others })
    expect(getByText(words).closest('[role="status"]')).toBeTruthy()
    expect(getByTestId('send-confirm').textContent).toBe('Try again')
  })

  it('the words of a node or a wallet stand beside ours, but those of a refusal do not', () => {
    const refused = { phase: 'failed', trouble: 'refused', troubleDetail: 'min relay fee not met' } as const
    show(BitcoinSendPreviewView, { ...filled, ...refused })
    expect(getByText(/^The network didn't accept the payment/)).toBeTruthy()
    expect(getByText('min relay fee not met').tagName).toBe('Q')
    cleanup()
    const error = { code: -32603, kind: 'internal', message: 'Device is locked' } as const
    show(BitcoinSendPreviewView, { ...filled, phase: 'failed', error })
    expect(getByText('Device is locked').tagName).toBe('Q')
    cleanup()
    show(BitcoinSendPreviewView, { ...filled, phase: 'refused', error })
    expect(queryByText('Device is locked')).toBeNull()
  })
})

describe('BitcoinSendConfirmed', () => {
  const receipt: PaymentReceipt = {
    state: 'pending',
    slow: false,
    hash: 'ab'.repeat(32),
    hashShort: 'abab…ababab',
    networkName: 'Bitcoin',
    since: 1_700_000_000_000,
    fee: '0.00000353',
    feeSymbol: 'BTC',
    replacedBy: null,
    url: `https://explorer.example/tx/${'ab'.repeat(32)}`
  }
  const sent = (others: Partial<PaymentReceipt>): BitcoinView => {
    const paid: BitcoinSent = { amount: '0.01', symbol: 'BTC', value: '640.00', receiver: RECEIVER, receipt }
    return { ...opened, sent: { ...paid, receipt: { ...receipt, ...others } } }
  }

  it('a payment on its way says how long blocks take, with its receiver and its hash', () => {
    const { said } = show(BitcoinSendConfirmedView, sent({}))
    expect(getByRole('heading', { name: 'On its way' })).toBeTruthy()
    expect(getByText(/^Blocks take about 10 minutes each/)).toBeTruthy()
    expect(getByText(RECEIVER)).toBeTruthy()
    expect(document.querySelector('.hash')?.getAttribute('title')).toBe(receipt.hash)
    fireEvent.click(getByTestId('send-done'))
    expect(said).toEqual([{ feature: 'modal', event: { type: 'backAsked' } }])
  })

  it('a confirmed payment has no hint', () => {
    show(BitcoinSendConfirmedView, sent({ state: 'confirmed' }))
    expect(getByRole('heading', { name: 'Sent' })).toBeTruthy()
    expect(queryByText(/^Blocks take/)).toBeNull()
  })

  it('a payment whose coins another transaction spent says so, and links to that one', () => {
    const url = `https://explorer.example/tx/${'cd'.repeat(32)}`
    show(BitcoinSendConfirmedView, sent({ state: 'replaced', replacedBy: 'cd'.repeat(32), url }))
    expect(getByRole('heading', { name: 'Replaced by another transaction' })).toBeTruthy()
    expect(getByText('See what it did on the explorer.')).toBeTruthy()
    expect(getByRole('link', { name: 'View replacement' }).getAttribute('href')).toBe(url)
  })

  it.each([
    ['replaced', 'Check in your wallet what the new one did before you try again.', 'تحقّق في محفظتك مما فعلته'],
    ['lost', 'It may still go through. Check your wallet before you send again.', 'قد تتم بعد. تحقّق في محفظتك']
  ])('without an explorer a payment that is %s names the wallet instead', (state, english, inArabic) => {
    draw(BitcoinSendConfirmedView, `BitcoinSendConfirmed.${state}`)
    expect(getByText(english)).toBeTruthy()
    expect(queryByRole('link')).toBeNull()
    cleanup()
    draw(BitcoinSendConfirmedView, `BitcoinSendConfirmed.${state}`, arabic)
    expect(getByText((text) => text.startsWith(inArabic))).toBeTruthy()
  })
})
