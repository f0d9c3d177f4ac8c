import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { BuyAmountFault } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { BuyInProgressView } from './BuyInProgressView.tsx'
import { OnRampCountrySelectView } from './OnRampCountrySelectView.tsx'
import { OnRampFiatSelectView } from './OnRampFiatSelectView.tsx'
import { OnRampProvidersView } from './OnRampProvidersView.tsx'
import { OnRampStateSelectView } from './OnRampStateSelectView.tsx'
import { OnRampTokenSelectView } from './OnRampTokenSelectView.tsx'
import { WhatIsABuyView } from './WhatIsABuyView.tsx'

const { getByRole, getByTestId, getByText, queryByRole, queryByTestId, getAllByRole } = screen

const PRICES = 'Coinbase: ~0.04731 ETH, Meld.io: ~0.04731 ETH'

const shownAs = (name: string) => `OnRampProviders.${name}`

describe('OnRampProviders', () => {
  it('says so where nobody sells, and offers nothing to fill in', () => {
    draw(OnRampProvidersView, shownAs('none'))
    expect(getByText("Buying isn't available here")).toBeTruthy()
    expect(queryByRole('textbox')).toBeNull()
  })

  it('where the list did not come it can be asked for again', () => {
    const { said } = draw(OnRampProvidersView, shownAs('error'))
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'onramp', event: { type: 'retryAsked' } }])
  })

  it('where only the prices did not come the providers stand there all the same', () => {
    draw(OnRampProvidersView, shownAs('unpriced'))
    expect(getByText("Couldn't load prices. Each provider shows its own.")).toBeTruthy()
    expect(getByTestId('onramp-provider-coinbase')).toBeTruthy()
    expect(queryByRole('textbox')).toBeNull()
  })

  it('shows that it waits', () => {
    draw(OnRampProvidersView, shownAs('loading'))
    expect(getByRole('status', { name: 'Loading' })).toBeTruthy()
    expect(queryByTestId('onramp-provider-coinbase')).toBeNull()
  })

  it('spec_9_8_each provider is told with the range of its fee and with the network on which coins arrive', () => {
    const { said } = draw(OnRampProvidersView, shownAs('ready'))
    const coinbase = getByTestId('onramp-provider-coinbase')
    expect(coinbase.textContent).toContain('Fee 1–2%')
    expect(coinbase.textContent).toContain('Arrives on Ethereum')
    expect(getByTestId('onramp-provider-meld').textContent).not.toContain('Arrives on')
    expect(getByText('Meld.io')).toBeTruthy()
    fireEvent.click(coinbase)
    expect(said).toEqual([{ feature: 'onramp', event: { type: 'providerChosen', name: 'coinbase' } }])
  })

  it('Enter in the amount goes on to the first who sells', () => {
    draw(OnRampProvidersView, shownAs('quoted'))
    fireEvent.submit(getByTestId('onramp-amount'))
    expect(document.activeElement).toBe(getByTestId('onramp-provider-coinbase'))
  })

  it('prices are read out once all have come', () => {
    draw(OnRampProvidersView, shownAs('quoting'))
    expect(getAllByRole('status').map((status) => status.textContent)).not.toContain(PRICES)
    cleanup()
    draw(OnRampProvidersView, shownAs('quoted'))
    expect(getAllByRole('status').map((status) => status.textContent)).toContain(PRICES)
  })

  it('one that pays out to no such account cannot be chosen and says why', () => {
    const picture = pictureOf(shownAs('ready'))
    const providers = picture.onramp.providers.map((one) => ({ ...one, available: false, elsewhere: null }))
    const { said } = draw(OnRampProvidersView, { ...picture, onramp: { ...picture.onramp, providers } })
    const coinbase = getByTestId<HTMLButtonElement>('onramp-provider-coinbase')
    expect([coinbase.disabled, coinbase.textContent]).toEqual([true, "CoinbaseCan't pay out to this account"])
    fireEvent.click(coinbase)
    expect(said).toEqual([])
  })

  it('a quote is written short, and whole for who points at it', () => {
    draw(OnRampProvidersView, shownAs('quoted'))
    const [price] = screen.getAllByText('~0.04731 ETH')
    expect(price?.title).toBe('0.04731 ETH')
  })

  it('where none came it says that the provider tells its price, and makes none up', () => {
    draw(OnRampProvidersView, shownAs('unquoted'))
    const coinbase = getByTestId('onramp-provider-coinbase')
    expect(coinbase.textContent).toContain('See the price on their site')
    expect(coinbase.textContent).not.toContain('ETH')
  })

  it('each letter goes to the core, and the choices lead to their lists', () => {
    const { said } = draw(OnRampProvidersView, shownAs('ready'))
    fireEvent.change(getByRole('textbox', { name: 'You pay' }), { target: { value: '99,5' } })
    fireEvent.click(getByRole('button', { name: 'Currency: EUR' }))
    fireEvent.click(getByRole('button', { name: 'Token: ETH' }))
    fireEvent.click(getByRole('button', { name: 'What is Buy?' }))
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'amountTyped', text: '99,5' },
      { type: 'viewAsked', view: 'OnRampFiatSelect' },
      { type: 'viewAsked', view: 'OnRampTokenSelect' },
      { type: 'viewAsked', view: 'WhatIsABuy' }
    ])
  })

  const faults: readonly [BuyAmountFault, string][] = [
    ['notANumber', 'Enter a number, such as 50'],
    ['tooPrecise', 'Use at most 2 decimals'],
    ['zero', 'Enter more than zero'],
    ['tooLarge', 'Enter a smaller amount']
  ]
  it.each(faults)('an amount that is %s is told beside its field', (amountFault, words) => {
    const picture = pictureOf(shownAs('wrong'))
    draw(OnRampProvidersView, { ...picture, onramp: { ...picture.onramp, amountFault } })
    expect(getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById('buy-amount-fault')?.textContent).toBe(words)
  })
})

describe('the lists', () => {
  it('a coin is found by its name or its symbol, and chosen', () => {
    const { said } = draw(OnRampTokenSelectView, 'OnRampTokenSelect.list')
    fireEvent.change(getByRole('searchbox'), { target: { value: ' usd ' } })
    expect(getAllByRole('listitem')).toHaveLength(2)
    fireEvent.click(getByTestId('onramp-token-USDC'))
    expect(said).toEqual([{ feature: 'onramp', event: { type: 'tokenChosen', id: 'USDC' } }])
    fireEvent.change(getByRole('searchbox'), { target: { value: 'no such coin' } })
    expect(getByText('No tokens found')).toBeTruthy()
  })

  it('money is told by its name in the language, and the one in use is marked', () => {
    const { said } = draw(OnRampFiatSelectView, 'OnRampFiatSelect.list')
    expect(getByTestId('onramp-currency-EUR').getAttribute('aria-current')).toBe('true')
    fireEvent.change(getByRole('searchbox'), { target: { value: 'swiss' } })
    fireEvent.click(getByTestId('onramp-currency-CHF'))
    expect(said).toEqual([{ feature: 'onramp', event: { type: 'currencyChosen', id: 'CHF' } }])
  })

  it('money is told in Arabic to who reads it', () => {
    draw(OnRampFiatSelectView, 'OnRampFiatSelect.list', arabic)
    expect(getByText('يورو')).toBeTruthy()
  })
})

describe('where the visitor is', () => {
  it('stands beside the price, and leads to the list of countries', () => {
    const { said } = draw(OnRampProvidersView, shownAs('ready'))
    fireEvent.click(getByRole('button', { name: 'Country: Germany' }))
    expect(said.map(({ event }) => event)).toEqual([{ type: 'viewAsked', view: 'OnRampCountrySelect' }])
    expect(queryByTestId('onramp-state')).toBeNull()
  })

  it('is asked for where it is not known, and that nobody sells there is said', () => {
    draw(OnRampProvidersView, shownAs('placeless'))
    expect(getByText('Prices vary by country. Choose yours.')).toBeTruthy()
    expect(getByRole('button', { name: 'Country: Choose country' })).toBeTruthy()
    cleanup()
    draw(OnRampProvidersView, shownAs('nowhere'))
    expect(getByText('Some providers serve only certain states. Choose yours.')).toBeTruthy()
    expect(getByRole('button', { name: 'State: Choose state' })).toBeTruthy()
    cleanup()
    const picture = pictureOf(shownAs('nowhere'))
    draw(OnRampProvidersView, { ...picture, onramp: { ...picture.onramp, country: 'FR', stateOf: null } })
    expect(getByText(/No provider serves this network in France/)).toBeTruthy()
  })

  it('countries are told by their names in the language, and found by them', () => {
    const { said } = draw(OnRampCountrySelectView, 'OnRampCountrySelect.list')
    expect(getByTestId('onramp-country-DE').getAttribute('aria-current')).toBe('true')
    fireEvent.change(getByRole('searchbox'), { target: { value: 'swit' } })
    fireEvent.click(getByTestId('onramp-country-CH'))
    expect(said).toEqual([{ feature: 'onramp', event: { type: 'countryChosen', id: 'CH' } }])
    cleanup()
    draw(OnRampCountrySelectView, 'OnRampCountrySelect.list', arabic)
    expect(getByText('ألمانيا')).toBeTruthy()
  })

  it('states are told by their names', () => {
    const { said } = draw(OnRampStateSelectView, 'OnRampStateSelect.list')
    fireEvent.change(getByRole('searchbox'), { target: { value: 'new york' } })
    fireEvent.click(getByTestId('onramp-state-NY'))
    expect(said).toEqual([{ feature: 'onramp', event: { type: 'stateChosen', id: 'NY' } }])
  })
})

describe('BuyInProgress', () => {
  it('while the page is made ready it cannot be opened twice', () => {
    const { said } = draw(BuyInProgressView, 'BuyInProgress.preparing')
    const button = getByRole('button', { name: 'Open Coinbase' })
    fireEvent.click(button)
    expect([said.length, button.getAttribute('aria-busy')]).toEqual([0, 'true'])
  })

  it('where the browser opened no tab the visitor follows a link, which every browser opens', () => {
    const { said } = draw(BuyInProgressView, 'BuyInProgress.ready')
    const link = getByRole<HTMLAnchorElement>('link', { name: 'Open Coinbase' })
    expect([link.href, link.target, link.rel]).toEqual(['https://pay.example/buy', '_blank', 'noopener noreferrer'])
    fireEvent.click(link)
    expect(said).toEqual([{ feature: 'onramp', event: { type: 'linkFollowed' } }])
  })

  const known: readonly [string, string, RegExp][] = [
    ['unseen', 'Finish with Coinbase', /No purchase seen yet/],
    ['pending', 'Purchase in progress', /Coinbase is processing your payment/],
    ['done', 'Purchase complete', /0\.04731 ETH is on its way/],
    ['lost', "Purchase didn't go through", /See why on Coinbase's site/],
    ['over', 'Finish with Coinbase', /No news from Coinbase/]
  ]
  it.each(known)('a purchase that is %s is told as it is', (state, title, hint) => {
    draw(BuyInProgressView, `BuyInProgress.${state}`)
    expect(getByText(title)).toBeTruthy()
    expect(getByText(hint)).toBeTruthy()
  })

  it('a visitor may look again while something may still become of it, and not after', () => {
    const { said } = draw(BuyInProgressView, 'BuyInProgress.over')
    fireEvent.click(getByRole('button', { name: 'Check status' }))
    expect(said.map(({ event }) => event)).toEqual([{ type: 'checkAsked' }])
    // Nothing is known to have been bought, so nothing is done.
    expect(screen.getByTestId('onramp-done').textContent).toBe('Close')
    cleanup()
    draw(BuyInProgressView, 'BuyInProgress.done')
    expect(queryByTestId('onramp-check')).toBeNull()
    expect(queryByTestId('onramp-again')).toBeNull()
  })

  it('a purchase that failed is tried again first, and nobody is done with it', () => {
    const { said } = draw(BuyInProgressView, 'BuyInProgress.lost')
    const again = getByRole('button', { name: 'Try again' })
    expect(again.className).toContain('primary')
    fireEvent.click(again)
    fireEvent.click(getByRole('button', { name: 'Close' }))
    expect(said.map(({ event }) => event)).toEqual([{ type: 'openAsked' }, { type: 'doneAsked' }])
  })

  it.each(['failed', 'lost'])('in the state %s the one main button tries again, and no button is done', (state) => {
    draw(BuyInProgressView, `BuyInProgress.${state}`)
    const main = [...document.querySelectorAll('.button.primary')]
    expect(main.map(({ textContent }) => textContent)).toEqual(['Try again'])
    expect(screen.queryByRole('button', { name: /done/i })).toBeNull()
  })

  it('one that failed on an earlier page is tried again from the list of providers', () => {
    const picture = pictureOf('BuyInProgress.lost')
    const { said } = draw(BuyInProgressView, { ...picture, onramp: { ...picture.onramp, provider: null } })
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'OnRampProviders' } }])
  })

  it('tells whither the coins go, and takes the visitor back when it is done', () => {
    const { said } = draw(BuyInProgressView, 'BuyInProgress.opened')
    expect(getByText('0xf3…b92266')).toBeTruthy()
    expect(getByText('Ethereum')).toBeTruthy()
    fireEvent.click(getByRole('button', { name: 'Done' }))
    fireEvent.click(getByRole('button', { name: 'Open again' }))
    expect(said.map(({ event }) => event)).toEqual([{ type: 'doneAsked' }, { type: 'openAsked' }])
  })

  it("a page that could not be had says why in the widget's own words, and can be tried again", () => {
    const { said } = draw(BuyInProgressView, 'BuyInProgress.failed')
    expect(getByText("Coinbase isn't responding. Try again or choose another provider.")).toBeTruthy()
    expect(document.querySelector('blockquote')).toBeNull()
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'onramp', event: { type: 'retryAsked' } }])
  })
})

it('WhatIsABuy names no provider', () => {
  draw(WhatIsABuyView, 'WhatIsABuy.page')
  expect(document.body.textContent).not.toMatch(/coinbase|meld/i)
})
