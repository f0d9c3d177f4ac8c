import { expect, it } from 'vitest'
import { namedIn } from './typed.ts'

it('both readings of an ambiguous amount are those of the typed one', () => {
  expect(namedIn('ambiguous', '2,500')).toEqual(['2500', '2.5'])
  expect(namedIn('ambiguous', ' 1,000 ')).toEqual(['1000', '1'])
  expect(namedIn('ambiguous', '٢,٥٠٠')).toEqual(['2500', '2.5'])
})

it('the full number of an amount with an exponent is named, where it is not too long', () => {
  expect(['1e3', '5E-4', '2.5e2', '1e30', 'e', '1e-19'].map((typed) => namedIn('exponent', typed))).toEqual([
    ['1000'],
    ['0.0005'],
    ['250'],
    ['0.0005'],
    ['0.0005'],
    ['0.0005']
  ])
})

it('any other message names what it is given', () => {
  expect(namedIn('tooPrecise', '0.123', '2')).toEqual(['2'])
})
