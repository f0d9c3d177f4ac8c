import { expect, it } from 'vitest'
import { paidFee, shortFee, shortTotal } from './fee.ts'

it('a fee is written with four digits at most, and never as less than it is', () => {
  const fees = ['0.000021000000189', '0.00004199999', '0.0123456', '1.23456', '12.00001', '0.999999', '0.0000252']
  expect(fees.map(shortFee)).toEqual(['0.00002101', '0.000042', '0.01235', '1.235', '12.01', '1', '0.0000252'])
})

it('whole coins are kept, however many they are, and so is the least that there is', () => {
  const fees = ['10', '100.04', '1234.5', '123456789012345678901.5', '0.000000000000000001', '0.0']
  expect(fees.map(shortFee)).toEqual(['10', '100.1', '1235', '123456789012345678902', '0.000000000000000001', '0'])
})

it('what is no plain decimal stays as it is', () => {
  for (const text of ['', '.', '<0.01', '1e3', '-1.5', 'NaN']) {
    expect(shortFee(text)).toBe(text)
    expect(shortTotal(text, '0.1')).toBe(text)
    expect(shortTotal('1.50', text)).toBe('1.50')
  }
})

it('a total is written as far as its fee, so that the two can be added up', () => {
  expect(shortTotal('1.500021000000189', '0.000021000000189')).toBe('1.50002101')
  expect(shortTotal('1.0000000000000001', '0.000021')).toBe('1.00000001')
  expect(shortTotal('0.5', '0.25')).toBe('0.5')
})

it('a fee that was paid is the nearest of four digits', () => {
  const fees = ['0.000021000000168', '0.000221134', '0.00004742', '0.00001999996', '0.0000000123450']
  expect(fees.map(paidFee)).toEqual(['0.000021', '0.0002211', '0.00004742', '0.00002', '0.00000001235'])
})
