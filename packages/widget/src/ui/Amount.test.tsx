import { cleanup, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Amount } from './Amount.tsx'

const drawn = (value: string, symbol?: string) => {
  const { container } = render(<Amount value={value} symbol={symbol} />)
  const element = container.querySelector('bdi')
  cleanup()
  return element
}

it('groups digits, keeps all decimals, and runs from left to right', () => {
  const element = drawn('1234567.890', 'ETH')
  expect([element?.textContent, element?.dir]).toEqual(['1,234,567.890 ETH', 'ltr'])
  expect(drawn('<0.01', 'ETH')?.textContent).toBe('<0.01 ETH')
})

it('without a symbol it is in dollars', () => {
  expect(drawn('1250.00')?.textContent).toBe('$1,250.00')
})

it('is set smaller where it is long, and cuts nothing', () => {
  const sizes = ['1.00', '123456789012.00', '123456789012345678901234.00'].map((value) => drawn(value, 'USDC'))
  expect(sizes.map((element) => element?.className)).toEqual(['sized', 'sized tight', 'sized tighter'])
  expect(sizes.at(-1)?.textContent).toBe('123,456,789,012,345,678,901,234.00 USDC')
})

it('has a sign before it where it is given one', () => {
  render(
    <Amount value="1.00" symbol="ETH">
      <span>plus </span>
    </Amount>
  )
  expect(screen.getByText(/1\.00 ETH/).textContent).toBe('plus 1.00 ETH')
})
