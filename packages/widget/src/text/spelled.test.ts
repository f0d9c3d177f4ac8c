import { expect, it } from 'vitest'
import { MOST, significant, spelled, unpadded } from './spelled.ts'

it.each([
  ['0.5', '0.500'],
  ['10000', '10000.000'],
  ['1.50', '1.500'],
  ['1.123456789', '1.123456789'],
  ['007.5', '7.500'],
  ['<0.001', '<0.001'],
  ['nonsense', 'nonsense']
])('spec_2_10_%s stands with three decimals at least and drops none: %s', (text, written) => {
  expect(spelled(text)).toBe(written)
})

it.each([
  ['1250.004', '1250.004'],
  ['5', '5.00'],
  ['1.123456789', '1.12345678'],
  ['0.000000001', '<0.00000001'],
  ['0', '0.00'],
  ['0.00', '0.00'],
  ['1000000000000000000', '>999999999999999999'],
  ['999999999999999999.5', '999999999999999999.50']
])('spec_2_11_a balance of %s is %s', (text, written) => {
  expect(spelled(text, MOST, 2)).toBe(written)
})

it.each([
  ['0.5', '0.5'],
  ['40', '40'],
  ['40.000', '40'],
  ['1.50', '1.5'],
  ['1.123456789', '1.12345678'],
  ['nonsense', 'nonsense']
])('%s stands without padding zeros: %s', (text, written) => {
  expect(unpadded(text, MOST)).toBe(written)
})

it.each([
  ['491446.118407', '491446.11'],
  ['1234567.5', '1234567.5'],
  ['3899.218407', '3899.21'],
  ['3899.204911', '3899.2'],
  ['1.250250614', '1.25025'],
  ['0.000012345678', '0.0000123456'],
  ['7', '7'],
  ['nonsense', 'nonsense']
])('%s has the digits of a preview in its receipt: %s', (text, written) => {
  expect(significant(text)).toBe(written)
})
