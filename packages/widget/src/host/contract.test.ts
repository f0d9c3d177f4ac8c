// @vitest-environment happy-dom

import { expect, it, vi } from 'vitest'
import { freshPage, kitOf, modal, reasonOf, TWO, WALLET } from './test-page.ts'

const page = freshPage()

const lines = () => vi.mocked(console.error).mock.calls.map(([line]) => String(line))

it('spec_1_5_the_host_chooses_wallets_theme_and_the_order_of_the_list_and_needs_a_project_id', async () => {
  page.wallet()
  const request = async () => []
  const connectors = [{ id: 'ours', name: 'Ours', provider: { request } }]
  const rows = () =>
    [...modal().querySelectorAll('[data-testid^="wallet-selector-"]')].map(
      ({ textContent }) => textContent?.match(/Ours|Demo Wallet/)?.[0]
    )
  const kit = kitOf({ connectors, features: { connectorTypeOrder: ['external', 'injected'] }, themeMode: 'light' })
  await kit.open()
  await vi.waitFor(() => expect(rows()).toEqual(['Ours', 'Demo Wallet']))
  expect(kit.getThemeMode()).toBe('light')
  await kit.close()
  const without = kitOf({ connectors, excludeWalletIds: [WALLET] })
  await without.open()
  await vi.waitFor(() => expect(rows()).toEqual(['Ours']))
  expect(lines()).toEqual([])
  await kitOf({ projectId: '' }).preload()
  expect(lines()[0]).toMatch(/^Project ID Not Configured/)
})

it('spec_1_5_siwx_and_siweConfig_together_are_refused', () => {
  const never = vi.fn()
  const siwx = { createMessage: never, addSession: never, revokeSession: never, setSessions: never, getSessions: never }
  const siweConfig = { getNonce: never, createMessage: never, verifyMessage: never, getSession: never, signOut: never }
  expect(() => kitOf({ siwx, siweConfig } as never)).toThrow('Cannot set both')
  expect(never).not.toHaveBeenCalled()
})

it('spec_3_7_a_network_keeps_the_fields_of_the_contract', async () => {
  const http = ['https://rpc.example/31337']
  const network = {
    id: 31337,
    name: 'Anvil One',
    network: 'anvil',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http }, chainDefault: { http } },
    blockExplorers: { default: { name: 'Scan', url: 'https://scan.example' } },
    testnet: true,
    assets: { imageId: 'anvil', imageUrl: 'https://page.example/anvil.svg' },
    deprecatedCaipNetworkId: 'eip155:1337'
  }
  const kit = kitOf({ networks: [network] })
  await kit.preload()
  const kept = { ...network, caipNetworkId: 'eip155:31337', chainNamespace: 'eip155' }
  expect([kit.getCaipNetworks(), kit.getCaipNetwork()]).toEqual([[kept], kept])
})

it('spec_3_9_a_connector_is_told_with_its_type', async () => {
  page.wallet()
  vi.stubGlobal('ethereum', { isTrust: true, request: async () => [], on() {}, removeListener() {} })
  const connectors = [{ id: 'ours', name: 'Ours', provider: { request: async () => [] } }]
  const kit = kitOf({ connectors, relays: [{ relayUrl: 'wss://relay.example' }] })
  await kit.open()
  await vi.waitFor(() =>
    expect(kit.getConnectors().map(({ id, type }) => [id, type])).toEqual([
      ['walletConnect', 'WALLET_CONNECT'],
      [WALLET, 'ANNOUNCED'],
      ['com.trustwallet.app', 'INJECTED'],
      ['ours', 'EXTERNAL']
    ])
  )
})

it('spec_5_5_an_id_of_a_network_has_exactly_two_parts', async () => {
  page.wallet()
  const kit = kitOf()
  await kit.connect({ connectorId: WALLET })
  const reasons = ['eip155', 'eip155:', 'eip155:31338:2', ':31338', ''].map((caipNetworkId) => {
    const { id: _, ...named } = TWO
    return reasonOf(kit.switchNetwork({ ...named, caipNetworkId } as never, { throwOnFailure: true }))
  })
  expect(await Promise.all(reasons)).toEqual(Array(5).fill('invalidChainId'))
  expect(kit.getCaipNetworkId()).toBe('eip155:31337')
  await kit.switchNetwork({ ...TWO, caipNetworkId: 'eip155:31338' }, { throwOnFailure: true })
  expect(kit.getCaipNetworkId()).toBe('eip155:31338')
})

it('spec_8_52_each_standard_code_of_a_wallet_has_a_reason_of_its_own', async () => {
  const codes = [4100, 4200, 4900, 4901, -32700, -32600, -32601, -32602, -32603, -32000, -32001, -32003, -32004, -32005]
  const request = vi.fn()
  const kit = kitOf({ connectors: [{ id: 'ours', name: 'Ours', provider: { request } }] })
  const reasons = new Set<unknown>()
  for (const code of [4001, ...codes]) {
    request.mockRejectedValue(Object.assign(new Error('no'), { code }))
    const failed = kit.connect({ connectorId: 'ours' })
    await expect(failed).rejects.toMatchObject({ name: 'PorticoError', code })
    reasons.add(await reasonOf(failed))
  }
  expect(reasons.size).toBe(codes.length + 1)
})
