//! A wallet that serves several namespaces, as a host sees and connects it, in a page with the real core.

// @vitest-environment happy-dom

import { createSolanaWallet, type SolanaWalletOptions } from '@portico/testkit'
import { registerWallet } from '@wallet-standard/core'
import { expect, it, vi } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import { SolanaAdapter } from '../adapters/solana/SolanaAdapter.ts'
import type { ConnectOptions } from '../shell/calls.ts'
import type { AppKit } from './AppKit.ts'
import type { AppKitNetwork, CreateAppKit } from './options.ts'
import { byTestId, freshPage, kitOf, modal, ONE, reasonOf, WALLET } from './test-page.ts'
import { createAppKitWalletButton } from './wallet-button/walletButton.ts'

const MAINNET: AppKitNetwork = {
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'Solana',
  nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
  rpcUrls: { default: { http: ['https://one.example/solana'] } },
  chainNamespace: 'solana'
}

const page = freshPage()

function solanaWallet(name: string, more: SolanaWalletOptions = {}) {
  return createSolanaWallet({ name, approval: 'auto', ...more })
}

/** Page of a host with wallets of Ethereum and Solana; its core has loaded and found these. */
async function kitWith(wallets: readonly { readonly standard: unknown }[], more: Partial<CreateAppKit> = {}) {
  const solana = new SolanaAdapter({ wallets: wallets.map(({ standard }) => standard) as never })
  const kit = kitOf({ networks: [ONE, MAINNET], adapters: [new EthersAdapter(), solana], ...more })
  await kit.engine.load()
  return kit
}

const named = (kit: AppKit, name: string) => kit.getConnectors().filter((one) => one.name === name)

it('spec_3_9_is_one_connector_of_type_multi_chain_with_one_for_each_namespace', async () => {
  const { provider } = page.wallet({ name: 'Several' })
  const kit = await kitWith([solanaWallet('Several'), solanaWallet('Only')])
  const [several, ...rest] = named(kit, 'Several')
  expect(rest).toEqual([])
  expect(several).toMatchObject({ id: WALLET, type: 'MULTI_CHAIN', chain: undefined, provider })
  expect(several?.connectors).toMatchObject([
    { id: WALLET, type: 'ANNOUNCED', chain: 'eip155', info: { rdns: WALLET }, connectors: [] },
    { id: 'solana:Several', type: 'ANNOUNCED', chain: 'solana', info: undefined, connectors: [] }
  ])
  expect(several?.connectors.map((one) => one.provider === provider)).toEqual([true, false])
  expect(several?.connectors[1]?.provider?.request).toBeTypeOf('function')
  expect(named(kit, 'Only')).toMatchObject([{ type: 'ANNOUNCED', chain: 'solana', connectors: [] }])
  expect(kit.getConnectorImage({ id: 'solana:Several' })).toBe(several?.imageUrl)
})

it('spec_3_9_tells_the_host_when_a_wallet_announces_itself_in_a_further_namespace', async () => {
  page.wallet({ name: 'Grows' })
  const kit = await kitWith([])
  const types: (string | undefined)[][] = []
  const stop = await kit.subscribeConnectors((all) =>
    types.push(all.flatMap((one) => (one.name === 'Grows' ? one.type : [])))
  )
  expect(named(kit, 'Grows')).toMatchObject([{ type: 'ANNOUNCED', chain: 'eip155' }])
  registerWallet(solanaWallet('Grows').standard as never)
  await vi.waitFor(() => expect(types).toEqual([['MULTI_CHAIN']]))
  expect(named(kit, 'Grows')[0]?.connectors.map(({ chain }) => chain)).toEqual(['eip155', 'solana'])
  stop()
  registerWallet(solanaWallet('Another').standard as never)
  await vi.waitFor(() => expect(named(kit, 'Another')).toHaveLength(1))
  expect(types).toHaveLength(1)
})

it('spec_3_9_asks_the_visitor_for_the_namespace_where_the_host_connects_the_whole_wallet', async () => {
  const wallet = page.wallet({ name: 'Several' })
  const asked = vi.spyOn(wallet.provider, 'request')
  const kit = await kitWith([solanaWallet('Several')])
  const [connector] = named(kit, 'Several')
  for (const options of [{ connector }, { connectorId: WALLET }] as ConnectOptions[]) {
    const connecting = kit.connect(options)
    await vi.waitFor(() => expect(byTestId(modal(), 'multi-chain-solana')).not.toBeNull())
    expect(asked).not.toHaveBeenCalled()
    byTestId(modal(), 'multi-chain-solana')?.click()
    expect(await connecting).toMatchObject({ chainNamespace: 'solana', connectorId: 'solana:Several' })
    await kit.disconnect()
  }
  const left = reasonOf(kit.connect({ connector: connector as never }))
  await vi.waitFor(() => expect(byTestId(modal(), 'multi-chain-solana')).not.toBeNull())
  await kit.close()
  expect(await left).toBe('modalClosed')
})

it('spec_3_9_connects_one_namespace_of_it_without_a_modal', async () => {
  page.wallet({ name: 'Several' })
  const kit = await kitWith([solanaWallet('Several')])
  const [whole] = named(kit, 'Several')
  if (!whole) throw new Error('There is no connector')
  for (const connector of whole.connectors) {
    const { id: connectorId, chain: chainNamespace } = connector
    expect(await kit.connect({ connector })).toMatchObject({ connectorId, chainNamespace })
    expect([kit.isOpen(), kit.getProvider(chainNamespace)]).toEqual([false, connector.provider])
    await kit.disconnect()
  }
  expect(await kit.connect({ connector: whole, namespace: 'solana' })).toMatchObject({ chainNamespace: 'solana' })
  expect(await kit.connect({ connectorId: WALLET, namespace: 'eip155' })).toMatchObject({ chainNamespace: 'eip155' })
  await kit.disconnect()
  expect(kit.isOpen()).toBe(false)
})

it('without a modal an id stands for the namespace of its connector', async () => {
  page.wallet({ name: 'Several' })
  const wallets = [solanaWallet('Several').standard] as never
  for (const more of [{}, { enableWallets: false }]) {
    const adapters = [new EthersAdapter(), new SolanaAdapter({ wallets })]
    // The first call waits for the core.
    const kit = kitOf({ networks: [ONE, MAINNET], adapters, headless: true, ...more })
    expect(await kit.connect({ connectorId: WALLET })).toMatchObject({ chainNamespace: 'eip155' })
    expect(await kit.connect({ connectorId: 'solana:Several' })).toMatchObject({ chainNamespace: 'solana' })
    await kit.disconnect()
  }
})

it('a second wallet of its name in another namespace is a connector of its own', async () => {
  page.wallet({ name: 'Several' })
  const kit = await kitWith([solanaWallet('Several'), solanaWallet('SEVERAL')])
  const several = kit.getConnectors().filter(({ name }) => /^several$/i.test(name))
  expect(several.map(({ id, type, connectors }) => [id, type, connectors.map((one) => one.id)])).toEqual([
    [WALLET, 'MULTI_CHAIN', [WALLET, 'solana:Several']],
    ['solana:SEVERAL', 'ANNOUNCED', []]
  ])
})

it('a name or an id of JavaScript is like any other', async () => {
  page.wallet({ name: '__proto__' })
  const kit = await kitWith([solanaWallet('__proto__'), solanaWallet('constructor')])
  const [odd] = named(kit, '__proto__')
  expect(odd).toMatchObject({ type: 'MULTI_CHAIN', connectors: [{ id: WALLET }, { id: 'solana:__proto__' }] })
  const [, part] = odd?.connectors ?? []
  expect(await kit.connect({ connector: part as never })).toMatchObject({ connectorId: 'solana:__proto__' })
  await kit.disconnect()
  for (const connector of [{ id: 'solana:nobody' }, { id: WALLET, chain: 'cosmos' }])
    expect(await reasonOf(kit.connect({ connector: connector as never }))).toMatch(/NotFound$/)
})

it('a wallet button for one namespace connects that one', async () => {
  page.wallet({ name: 'Phantom' })
  const kit = await kitWith([solanaWallet('Phantom')])
  const { connect } = createAppKitWalletButton({ namespace: 'solana' })
  expect(await connect('phantom')).toMatchObject({ chainNamespace: 'solana' })
  expect(kit.isOpen()).toBe(false)
  await kit.disconnect()
})
