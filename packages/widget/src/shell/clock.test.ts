import { expect, it } from 'vitest'
import { steadyClock } from './clock.ts'

it('goes on from where it was after somebody set the clock back', () => {
  let time = 1_000
  const now = steadyClock(() => time)
  expect(now()).toBe(1_000)
  time = 1_500
  expect(now()).toBe(1_500)
  time = 100
  expect(now()).toBe(1_500)
  time = 350
  expect(now()).toBe(1_750)
})
