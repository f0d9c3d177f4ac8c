//! Host calls about an account that a WalletConnect session approved.

// @vitest-environment happy-dom

import { beforeEach, expect, it, vi } from 'vitest'
import { FakeClient, sessionOf } from '../shell/relay/test-client.ts'
import type { AppKitNetwork } from './options.ts'
import { freshPage, kitOf, network, ONE, reasonOf } from './test-page.ts'

const shared = vi.hoisted(() => vi.fn())
vi.mock('../shell/relay/client.ts', () => ({ sharedClient: shared }))

freshPage()

const CHAIN = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const ADDRESS = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
const OTHER = '12xtAYsRUrmbniiWQqJtECiBQrMn8AypQcXhnQAc6RB6XkLW'

const polkadot: AppKitNetwork = {
  ...network(7, 'Polkadot'),
  id: '91b171bb158e2d3848fa23a9f1c25182',
  chainNamespace: 'polkadot',
  nativeCurrency: { name: 'Polkadot', symbol: 'DOT', decimals: 10 }
}

const approved = {
  accounts: [`${CHAIN}:${ADDRESS}`],
  methods: ['polkadot_signMessage'],
  events: ['accountsChanged', 'chainChanged'],
  chains: null
}

let client: FakeClient

beforeEach(() => {
  client = new FakeClient()
  shared.mockResolvedValue(client.client)
})

it('the balance of a Polkadot account settles with a refusal', async () => {
  const kit = kitOf({
    relays: [{ relayUrl: 'wss://relay.example' }],
    adapters: [{ namespace: 'eip155' }, { namespace: 'polkadot' }],
    networks: [polkadot, ONE]
  })
  const connected = kit.connect({ connectorId: 'walletConnect' })
  await vi.waitFor(() => expect(client.asked).toHaveLength(1))
  client.tell({ type: 'settled', session: sessionOf({ namespaces: { polkadot: approved } }), pairingTopic: 'aa' })
  expect(await connected).toMatchObject({ chainNamespace: 'polkadot', address: ADDRESS })
  expect(await reasonOf(kit.fetchBalance())).toBe('unsupportedChain')
  expect(await reasonOf(kit.updateNativeBalance(ADDRESS, CHAIN, 'polkadot'))).toBe('unsupportedChain')
  expect(await reasonOf(kit.updateNativeBalance(OTHER, CHAIN, 'polkadot'))).toBe('unsupportedChain')
  expect(kit.getAccount('polkadot')).toMatchObject({ isConnected: true, address: ADDRESS })
})
