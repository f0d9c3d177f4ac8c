// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { remembered } from './stored.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

describe('a stored code', () => {
  it.each([
    ['whose time is over', '{"topic":"aa","until":1700000000000,"opened":true}', false],
    ['that is nonsense', '7', false],
    ['that counts', '{"topic":"aa","until":1700000000001,"opened":true}', true]
  ])('%s', (_, stored, connected) => {
    localStorage.setItem('@portico/pairing', stored)
    expect(remembered().connected).toBe(connected)
  })
})
