import { expect, it } from 'vitest'
import { writeAmount, writeDollars } from './number.ts'

it('spec_2_10_amounts_are_grouped_as_the_language_does_and_keep_their_decimals', () => {
  const english = writeAmount('en')
  expect(['0.000', '999.999', '1000.000', '10000.00', '1234567'].map(english)).toEqual([
    '0.000',
    '999.999',
    '1,000.000',
    '10,000.00',
    '1,234,567'
  ])
  expect(writeAmount('de')('10000.500')).toBe('10.000,500')
  expect(writeAmount('ar')('10000.500')).toBe('10,000.500')
})

it('no digit is lost, however many there are', () => {
  const text = '123456789012345678901.123456789012345678'
  expect(writeAmount('en')(text)).toBe('123,456,789,012,345,678,901.123456789012345678')
  expect(writeAmount('en')(text).replaceAll(',', '')).toBe(text)
})

it('what is no plain decimal stays as it is', () => {
  for (const text of ['', '.', '1,5', '1e3', '-1', 'NaN', '0x10']) expect(writeAmount('en')(text)).toBe(text)
})

it('an amount of dollars too small to show keeps its sign before the dollar', () => {
  const english = writeAmount('en')
  const dollars = (amount: string) => writeDollars(english, amount)
  expect(['<0.01', '0.00', '1234.50'].map(dollars)).toEqual(['<$0.01', '$0.00', '$1,234.50'])
})
