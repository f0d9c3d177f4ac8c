import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AmountFault } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { SwapSelectTokenView } from './SwapSelectTokenView.tsx'
import { SwapView } from './SwapView.tsx'

const { findByText, getByRole, getByTestId, getByText, getByTitle, queryByText } = screen

describe('Swap', () => {
  it('each letter goes to the core, which owns the text', () => {
    const { said } = draw(SwapView, 'Swap.picked')
    fireEvent.change(getByRole('textbox', { name: 'You pay' }), { target: { value: '1,5' } })
    expect(said.map(({ event }) => event)).toEqual([{ type: 'amountTyped', text: '1,5' }])
    expect(getByTestId<HTMLInputElement>('swap-input-sourceToken').value).toBe('')
  })

  it('both tokens, all of it, the other way round and the review are asked for by their buttons', () => {
    const { said } = draw(SwapView, 'Swap.ready')
    fireEvent.click(getByTestId('swap-select-token-button-sourceToken'))
    fireEvent.click(getByTestId('swap-select-token-button-toToken'))
    fireEvent.click(getByRole('button', { name: 'Max' }))
    fireEvent.click(getByRole('button', { name: 'Switch tokens' }))
    fireEvent.submit(getByTestId('swap-input-sourceToken'))
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'selectAsked', target: 'sourceToken' },
      { type: 'selectAsked', target: 'toToken' },
      { type: 'maxAsked' },
      { type: 'flipAsked' },
      { type: 'reviewAsked' }
    ])
  })

  it('max writes a grouped amount', () => {
    const picture = pictureOf('Swap.ready')
    const shell = draw(SwapView, picture)
    fireEvent.click(getByRole('button', { name: 'Max' }))
    expect(shell.said.map(({ event }) => event)).toEqual([{ type: 'maxAsked' }])
    const swap = { ...picture.swap, sourceTokenAmount: '9999.9974', quote: null }
    shell.tell({ swap })
    expect(getByTestId<HTMLInputElement>('swap-input-sourceToken').value).toBe('9,999.9974')
  })

  it('a grouped amount is selected whole when its field gets the focus, so that what is typed takes its place', () => {
    const picture = pictureOf('Swap.ready')
    draw(SwapView, { ...picture, swap: { ...picture.swap, sourceTokenAmount: '1234567', quote: null } })
    const field = getByTestId('swap-input-sourceToken') as HTMLInputElement
    expect(field.value).toBe('1,234,567')
    act(() => field.focus())
    expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['1234567', 0, 7])
  })

  it('what is received is told, and can be typed instead of what is paid', () => {
    const { said } = draw(SwapView, 'Swap.ready')
    const received = getByTestId<HTMLInputElement>('swap-input-toToken')
    expect(received).toBe(getByRole('textbox', { name: 'You receive' }))
    expect([received.value, received.title]).toEqual(['3,899.21', '3,899.218407 USDC'])
    expect(within(getByTestId('swap-input-token-toToken')).getByText('$3,899.22')).toBeTruthy()
    fireEvent.change(received, { target: { value: '4000' } })
    expect(said.map(({ event }) => event)).toEqual([{ type: 'toAmountTyped', text: '4000' }])
  })

  it.each([
    ['quoting', 'toToken', 'sourceToken'],
    ['wantedQuoting', 'sourceToken', 'toToken']
  ])(
    'while a price is looked for (%s), the field that waits for it is a skeleton in its place',
    (name, waits, typed) => {
      draw(SwapView, `Swap.${name}`)
      const bones = (side: string) => getByTestId(`swap-input-token-${side}`).querySelectorAll('.fit .bone').length
      expect([bones(waits), bones(typed)]).toEqual([1, 0])
      expect(getByTestId<HTMLInputElement>(`swap-input-${waits}`).value).toBe('')
      expect(getByTestId('swap-action-button').textContent).toBe('Finding best price')
    }
  )

  it('the price stands in one line, with all that it is made of below', () => {
    draw(SwapView, 'Swap.ready')
    for (const words of ['1 ETH = 3,119.37 USDC', '3,860.22 USDC', '1% slippage', '0.04%', '0.05%', 'Uniswap V3 0.05%'])
      expect(getByText(words)).toBeTruthy()
  })

  it.each([
    ['empty', 'Select token'],
    ['picked', 'Enter an amount'],
    ['quoting', 'Finding best price'],
    ['ready', 'Review'],
    ['noRoute', 'No route found'],
    ['insufficient', 'Not enough ETH'],
    ['fault', 'Check the amount'],
    ['slippageWrong', 'Check the slippage'],
    ['noQuote', "Couldn't load price"],
    ['insufficientGas', 'Not enough ETH']
  ])('in the state %s the button says what comes next', (name, words) => {
    draw(SwapView, `Swap.${name}`)
    expect(getByTestId('swap-action-button').textContent).toBe(words)
  })

  it('that nobody swaps the pair is read out as well', () => {
    draw(SwapView, 'Swap.noRoute')
    expect(screen.getAllByRole('status').map((status) => status.textContent)).toContain(
      'No exchange can swap this. Try a smaller amount or another token.'
    )
  })

  it('only what goes on looks like the way on', () => {
    draw(SwapView, 'Swap.picked')
    expect(getByTestId('swap-action-button').classList.contains('primary')).toBe(false)
    cleanup()
    draw(SwapView, 'Swap.ready')
    expect(getByTestId('swap-action-button').classList.contains('primary')).toBe(true)
  })

  it('a swap that loses much is reviewed by the usual button: red begins where it is swapped anyway', () => {
    const { said } = draw(SwapView, 'Swap.impactSevere')
    const button = getByRole('button', { name: 'Review' })
    expect([button.classList.contains('primary'), button.classList.contains('grave')]).toEqual([true, false])
    fireEvent.click(button)
    expect(said.map(({ event }) => event)).toEqual([{ type: 'reviewAsked' }])
  })

  it('the slippage is chosen from those offered or typed, and stands in one line', () => {
    const { said } = draw(SwapView, 'Swap.ready')
    expect(getByTestId('swap-slippage').textContent).toBe('Max slippage1%')
    expect(getByRole('button', { name: '1%' }).getAttribute('aria-pressed')).toBe('true')
    fireEvent.click(getByRole('button', { name: '0.5%' }))
    fireEvent.change(getByRole('textbox', { name: /Your own max slippage/ }), { target: { value: '2,5' } })
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'slippageChosen', percent: '0.5' },
      { type: 'slippageTyped', text: '2,5' }
    ])
  })

  it('a high slippage is warned of, and one that is none is told', () => {
    draw(SwapView, 'Swap.slippageHigh')
    expect(getByText(/^With more than 5% slippage, others can profit/)).toBeTruthy()
    expect(getByTestId('swap-slippage').textContent).toBe('Max slippage7.5%')
    expect(getByText('7.5% slippage')).toBeTruthy()
    cleanup()
    draw(SwapView, 'Swap.slippageWrong')
    expect(getByTestId('swap-slippage-own').getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById('slippage-fault')?.textContent).toBe('Enter a number from 0.01 to 50')
    expect(queryByText(/^With more than 5% slippage/)).toBeNull()
  })

  it('the warning and the fault of a slippage scroll into view as they come, not as the form opens', () => {
    const scrolled: (string | null)[] = []
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      scrolled.push(this.textContent)
    })
    const picture = pictureOf('Swap.slippageHigh')
    const shell = draw(SwapView, picture)
    const say = (slippage: object) =>
      shell.tell({ swap: { ...picture.swap, slippage: { ...picture.swap.slippage, ...slippage } } })
    expect(scrolled).toEqual([])
    say({ typed: '70', wrong: true, high: false })
    say({ typed: '1', wrong: false, high: false })
    say({ typed: '7', wrong: false, high: true })
    expect(scrolled).toEqual([
      'Enter a number from 0.01 to 50',
      'With more than 5% slippage, others can profit from your swap. You may get much less.'
    ])
    scroll.mockRestore()
  })

  it('the choice of slippage that the visitor unfolded stays so while a value turns right', () => {
    const picture = pictureOf('Swap.ready')
    const shell = draw(SwapView, picture)
    const slip = getByTestId('swap-slippage').closest('details')
    if (!slip) throw new Error('no details')
    slip.open = true
    fireEvent(slip, new Event('toggle'))
    const slippage = { ...picture.swap.slippage, typed: '0.', wrong: true }
    shell.tell({ swap: { ...picture.swap, slippage } })
    shell.tell({ swap: { ...picture.swap, slippage: { ...slippage, typed: '0.3', percent: '0.3', wrong: false } } })
    expect([slip.open, getByTestId<HTMLInputElement>('swap-slippage-own').value]).toEqual([true, '0.3'])
  })

  it('a ring shows when the price refreshes, and starts anew with each price', () => {
    const shell = draw(SwapView, 'Swap.ready')
    const ring = () => document.querySelector<SVGElement>('.rest circle + circle')
    expect(ring()?.style.getPropertyValue('--rest')).toBe('15000ms')
    const first = ring()
    const { swap } = pictureOf('Swap.ready')
    if (!swap.rest) throw new Error('There is no time until the next price')
    const { until } = swap.rest
    shell.tell({ swap: { ...swap, rest: { from: until, until: until + 15_000 } } })
    expect(ring()).not.toBe(first)
    shell.tell({ swap: { ...swap, rest: null } })
    expect(ring()).toBeNull()
  })

  it('a button that leads to the tokens says which one is chosen', () => {
    draw(SwapView, 'Swap.empty')
    expect(getByRole('button', { name: 'Token: ETH' })).toBe(getByTestId('swap-select-token-button-sourceToken'))
    expect(getByTestId('swap-select-token-button-toToken').textContent).toBe('Select token')
  })

  const amounts: readonly [AmountFault, string][] = [
    ['missing', 'Enter an amount'],
    ['notANumber', 'Enter a number, such as 0.5'],
    ['tooPrecise', 'Use at most 18 decimals'],
    ['zero', 'Enter more than zero'],
    ['aboveBalance', 'More than your balance'],
    ['insufficientGas', 'Not enough ETH for the network fee']
  ]
  it.each(amounts)('an amount that is %s is told beside its field', (amountFault, words) => {
    const picture = pictureOf('Swap.picked')
    draw(SwapView, { ...picture, swap: { ...picture.swap, amountFault } })
    const field = getByTestId('swap-input-sourceToken')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(words)
  })

  it('the whole balance of a token is told with its digits grouped', () => {
    const picture = pictureOf('Swap.ready')
    const sourceToken = { ...picture.swap.sourceToken, symbol: 'ETH', balance: '10000.25', shown: '10000.25' }
    draw(SwapView, { ...picture, swap: { ...picture.swap, sourceToken } as never })
    expect(getByTitle('Available: 10,000.25 ETH')).toBeTruthy()
  })

  it('a token that contradicts its listing is named', () => {
    const picture = pictureOf('Swap.ready')
    draw(SwapView, { ...picture, swap: { ...picture.swap, liar: 'USDC', ready: false } })
    expect(getByText("Can't swap USDC. Its contract doesn't match its listing.")).toBeTruthy()
  })

  it.each([
    ['impactAbout', "You'd receive ~5.14% less than you pay."],
    ['impactHigh', 'This amount moves the price by 5.4%.'],
    ['impactSevere', "Price impact: you'd lose 85.01% of your value. Try a smaller amount."]
  ])('an amount of %s is warned of', (name, words) => {
    draw(SwapView, `Swap.${name}`)
    expect(getByText(words)).toBeTruthy()
  })

  it.each(['unavailable', 'noQuote'])('what could not be had in the state %s can be asked for again', (name) => {
    const { said } = draw(SwapView, `Swap.${name}`)
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'swap', event: { type: 'retryAsked' } }])
  })

  it('an impact that nobody said is told as what both sides are about worth', () => {
    draw(SwapView, 'Swap.impactAbout')
    expect(getByText('~5.14%').closest('dd')?.dataset.level).toBe('high')
  })

  it('spec 9.10: a network that cannot swap says so and offers those that can', async () => {
    const { said } = draw(SwapView, 'Swap.unsupported')
    expect(await findByText('No swaps on Anvil One')).toBeTruthy()
    fireEvent.click(getByRole('button', { name: /Optimism/ }))
    fireEvent.click(getByTestId('swap-networks-button'))
    expect(said).toEqual([
      { feature: 'network', event: { type: 'networkChosen', chain: 'eip155:10' } },
      { feature: 'swap', event: { type: 'networksAsked' } }
    ])
  })

  it('where no network can, none is offered', async () => {
    draw(SwapView, 'Swap.unsupportedAll')
    expect(await findByText('No network here supports swaps.')).toBeTruthy()
  })
})

describe('SwapSelectToken', () => {
  it('the search goes to the core and a token is chosen by its address', () => {
    const { said } = draw(SwapSelectTokenView, 'SwapSelectToken.list')
    fireEvent.change(getByTestId('swap-select-token-search-input'), { target: { value: 'us' } })
    fireEvent.click(getByTestId('swap-select-token-item-USDC'))
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'searchTyped', text: 'us' },
      { type: 'tokenChosen', address: '0x00000000000000000000000000000000000000c0' }
    ])
  })

  it('what is held says how much, and what is on no list says so with its address', () => {
    draw(SwapSelectTokenView, 'SwapSelectToken.list')
    expect(getByTestId('swap-select-token-item-USDC').textContent).toContain('5,250.50 USDC$5,250.500x00…0000C0')
    expect(getByTestId('swap-select-token-item-ETH').getAttribute('aria-current')).toBe('true')
  })

  it('hidden tokens stand behind a row with their number, which opens them below all others', () => {
    const { said } = draw(SwapSelectTokenView, 'SwapSelectToken.list')
    const row = getByRole('button', { name: /^Hidden \(1\)/ })
    expect(row.getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(row)
    expect(said).toEqual([{ feature: 'swap', event: { type: 'hiddenAsked' } }])
    cleanup()
    draw(SwapSelectTokenView, 'SwapSelectToken.revealed')
    expect(getByRole('button', { name: /^Hidden/ }).getAttribute('aria-expanded')).toBe('true')
    expect(getByTestId('swap-select-token-item-FREE-AIRDROP').textContent).toContain('Unlisted0x00…0000dd')
    const rows = screen.getAllByRole('listitem')
    expect(rows.at(-1)?.textContent).toContain('FREE-AIRDROP')
  })

  it('arrows go from the search through the tokens and back to it', () => {
    draw(SwapSelectTokenView, 'SwapSelectToken.list')
    const search = getByTestId('swap-select-token-search-input')
    const rows = screen.getAllByRole('button').filter((button) => button.matches('.row'))
    // The test's browser computes no layout: rows get their positions here.
    for (const [index, row] of rows.entries()) Object.defineProperty(row, 'offsetTop', { value: index * 64 })
    const press = (key: string) => document.activeElement && fireEvent.keyDown(document.activeElement, { key })
    search.focus()
    press('ArrowDown')
    press('ArrowDown')
    expect(document.activeElement).toBe(rows[1])
    press('ArrowUp')
    press('ArrowUp')
    expect(document.activeElement).toBe(search)
  })

  it('a search that finds nothing says so', () => {
    draw(SwapSelectTokenView, 'SwapSelectToken.none')
    expect(getByText('No tokens found. Try a name, symbol or address.')).toBeTruthy()
  })

  it('the end of a long list asks for more', () => {
    const { said } = draw(SwapSelectTokenView, 'SwapSelectToken.long')
    fireEvent.click(getByRole('button', { name: 'Show more' }))
    expect(said).toEqual([{ feature: 'swap', event: { type: 'moreAsked' } }])
  })
})

describe('an amount above the balance', () => {
  it('is told in one visible sentence, on the button, with its field in red', () => {
    const picture = pictureOf('Swap.insufficient')
    const { said } = draw(SwapView, picture)
    const field = getByTestId('swap-input-sourceToken')
    expect(field.closest('.field')?.classList.contains('wrong')).toBe(true)
    expect(getByTestId('swap-action-button').textContent).toBe('Not enough ETH')
    const sentence = () => document.getElementById('swap-fault')
    expect([sentence()?.className, sentence()?.textContent]).toEqual(['unseen', 'More than your balance'])
    cleanup()
    draw(SwapView, { ...picture, swap: { ...picture.swap, amountFault: 'tooPrecise' } })
    expect(sentence()?.className).toBe('fault')
    expect(said).toEqual([])
  })

  it('is the one fault that is told: what such a swap would cost is not', () => {
    const picture = pictureOf('Swap.impactSevere')
    draw(SwapView, { ...picture, swap: { ...picture.swap, amountFault: 'aboveBalance' } })
    expect(getByText('More than your balance')).toBeTruthy()
    expect(queryByText(/you'd lose 85/)).toBeNull()
    cleanup()
    draw(SwapView, picture)
    expect(getByText(/you'd lose 85/)).toBeTruthy()
  })
})
