import { expect, it } from 'vitest'
import { amount, atMost } from './amount.ts'

it('writes every digit of an amount, however small or large', () => {
  expect(amount(0n, 18)).toBe('0')
  expect(amount(1n, 18)).toBe('0.000000000000000001')
  expect(amount(10n ** 18n, 18)).toBe('1')
  expect(amount(1_500_000_000_000_000_000n, 18)).toBe('1.5')
  expect(amount(2n ** 256n - 1n, 0)).toBe(
    '115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457,584,007,913,129,639,935'
  )
  // A floating-point number would lose the last digit.
  expect(amount(9_007_199_254_740_993n, 0)).toBe('9,007,199,254,740,993')
  expect(amount(-1_234_567_891n, 6)).toBe('-1,234.567891')
})

it('rounds a fee up, never down', () => {
  expect(atMost(1n, 18)).toBe('0.000001')
  expect(atMost(21_000_000_000_000n, 18)).toBe('0.000021')
  expect(atMost(21_000_000_000_001n, 18)).toBe('0.000022')
  expect(atMost(0n, 18)).toBe('0')
  expect(atMost(5n, 2)).toBe('0.05')
})
