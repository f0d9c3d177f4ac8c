//! Options of a host that comes from AppKit 1.7.

// @vitest-environment happy-dom

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { NotYet } from './options.ts'
import { freshPage, kitOf, WALLET } from './test-page.ts'

const page = freshPage()

const later: Required<NotYet> = {
  tokens: { 'eip155:1': { address: '0xa0b8', image: 'https://own.example/token.svg' } },
  enableCoinbase: false,
  coinbasePreference: 'eoaOnly',
  enableWalletGuide: false,
  showWallets: true
}

it('an option of 1.7 that has no effect yet is taken, and no wallet connects the worse for it', async () => {
  page.wallet()
  const kit = kitOf(later)
  await kit.connect({ connectorId: WALLET })
  expect(kit.getIsConnectedState()).toBe(true)
  expect(kit.reportedAlertErrors).toEqual({})
})

it('the guide names each of them', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/host.md'), 'utf8')
  const rest = guide.slice(guide.indexOf('## Not there yet'))
  for (const name of Object.keys(later)) expect(rest).toContain(`\`${name}\``)
})
