import { expect, it } from 'vitest'
import { canHavePasskeys } from './possible.ts'

it.each([
  ['localhost', true],
  ['wallet.example.org', true],
  ['1.2.3.4.example', true],
  ['127.0.0.1', false],
  ['192.168.1.20', false],
  ['[::1]', false]
])('whether the host %s can have passkeys: %s', (host, can) => {
  expect(canHavePasskeys(host)).toBe(can)
})
