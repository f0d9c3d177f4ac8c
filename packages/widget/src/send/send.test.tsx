import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AmountFault, ReceiverFault, SendTokensView, SendWarning } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { english } from '../text/text.tsx'
import { WalletSendPreviewView } from './WalletSendPreviewView.tsx'
import { WalletSendSelectTokenView } from './WalletSendSelectTokenView.tsx'
import { WalletSendView } from './WalletSendView.tsx'

const { getByRole, getByTestId, getByText, queryByRole, queryByText } = screen

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

  it('max writes a grouped amount', () => {
    const picture = pictureOf('WalletSend.filled')
    const shell = draw(WalletSendView, picture)
    fireEvent.click(getByRole('button', { name: 'Max' }))
    expect(shell.said.map(({ event }) => event)).toEqual([{ type: 'maxAsked' }])
    const field = getByRole<HTMLInputElement>('textbox', { name: 'Amount' })
    shell.tell({ send: { ...picture.send, sendTokenAmount: '9999.9999748' } })
    expect(field.value).toBe('9,999.9999748')
  })

  it('a balance that could not be loaded refuses nothing and can be asked for again', () => {
    const picture = pictureOf('WalletSend.filled')
    const token = { ...picture.send.token, balance: null, shown: null } as typeof picture.send.token
    const accounts = picture.account.accounts.map((one) => ({ ...one, balanceState: 'unavailable' as const }))
    const account = { ...picture.account, accounts }
    const { said } = draw(WalletSendView, { ...picture, account, send: { ...picture.send, token } })
    expect(getByText('Balance unavailable')).toBeTruthy()
    expect(getByTestId('send-review').textContent).toBe('Review')
    fireEvent.click(getByTestId('send-balance-retry'))
    expect(said).toEqual([{ feature: 'account', event: { type: 'refreshAsked', ticket: null } }])
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

  it('an amount that cannot be read is worth nothing that is told, in either unit', () => {
    const picture = pictureOf('WalletSend.filled')
    const shell = draw(WalletSendView, picture)
    const worth = () => document.getElementById('amount-value')?.textContent
    shell.tell({ send: { ...picture.send, valueKnown: true, sendTokenAmount: '1,000', sendTokenValue: null } })
    expect(worth()).toBe('–')
    shell.tell({
      send: { ...picture.send, valueKnown: true, sendTokenAmount: '', typedValue: '25.555', sendTokenValue: null }
    })
    expect(worth()).toBe('– ETH')
    shell.tell({
      send: { ...picture.send, valueKnown: true, sendTokenAmount: '', typedValue: null, sendTokenValue: null }
    })
    expect(worth()).toBe('$0')
  })

  it('the value can be typed in the place of the amount, which stands below it', () => {
    const { said } = draw(WalletSendView, 'WalletSend.value')
    const field = getByRole<HTMLInputElement>('textbox', { name: 'Amount in US dollars' })
    expect(field.value).toBe('250')
    expect(document.getElementById('amount-value')?.textContent).toMatch(/^0\.\d{2,9} ETH$/)
    fireEvent.change(field, { target: { value: '300' } })
    fireEvent.click(getByRole('button', { name: /Type the amount in ETH/ }))
    expect(said.map(({ event }) => event)).toEqual([{ type: 'valueTyped', text: '300' }, { type: 'unitSwitched' }])
    cleanup()
    const picture = pictureOf('WalletSend.value')
    draw(WalletSendView, { ...picture, send: { ...picture.send, amountFault: 'tooPrecise' } })
    expect(document.getElementById('amount-fault')?.textContent).toBe('Use at most 2 decimals')
  })

  it('the dollar stands before the digits in every language, and a screen reader has it from the label alone', () => {
    for (const [tongue, text] of [
      [english, '2500.5'],
      [arabic, '2500.5'],
      [arabic, '']
    ] as const) {
      const picture = pictureOf('WalletSend.value')
      draw(WalletSendView, { ...picture, send: { ...picture.send, typedValue: text } }, tongue)
      const field = screen.getByTestId<HTMLInputElement>('send-amount')
      const sign = field.parentElement?.querySelector<HTMLElement>('.sign')
      expect([sign?.textContent, sign?.dir]).toEqual([`$${field.value || '0'}`, 'ltr'])
      expect(sign?.getAttribute('aria-hidden')).toBe('true')
      cleanup()
    }
    draw(WalletSendView, 'WalletSend.filled')
    expect(document.querySelector('.sign')).toBeNull()
  })

  it('without a price there is no unit to switch to', () => {
    const picture = pictureOf('WalletSend.value')
    const send = { ...picture.send, valueKnown: false, typedValue: null, sendTokenValue: null }
    draw(WalletSendView, { ...picture, send })
    expect(screen.queryByTestId('send-unit')).toBeNull()
    expect(getByRole('textbox', { name: 'Amount' })).toBeTruthy()
  })

  it('below an empty receiver stand those paid last and the other accounts, whole, and choosing one types it', () => {
    const { said } = draw(WalletSendView, 'WalletSend.suggestions')
    const all = screen.getAllByTestId('send-suggestion')
    expect(all.map(({ textContent }) => textContent)).toEqual([
      'Recently paid0x90F79bf6EB2c4f870365E785982E1f101E93b906',
      'alice.eth0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      'Your account0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
    ])
    for (const button of all) fireEvent.click(button)
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'receiverTyped', text: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
      // A name is looked up again: it may lead elsewhere today.
      { type: 'receiverTyped', text: 'alice.eth' },
      { type: 'receiverTyped', text: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' }
    ])
    cleanup()
    draw(WalletSendView, 'WalletSend.filled')
    expect(screen.queryByTestId('send-suggestion')).toBeNull()
  })

  it('the name that the host gave an account stands with its address', () => {
    const picture = pictureOf('WalletSend.suggestions')
    const labels = { '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65': 'Savings' }
    const accounts = picture.account.accounts.map((account) => ({ ...account, addressLabels: labels }))
    draw(WalletSendView, { ...picture, account: { ...picture.account, accounts } })
    expect(screen.getAllByTestId('send-suggestion')[2]?.textContent).toBe(
      'Savings0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
    )
  })

  it('an own account stands by its name, and is paid by its address', () => {
    const picture = pictureOf('WalletSend.suggestions')
    const names = { '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65': 'savings.eth' }
    const accounts = picture.account.accounts.map((account) => ({ ...account, names }))
    const { said } = draw(WalletSendView, { ...picture, account: { ...picture.account, accounts } })
    const own = screen.getAllByTestId('send-suggestion')[2]
    expect(own?.textContent).toBe('savings.eth0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')
    fireEvent.click(own as HTMLElement)
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'receiverTyped', text: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' }
    ])
  })

  it('an amount of many digits is set smaller, so that none is cut', () => {
    draw(WalletSendView, 'WalletSend.max')
    const field = getByRole<HTMLInputElement>('textbox', { name: 'Amount' })
    expect(field.value.length).toBeGreaterThan(15)
    expect(field.parentElement?.style.getPropertyValue('--n')).toBe(String(field.value.length))
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
    expect(getByText('Available: 10,000.00 ETH').title).toBe('10,000 ETH')
    expect(getByText('~1,235 ETH').title).toBe('1,234.5 ETH')
    expect(getByRole<HTMLInputElement>('textbox', { name: 'Amount' }).value).toBe('1,234.5')
  })

  it('what is missing is said by the button and a message, not beside the field as well', () => {
    const picture = pictureOf('WalletSend.empty')
    const missing = { amountFault: 'missing', receiverFault: 'missing' } as const
    draw(WalletSendView, { ...picture, send: { ...picture.send, ...missing } })
    for (const name of ['Amount', 'To'])
      expect(getByRole('textbox', { name }).getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById('amount-fault')?.textContent).toBe('')
    expect(document.getElementById('receiver-fault')?.textContent).toBe('')
    expect(getByRole('button', { name: 'Enter an amount' })).toBeTruthy()
  })

  const amounts: readonly [AmountFault, string, string?][] = [
    ['notANumber', 'Enter a number, such as 0.5'],
    ['signed', 'Enter a number without a sign, such as 0.5'],
    ['exponent', 'Enter the full number: 1000', '1e3'],
    ['ambiguous', 'Enter 2500 or 2.5', '2,500'],
    ['tooPrecise', 'Use at most 18 decimals'],
    ['zero', 'Enter more than zero'],
    ['aboveBalance', 'More than your balance'],
    ['insufficientGas', 'Not enough for the network fee']
  ]
  it.each(amounts)('an amount that is %s is told beside its field', (amountFault, words, sendTokenAmount = '1') => {
    const picture = pictureOf('WalletSend.filled')
    draw(WalletSendView, { ...picture, send: { ...picture.send, amountFault, sendTokenAmount } })
    const field = getByRole('textbox', { name: 'Amount' })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    const described = field.getAttribute('aria-describedby')?.split(' ')[0] ?? ''
    expect(document.getElementById(described)?.textContent).toBe(words)
  })

  it('an amount above the balance is told in one visible sentence, on the button, with its field in red', () => {
    const picture = pictureOf('WalletSend.filled')
    draw(WalletSendView, { ...picture, send: { ...picture.send, amountFault: 'aboveBalance' } })
    expect(getByTestId('send-review').textContent).toBe('Not enough ETH')
    expect(getByTestId('send-amount').closest('.field')?.classList.contains('wrong')).toBe(true)
    expect(document.getElementById('amount-fault')?.className).toBe('unseen')
  })

  const receivers: readonly [ReceiverFault, string][] = [
    ['notAnAddress', 'Not a valid address or name. Check for typos.'],
    ['wrongChecksum', "Checksum doesn't match. Paste the address again."],
    ['zeroAddress', 'No one controls this address. Coins sent to it are lost.'],
    ['ownAddress', 'This is your own address'],
    ['otherNamespace', 'This address is for another network. Paste one of this network.'],
    ['tokenContract', "This is the token's own contract. Anything you send is lost."],
    ['nameUnknown', 'Name not found. Check the spelling or paste the address.'],
    ['nameFailed', 'Error resolving name'],
    ['namesUnserved', "Names aren't supported here. Paste the address."],
    ['nameUnproven', "Only this site's own server could look up this name. Paste the address."],
    ['nameDisputed', 'Two sources disagree about this name. Paste the address.']
  ]
  it.each(receivers)('a receiver that is %s is told beside its field', (receiverFault, words) => {
    const picture = pictureOf('WalletSend.filled')
    draw(WalletSendView, { ...picture, send: { ...picture.send, receiverFault } })
    const field = getByRole('textbox', { name: 'To' })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById('receiver-fault')?.textContent).toBe(words)
  })

  it('spec_8_18_a_name_that_could_not_be_looked_up_is_looked_up_again_by_a_button', () => {
    const picture = pictureOf('WalletSend.filled')
    const send = { ...picture.send, receiverAddress: 'alice.eth', receiverFault: 'nameFailed' as const }
    const { said } = draw(WalletSendView, { ...picture, send })
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'send', event: { type: 'receiverTyped', text: 'alice.eth' } }])
    cleanup()
    draw(WalletSendView, { ...picture, send: { ...send, receiverFault: 'nameUnknown' } })
    expect(queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('where only the price of gas is missing, the network is blamed and no field is', () => {
    const picture = pictureOf('WalletSend.filled')
    draw(WalletSendView, { ...picture, send: { ...picture.send, feeMissing: true, ready: false, fee: null } })
    expect(document.getElementById('fee-fault')?.textContent).toBe("The network isn't responding. Try again.")
    expect(getByRole('textbox', { name: 'Amount' }).getAttribute('aria-invalid')).toBe('false')
  })

  it('an address that is typed does not stand below the field again, only its name', () => {
    const picture = pictureOf('WalletSend.max')
    const { receiverResolved } = picture.send
    draw(WalletSendView, picture)
    expect(getByText('alice.example.eth')).toBeTruthy()
    expect(queryByText(receiverResolved ?? '')?.tagName).toBe('TEXTAREA')
  })

  it('nothing can be sent of a balance of zero, not even all of it', () => {
    const picture = pictureOf('WalletSend.filled')
    const token = picture.send.token && { ...picture.send.token, balance: '0', shown: '0.00' }
    draw(WalletSendView, { ...picture, send: { ...picture.send, token } })
    expect(getByRole<HTMLButtonElement>('button', { name: 'Max' }).disabled).toBe(true)
  })

  it('a name that is looked up is no mistake', () => {
    draw(WalletSendView, 'WalletSend.resolving')
    expect(getByRole('textbox', { name: 'To' }).getAttribute('aria-invalid')).toBe('false')
    expect(getByText('Looking up name')).toBeTruthy()
  })

  it('the name of a receiver never stands without the address', () => {
    draw(WalletSendView, 'WalletSend.token')
    const who = screen.getByTestId('send-receiver-name').textContent
    expect(who).toContain('alice.example.eth')
    expect(who).toContain('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    cleanup()
    draw(WalletSendPreviewView, 'WalletSend.token')
    expect(getByText('alice.example.eth')).toBeTruthy()
    expect(document.querySelector('.full')?.textContent).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  })

  it('what the fee is worth is written as every other amount is', () => {
    const picture = pictureOf('WalletSendPreview.ready')
    draw(WalletSendPreviewView, { ...picture, send: { ...picture.send, feeValue: '1234.5' } })
    expect(getByText('$1,234.5')).toBeTruthy()
  })

  it('what a token is worth is told, and its fee in the coin', () => {
    draw(WalletSendView, 'WalletSend.token')
    expect(document.getElementById('amount-value')?.textContent).toBe('$40.50')
    expect(getByText(/^~0\.0\d+ ETH/)).toBeTruthy()
  })

  it.each([
    ['WalletSend.unreadable', "Couldn't read your balance from this token"],
    ['WalletSend.disputed', 'Two sources disagree about this token. Try again later.'],
    ['WalletSend.reverts', 'This transfer would fail. Check the recipient.', 'receiver-fault']
  ])('%s says why nothing can be sent', (name, words, field = 'amount-fault') => {
    draw(WalletSendView, name)
    expect(document.getElementById(field)?.textContent).toBe(words)
  })

  it('without coin for the fee the coin is named, not the token', () => {
    const picture = pictureOf('WalletSend.token')
    draw(WalletSendView, { ...picture, send: { ...picture.send, amountFault: 'insufficientGas' } })
    expect(document.getElementById('amount-fault')?.textContent).toBe('Not enough ETH for the network fee')
  })

  it('the token leads to the list of tokens', () => {
    const { said } = draw(WalletSendView, 'WalletSend.token')
    fireEvent.click(getByRole('button', { name: 'Choose a token to send: USDC' }))
    expect(said.map(({ event }) => event)).toEqual([{ type: 'viewAsked', view: 'WalletSendSelectToken' }])
  })

  const warnings: readonly [SendWarning, RegExp][] = [
    ['lookAlike', /^Looks like an address you've paid/],
    ['nameLetters', /lookalike letters/],
    ['nameElsewhere', /^alice\.eth has no address on Anvil One\. This is its address on Ethereum\.$/],
    ['contract', /^This is a contract/],
    ['firstSeen', /^First time sending to this address from this browser/],
    ['decimalsDiffer', /^The token list is wrong about this token/],
    ['feeUnusual', /^This network fee is far above recent ones/],
    ['symbolDiffers', /^This token's contract calls it/],
    ['symbolElsewhere', /^Another token uses this symbol/],
    ['nodesElsewhere', /^This network's nodes disagree, or answer for another network/]
  ]
  it('of several warnings about the token only the worst is shown, beside those about the receiver', () => {
    const picture = pictureOf('WalletSend.filled')
    const told: SendWarning[] = ['firstSeen', 'decimalsDiffer', 'symbolDiffers', 'symbolElsewhere']
    draw(WalletSendView, { ...picture, send: { ...picture.send, warnings: told } })
    const shown = screen.getAllByTestId(/^send-warning-/).map(({ dataset }) => dataset.testid)
    expect(shown).toEqual(['send-warning-firstSeen', 'send-warning-symbolElsewhere'])
  })

  it.each(warnings)('%s is told in the form and in the preview', (warning, words) => {
    for (const [view, name] of [
      [WalletSendView, 'WalletSend.filled'],
      [WalletSendPreviewView, 'WalletSendPreview.ready']
    ] as const) {
      const picture = pictureOf(name)
      draw(view, { ...picture, send: { ...picture.send, receiverProfileName: 'alice.eth', warnings: [warning] } })
      expect(screen.getByTestId(`send-warning-${warning}`).textContent).toMatch(words)
      cleanup()
    }
  })

  it('the address for which another may be taken is told whole', () => {
    draw(WalletSendView, 'WalletSend.lookAlike')
    const warning = getByTestId('send-warning-lookAlike')
    expect(warning.querySelector('small')?.textContent).toBe('You paid: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    // The characters between those that both addresses have stand out.
    expect(warning.querySelector('b')?.textContent).toBe('7970C51812dc3A010C7d01b50e0d17')
  })
})

describe('WalletSendSelectToken', () => {
  it('hidden tokens stand behind a row with their number, marked where they imitate or lure', () => {
    const { said } = draw(WalletSendSelectTokenView, 'WalletSendSelectToken.hidden')
    const row = getByRole('button', { name: /^Hidden \(4\)/ })
    expect(row.getAttribute('aria-expanded')).toBe('true')
    fireEvent.click(row)
    expect(said).toEqual([{ feature: 'send', event: { type: 'hiddenAsked' } }])
    expect(screen.getAllByRole('listitem')).toHaveLength(8)
    expect([getByText('Suspicious name'), getByText('Lookalike')].length).toBe(2)
  })

  it('a search that only hidden tokens match is no failure', () => {
    const picture = pictureOf('WalletSendSelectToken.hidden')
    const sendTokens = picture.sendTokens && { ...picture.sendTokens, search: 'claim', tokens: [], count: 0, hidden: 1 }
    draw(WalletSendSelectTokenView, { ...picture, sendTokens: sendTokens && { ...sendTokens, revealed: false } })
    expect(getByRole('button', { name: /^Hidden \(1\)/ })).toBeTruthy()
    expect(screen.queryByText(/No tokens found/)).toBeNull()
  })
})

describe('WalletSendSelectToken', () => {
  it('what is chosen and what is looked for go to the core', () => {
    const { said } = draw(WalletSendSelectTokenView, 'WalletSendSelectToken.list')
    fireEvent.change(getByRole('searchbox', { name: 'Search tokens' }), { target: { value: 'usd' } })
    fireEvent.click(screen.getByTestId('send-select-token-item-ETH'))
    fireEvent.click(screen.getByTestId('send-select-token-item-USDC'))
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'tokenSearched', text: 'usd' },
      { type: 'tokenChosen', address: null },
      { type: 'tokenChosen', address: '0x0000000000000000000000000000000000000001' }
    ])
    expect(screen.getByTestId('send-select-token-item-USDC').getAttribute('aria-current')).toBe('true')
  })

  it('the end of a long list asks for more, and another search stands in the place of the last one', () => {
    const picture = pictureOf('WalletSendSelectToken.list')
    const choices = picture.sendTokens as SendTokensView
    const shell = draw(WalletSendSelectTokenView, { ...picture, sendTokens: { ...choices, more: true, count: 200 } })
    fireEvent.click(getByRole('button', { name: 'Show more' }))
    expect(shell.said).toEqual([{ feature: 'send', event: { type: 'moreAsked' } }])
    shell.tell({ sendTokens: { ...choices, search: 'us', tokens: choices.tokens.slice(1, 2), count: 1 } })
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('us')
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('where nothing is found it says what can be typed', () => {
    draw(WalletSendSelectTokenView, 'WalletSendSelectToken.none')
    expect(getByText('No tokens found. Try a name, symbol or address.')).toBeTruthy()
  })
})
