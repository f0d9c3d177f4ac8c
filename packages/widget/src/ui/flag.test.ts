import { expect, it } from 'vitest'
import { drawsFlags, flagOf } from './flag.ts'

it('a country has its flag where the system draws flags, and its code elsewhere', () => {
  expect(['DE', 'US'].map((country) => flagOf(country, true))).toEqual(['🇩🇪', '🇺🇸'])
  expect(flagOf('DE', false)).toBe('DE')
})

it('flags are drawn where both halves take the room of one', () => {
  expect(drawsFlags(() => 20)).toBe(true)
  expect(drawsFlags((text) => [...text].length * 20)).toBe(false)
  expect(drawsFlags(() => 0)).toBe(false)
})

it('what is no code of a country stays as it is', () => {
  for (const code of ['', 'D', 'DEU', 'de', '12']) expect(flagOf(code, true)).toBe(code)
})
