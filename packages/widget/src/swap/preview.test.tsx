import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { SwapConfirmedView } from './SwapConfirmedView.tsx'
import { SwapPreviewView } from './SwapPreviewView.tsx'
import { SwapView } from './SwapView.tsx'

const { getByRole, getByTestId, getByText, queryByRole, queryByTestId, queryByText } = screen

describe('SwapPreview', () => {
  it('shows all that will be swapped before the wallet is asked', () => {
    const { said } = draw(SwapPreviewView, 'SwapPreview.ready')
    for (const words of ['1.25', '3,899.21', '3,860.22 USDC']) expect(getByText(words)).toBeTruthy()
    // The preview leaves out facts that repeat these or decide nothing.
    for (const words of ['1 ETH = 3,119.37 USDC', 'Uniswap V3 0.05%', 'Price impact'])
      expect(queryByText(words)).toBeNull()
    // The router by its name and address, whose full form is its title, stands below and can be copied.
    const router = getByText('Contract').parentElement?.querySelector('dd') as HTMLElement
    const address = '0x00000000000000000000000000000000000000AA'
    expect([router.title, router.textContent]).toEqual([address, `Uniswap V20x00…0000AA${address}`])
    fireEvent.click(within(router).getByRole('button', { name: 'Copy Uniswap V2' }))
    expect(said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text: address } }])
    said.length = 0
    fireEvent.click(getByRole('button', { name: 'Swap' }))
    fireEvent.click(getByRole('button', { name: 'Cancel' }))
    expect(said).toEqual([
      { feature: 'swap', event: { type: 'confirmAsked' } },
      { feature: 'modal', event: { type: 'backAsked' } }
    ])
  })

  it('a token has its whole contract, which can be copied, below the shortened one', () => {
    const { said } = draw(SwapPreviewView, 'SwapPreview.ready')
    const text = pictureOf('SwapPreview.ready').swap.toToken?.contract ?? ''
    expect(text).toMatch(/^0x[\da-fA-F]{40}$/)
    expect(getByText(text).className).toBe('full')
    fireEvent.click(getByRole('button', { name: 'Copy USDC' }))
    expect(said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text } }])
  })

  it('leads to the contract where the network has an explorer, and tells a fee of the route and a price impact that matter', () => {
    const picture = pictureOf('SwapPreview.ready')
    const quote = (changes: object) => {
      const quote = picture.swap.quote && { ...picture.swap.quote, ...changes }
      draw(SwapPreviewView, { ...picture, swap: { ...picture.swap, quote } })
    }
    const url = 'https://explorer.example/address/0xAA'
    quote({ providerFee: '0', impact: 'high', contract: { ...picture.swap.quote?.contract, url } })
    expect(getByRole('link', { name: '0x00…0000AA' }).getAttribute('href')).toBe(url)
    expect([queryByText('Route fee'), getByText('Price impact') !== null]).toEqual([null, true])
    cleanup()
    quote({ providerFee: '0.05', impact: null, priceImpact: null })
    expect(getByText('Route fee')).toBeTruthy()
    expect(getByText('Unknown')).toBeTruthy()
  })

  it('warns of a high slippage once more', () => {
    const picture = pictureOf('SwapPreview.ready')
    const warning = 'With more than 5% slippage, others can profit from your swap. You may get much less.'
    draw(SwapPreviewView, picture)
    expect(queryByText(warning)).toBeNull()
    cleanup()
    const slippage = { ...picture.swap.slippage, typed: '7', percent: '7', high: true }
    draw(SwapPreviewView, { ...picture, swap: { ...picture.swap, slippage } })
    expect(getByText(warning)).toBeTruthy()
  })

  it('promises the minimum only where a simulation showed it', () => {
    draw(SwapPreviewView, 'SwapPreview.ready')
    expect(getByText('Prices change. You receive at least the minimum, or nothing is swapped.')).toBeTruthy()
    cleanup()
    draw(SwapPreviewView, 'SwapPreview.untested')
    expect(
      getByText(
        "Prices change, and this swap couldn't be tested. You'll confirm once more before your wallet asks you."
      )
    ).toBeTruthy()
    expect(queryByText(/at least the minimum/)).toBeNull()
  })

  it.each([
    ['feeUnusual', /^This network fee is far above recent ones/],
    ['nodesElsewhere', /^This network's nodes disagree, or answer for another network/]
  ])('%s is told in the form and in the preview', (warning, words) => {
    for (const [view, name] of [
      [SwapView, 'Swap.ready'],
      [SwapPreviewView, 'SwapPreview.ready']
    ] as const) {
      const picture = pictureOf(name)
      const { swap } = picture
      draw(view, picture)
      expect(queryByText(words)).toBeNull()
      cleanup()
      draw(view, { ...picture, swap: { ...swap, quote: swap.quote && { ...swap.quote, [warning]: true } } })
      expect(getByText(words)).toBeTruthy()
      cleanup()
    }
  })

  it('a swap that loses a large part is asked about once more, in red', () => {
    const { said } = draw(SwapPreviewView, 'SwapPreview.costly')
    expect(getByText("You'd lose 85.01% of your value. Swap anyway?")).toBeTruthy()
    const button = getByRole('button', { name: 'Swap anyway' })
    expect(button.className).toContain('grave')
    fireEvent.click(button)
    expect(said).toEqual([{ feature: 'swap', event: { type: 'confirmAsked' } }])
  })

  it('a heavy loss keeps the button red while the wallet asks and after it declined', () => {
    const picture = pictureOf('SwapPreview.severe')
    for (const phase of ['confirming', 'refused', 'failed'] as const) {
      draw(SwapPreviewView, { ...picture, swap: { ...picture.swap, phase } })
      expect(getByTestId('swap-action-button').className, phase).toContain('grave')
      cleanup()
    }
  })

  it('a heavy loss stands in the foot beside the red button, and once only', () => {
    draw(SwapPreviewView, 'SwapPreview.severe')
    const floor = document.querySelector('.floor')
    expect(floor?.textContent).toContain("Price impact: you'd lose 85.01% of your value.")
    const button = getByRole('button', { name: 'Swap anyway' })
    expect([button.className.includes('grave'), floor?.contains(button)]).toEqual([true, true])
    cleanup()
    draw(SwapPreviewView, 'SwapPreview.costly')
    expect(queryByText(/Price impact: you'd lose/)).toBeNull()
    expect(document.querySelectorAll('.said.wrong')).toHaveLength(1)
  })

  it('a question that nobody can have read yet is not answered', () => {
    const { said } = draw(SwapPreviewView, 'SwapPreview.unread')
    const button = getByRole('button', { name: 'Swap anyway' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(button)
    expect(said).toEqual([])
  })

  it('a swap whose loss nobody can tell is asked about with both amounts', () => {
    draw(SwapPreviewView, 'SwapPreview.unvalued')
    expect(
      getByText('There is no price for this swap. You pay 1 ETH and get at least 2,970 DAI. Swap anyway?')
    ).toBeTruthy()
  })

  it('a token is approved first, and that is said', () => {
    draw(SwapPreviewView, 'SwapPreview.approval')
    expect(getByRole('button', { name: 'Approve and swap' })).toBeTruthy()
    expect(getByText('Step 1: approve this exact amount. Step 2: swap.')).toBeTruthy()
  })

  it('a wallet that can approves and swaps in one step, and that is said', () => {
    draw(SwapPreviewView, 'SwapPreview.together')
    expect(getByRole('button', { name: 'Approve and swap' })).toBeTruthy()
    expect(getByText('Alpha Wallet approves this exact amount and swaps it in one step.')).toBeTruthy()
  })

  it.each([
    ['approving', /^Step 1 of 2: Approve in Alpha Wallet$/],
    ['bothConfirming', /^Approve in Alpha Wallet$/],
    ['apart', /^Step 1 of 2: Alpha Wallet can't do both in one step here\. Approve first, then swap\.$/],
    ['approvalPending', /^Step 1 of 2: Waiting for the approval to confirm$/],
    ['building', /^Preparing your swap$/],
    ['confirming', /^Approve in Alpha Wallet$/],
    ['slow', /^Open Alpha Wallet from its window/]
  ])('in the state %s nothing can be confirmed twice, and it says what it waits for', (name, words) => {
    const { said } = draw(SwapPreviewView, `SwapPreview.${name}`)
    const button = getByTestId('swap-action-button')
    fireEvent.click(button)
    expect([said.length, button.getAttribute('aria-busy')]).toEqual([0, 'true'])
    const told = screen.getAllByRole('status').map((status) => status.textContent ?? '')
    expect(told.some((one) => words.test(one))).toBe(true)
  })

  it('the second of two steps is counted too', () => {
    const picture = pictureOf('SwapPreview.confirming')
    const [approved] = pictureOf('Account.activity.unfinished').swap.pending
    if (!approved) throw new Error('No swap is unfinished')
    draw(SwapPreviewView, { ...picture, swap: { ...picture.swap, pending: [approved] } })
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
      'Step 2 of 2: Approve in Alpha Wallet'
    )
  })

  it('a swap that is declined after its approval says that the approval stands, here and in the form', () => {
    const picture = pictureOf('SwapPreview.refused')
    const [approved] = pictureOf('Account.activity.unfinished').swap.pending
    if (!approved) throw new Error('No swap is unfinished')
    const swap = { ...picture.swap, pending: [{ ...approved, symbol: 'ETH', toSymbol: 'USDC' }] }
    const words = "ETH is approved. Swap when you're ready."
    const { said } = draw(SwapPreviewView, { ...picture, swap })
    expect(getByText(words)).toBeTruthy()
    expect(queryByText(/You declined/)).toBeNull()
    fireEvent.click(getByRole('button', { name: 'Swap' }))
    expect(said).toEqual([{ feature: 'swap', event: { type: 'confirmAsked' } }])
    cleanup()
    draw(SwapView, { ...picture, swap })
    expect(getByText(words)).toBeTruthy()
    cleanup()
    // The form is about another pair.
    draw(SwapView, { ...picture, swap: { ...swap, pending: [{ ...approved, symbol: 'DAI' }] } })
    expect(queryByText(words)).toBeNull()
  })

  it('a mined revocation alone is not called an approval, in the preview or in the form', () => {
    const picture = pictureOf('SwapPreview.refused')
    const [approved] = pictureOf('Account.activity.unfinished').swap.pending
    const { quote } = picture.swap
    if (!approved || !quote) throw new Error('No swap is unfinished')
    const pending = [{ ...approved, symbol: 'ETH', toSymbol: 'USDC', amount: '0' }]
    for (const known of [{ ...quote, approvalNeeded: true }, null]) {
      for (const View of [SwapPreviewView, SwapView]) {
        draw(View, { ...picture, swap: { ...picture.swap, pending, quote: known } })
        expect(queryByText(/is approved/)).toBeNull()
        cleanup()
      }
    }
  })

  it('a price that got worse is agreed to before anything else', () => {
    const { said } = draw(SwapPreviewView, 'SwapPreview.outdated')
    expect(getByText(/You'd now receive at least/)).toBeTruthy()
    expect(queryByRole('button', { name: 'Swap' })).toBeNull()
    fireEvent.click(getByRole('button', { name: 'Accept new price' }))
    expect(said).toEqual([{ feature: 'swap', event: { type: 'priceAccepted' } }])
  })

  it.each([
    ['refused', /You declined\. Nothing was swapped\./],
    ['failed', /The swap didn't go through\..*insufficient funds/],
    ['mismatch', /The server's transaction doesn't match this preview\. Nothing was signed\./],
    ['unsure', /^Your wallet may have sent this transaction\. Check there before you try again\./, 'Send again'],
    ['interrupted', /^Your wallet may have sent your last request\./, 'Send again']
  ])('when it was %s it says so and can be tried again', (name, words, button = 'Try again') => {
    const { said } = draw(SwapPreviewView, `SwapPreview.${name}`)
    expect(screen.getAllByRole('status').some((status) => words.test(status.textContent ?? ''))).toBe(true)
    fireEvent.click(getByRole('button', { name: button }))
    expect(said).toEqual([{ feature: 'swap', event: { type: 'confirmAsked' } }])
    expect(queryByTestId('swap-details')).toBeNull()
  })
})

describe('SwapConfirmed', () => {
  it.each([
    ['pending', /^On its way.*You can close this/],
    ['confirmed', /^Swapped$/],
    ['failed', /^Transaction failed.*Nothing was swapped/]
  ])('%s is told as it is, with all that identifies the transaction', (name, words) => {
    const { said } = draw(SwapConfirmedView, `SwapConfirmed.${name}`)
    expect(screen.getAllByRole('status')[0]?.textContent).toMatch(words)
    const received = name === 'confirmed' ? '3,899.2 USDC' : '~3,899.21 USDC'
    for (const text of ['Anvil One', '0xab…ababab']) expect(getByText(text)).toBeTruthy()
    // A failed swap moved nothing.
    for (const text of ['1.25 ETH', received]) expect(queryByText(text) !== null).toBe(name !== 'failed')
    expect(queryByText('Network fee') !== null).toBe(name === 'confirmed')
    expect(queryByText('You paid') !== null && queryByText('You received') !== null).toBe(name === 'confirmed')
    expect(queryByText('You pay') !== null).toBe(name === 'pending')
    expect(getByRole('link', { name: 'View on explorer' })).toBeTruthy()
    fireEvent.click(getByRole('button', { name: 'Copy transaction hash' }))
    fireEvent.click(getByRole('button', { name: 'Done' }))
    expect(said).toEqual([
      { feature: 'account', event: { type: 'textCopyAsked', text: `0x${'ab'.repeat(32)}` } },
      { feature: 'modal', event: { type: 'backAsked' } }
    ])
  })

  it('an amount has as many digits in the receipt as in the preview, and all of them in its title', () => {
    draw(SwapPreviewView, 'SwapPreview.ready')
    const { quote } = pictureOf('SwapPreview.ready').swap
    expect(quote?.toTokenShown).toBe('3899.21')
    expect(getByText('3,899.21')).toBeTruthy()
    cleanup()
    draw(SwapConfirmedView, 'SwapConfirmed.pending')
    expect(getByText('~3,899.21 USDC').title).toBe('3,899.218407 USDC')
  })

  it('tells both amounts alike, with their value where a price is known', () => {
    const picture = pictureOf('SwapConfirmed.confirmed')
    const { sent } = picture.swap
    const show = (changes: object) => {
      draw(SwapConfirmedView, { ...picture, swap: { ...picture.swap, sent: sent && { ...sent, ...changes } } })
      const lines = ['You paid', 'You received'].map((name) => getByText(name).parentElement)
      expect(lines.map((line) => line?.className)).toEqual(['strong', 'strong'])
      const values = lines.map((line) => line?.querySelector('small')?.textContent)
      cleanup()
      return values
    }
    expect(show({ value: '3900.62', toValue: '3899.21', received: null })).toEqual(['$3,900.62', '~$3,899.21'])
    expect(show({ value: '3900.62', toValue: '3899.21', received: '3899.21' })).toEqual(['$3,900.62', '$3,899.21'])
    expect(show({ value: null, toValue: null })).toEqual([undefined, undefined])
  })

  it('a batch has no hash to copy', () => {
    const picture = pictureOf('SwapConfirmed.pending')
    const { sent } = picture.swap
    const receipt = sent && { ...sent.receipt, hash: null, hashShort: null, url: null }
    draw(SwapConfirmedView, { ...picture, swap: { ...picture.swap, sent: sent && receipt && { ...sent, receipt } } })
    expect(queryByRole('button', { name: 'Copy transaction hash' })).toBeNull()
    expect(queryByRole('link')).toBeNull()
  })
})
