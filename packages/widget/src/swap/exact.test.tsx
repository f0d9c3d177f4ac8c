import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { SwapConfirmedView } from './SwapConfirmedView.tsx'
import { SwapPreviewView } from './SwapPreviewView.tsx'
import { SwapView } from './SwapView.tsx'

const { getByTestId, getByText, queryByText } = screen

describe('a swap for an exact amount', () => {
  it('where what is received was typed, what is paid is told, with the most that it may be', () => {
    const { said } = draw(SwapView, 'Swap.wanted')
    expect(getByTestId<HTMLInputElement>('swap-input-toToken').value).toBe('3,900')
    const paid = getByTestId<HTMLInputElement>('swap-input-sourceToken')
    expect([paid.value, paid.title]).toEqual(['1.25025', '1.250250614012345678 ETH'])
    expect(getByText('Maximum paid')).toBeTruthy()
    expect(getByText('1.26276 ETH').title).toBe('1.262753120152469134 ETH')
    expect(queryByText('Minimum received')).toBeNull()
    expect(getByTestId('swap-action-button').textContent).toBe('Review')
    fireEvent.change(paid, { target: { value: '2' } })
    expect(said.map(({ event }) => event)).toEqual([{ type: 'amountTyped', text: '2' }])
  })

  it('where no exchange takes it, it cannot be typed, and the field says why', () => {
    draw(SwapView, 'Swap.oneWay')
    const received = getByTestId('swap-input-toToken')
    expect(received.tagName).toBe('OUTPUT')
    const why = document.getElementById(received.getAttribute('aria-describedby') ?? '')
    expect(why?.textContent).toBe('On this network, enter the amount you pay.')
  })

  it('what is wrong with a typed amount to receive is told beside its field', () => {
    draw(SwapView, 'Swap.wantedFault')
    const received = getByTestId('swap-input-toToken')
    expect(received.getAttribute('aria-invalid')).toBe('true')
    expect(getByTestId('swap-input-sourceToken').getAttribute('aria-invalid')).toBe('false')
    const fault = document.getElementById(received.getAttribute('aria-describedby') ?? '')
    expect(fault?.textContent).toBe('Enter the full number: 1000')
    expect(getByTestId('swap-action-button').textContent).toBe('Check the amount')
  })

  it('says the most that is paid, beside what is received', () => {
    draw(SwapPreviewView, 'SwapPreview.wanted')
    expect(getByText('You pay at most')).toBeTruthy()
    expect(queryByText('You pay')).toBeNull()
    expect(getByText('1.26276')).toBeTruthy()
    expect(getByText('3,900')).toBeTruthy()
    expect(getByText('Prices change. You pay at most the maximum, or nothing is swapped.')).toBeTruthy()
  })

  it.each([
    ['wantedApproval', 'Step 1: approve the most you may pay. Step 2: swap.'],
    ['wantedOutdated', "The price changed. You'd now pay at most 1.313 ETH."]
  ])('in the state %s its words are about what is paid', (name, words) => {
    draw(SwapPreviewView, `SwapPreview.${name}`)
    expect(getByText(words)).toBeTruthy()
  })

  it('is told as an estimate of what is paid until the network says more', () => {
    draw(SwapConfirmedView, 'SwapConfirmed.wanted')
    expect(getByText('~1.25025 ETH')).toBeTruthy()
    expect(getByText('3,900 USDC')).toBeTruthy()
    cleanup()
    const picture = pictureOf('SwapConfirmed.wanted')
    const { sent } = picture.swap
    draw(SwapConfirmedView, { ...picture, swap: { ...picture.swap, sent: sent && { ...sent, paid: '1.251' } } })
    expect(getByText('1.251 ETH')).toBeTruthy()
  })

  it('the value beside a new maximum is that of the new maximum', () => {
    const price = (name: string) => {
      const { sourceTokenPriceInUSD, quote } = pictureOf(name).swap
      return Number(sourceTokenPriceInUSD) / Number(quote?.maximumPaid)
    }
    expect(price('SwapPreview.wantedOutdated')).toBeCloseTo(price('SwapPreview.wanted'), 1)
  })
})
