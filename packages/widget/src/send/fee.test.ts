import { expect, it } from 'vitest'
import { shortFee } from './fee.ts'

it('a fee is written with four digits at most', () => {
  const fees = ['0.000021000000189', '0.00004199999', '0.0123456', '1.23456', '12.00001', '0.999999', '0.0000252']
  expect(fees.map(shortFee)).toEqual(['0.000021', '0.000042', '0.01235', '1.235', '12', '1', '0.0000252'])
})

it('whole coins are kept, however many they are, and so is the least that there is', () => {
  const fees = ['10', '100.04', '1234.5', '123456789012345678901.5', '0.000000000000000001']
  expect(fees.map(shortFee)).toEqual(['10', '100', '1235', '123456789012345678901', '0.000000000000000001'])
})

it('what is no plain decimal stays as it is', () => {
  for (const text of ['', '.', '<0.01', '1e3', '-1.5', 'NaN']) expect(shortFee(text)).toBe(text)
})
