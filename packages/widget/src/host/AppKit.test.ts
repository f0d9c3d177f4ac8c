// @vitest-environment happy-dom

import { describe, expect, it, vi } from 'vitest'
import { AppKit } from './AppKit.ts'
import {
  byTestId,
  freshPage,
  kitOf,
  modal,
  moduleFile,
  network,
  node,
  reasonOf,
  stubNetwork,
  TWO,
  WALLET
} from './test-page.ts'

const page = freshPage()

describe('connecting', () => {
  const OWN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

  it('spec_3_11_the_wallet_info_has_name_identifier_and_social_provider', async () => {
    page.wallet()
    const request = async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x7a69' : [OWN])
    const kit = kitOf({ connectors: [{ id: 'ours', name: 'Ours', provider: { request } }] })
    expect(kit.getWalletInfo()).toBeUndefined()
    await kit.connect({ connectorId: WALLET })
    expect(kit.getWalletInfo()).toEqual({
      name: 'Demo Wallet',
      identifier: WALLET,
      rdns: WALLET,
      social: undefined,
      type: 'ANNOUNCED',
      icon: expect.stringMatching(/^data:image\//)
    })
    // A wallet without an rdns is identified by its id.
    await kit.connect({ connectorId: 'ours' })
    expect(kit.getWalletInfo()).toMatchObject({ name: 'Ours', identifier: 'ours', type: 'EXTERNAL', icon: undefined })
    await kit.disconnect()
    expect(kit.getWalletInfo()).toBeUndefined()
  })

  it('resolves with the account', async () => {
    const { provider } = page.wallet()
    const kit = kitOf()
    const account = await kit.connect({ connectorId: WALLET })
    expect(account).toMatchObject({ chainNamespace: 'eip155', caipNetworkId: 'eip155:31337', connectorId: WALLET })
    expect(account.caipAddress).toBe(`eip155:31337:${account.address}`)
    expect(kit.getAccount()).toMatchObject({ isConnected: true, status: 'connected', address: account.address })
    expect(kit.getProvider('eip155')).toBe(provider)
    expect(kit.getWalletProvider()).toBe(provider)
    expect(kit.getProviderType()).toBe('ANNOUNCED')
    expect(document.querySelector('dialog[open]')).toBeNull()
  })

  it('spec_3_8_tells a connector with all its fields', async () => {
    const { provider } = page.wallet()
    const kit = kitOf()
    await kit.connect({ connectorId: WALLET })
    const info = { rdns: WALLET }
    const connector = {
      id: WALLET,
      name: 'Demo Wallet',
      type: 'ANNOUNCED',
      chain: 'eip155',
      info,
      provider,
      connectors: []
    }
    expect(kit.getConnectors()).toEqual([
      { ...connector, imageUrl: expect.stringMatching(/^data:image\//), imageId: undefined, explorerId: undefined }
    ])
  })

  it('spec_3_8_tells the ids of a wallet that the directory knows by its rdns', async () => {
    page.wallet({ rdns: 'me.rainbow' })
    const kit = kitOf()
    await kit.open()
    const [rainbow] = kit.getConnectors()
    expect(rainbow).toMatchObject({ id: 'me.rainbow', explorerId: 'me.rainbow', imageId: 'd69bccf9609dd39b' })
  })

  it('rejects with a reason and the code when the visitor refuses', async () => {
    page.wallet({ mode: 'refuse' })
    const refused = kitOf().connect({ connectorId: WALLET })
    await expect(refused).rejects.toMatchObject({ name: 'PorticoError', reason: 'userRejected', code: 4001 })
  })

  it('rejects where there is no such wallet, no such namespace, no adapter', async () => {
    expect(await reasonOf(kitOf().connect({ connectorId: 'io.nobody' }))).toBe('connectorNotFound')
    expect(await reasonOf(kitOf().connect({ namespace: 'nonsense' as never, connectorId: 'x' }))).toBe(
      'chainAdapterNotFound'
    )
    expect(await reasonOf(kitOf({ adapters: [] }).connect({ connectorId: WALLET }))).toBe('connectionClientNotSet')
  })

  it('opens the modal where no wallet is named, and resolves with the one that the visitor chose', async () => {
    page.wallet()
    const kit = kitOf()
    const connected = kit.connect()
    await vi.waitFor(() => expect(byTestId(modal(), `wallet-selector-${WALLET}`)).not.toBeNull())
    byTestId(modal(), `wallet-selector-${WALLET}`)?.click()
    expect(await connected).toMatchObject({ connectorId: WALLET })
    expect(kit.isOpen()).toBe(false)
  })

  it('asks the chain for the balance', async () => {
    page.wallet()
    const kit = kitOf()
    await kit.connect({ connectorId: WALLET })
    expect(await kit.fetchBalance()).toEqual({ balance: '1', symbol: 'ETH' })
    expect(await reasonOf(kitOf().fetchBalance())).toBe('notConnected')
  })

  it('tells subscribers each change once, and one that throws does not keep the others from hearing', async () => {
    page.wallet()
    const kit = kitOf()
    kit.subscribeAccount(() => {
      throw new Error('theirs')
    })
    const told: string[] = []
    const stop = kit.subscribeAccount(({ status }) => told.push(status))
    const providers: unknown[] = []
    kit.subscribeProviders((all) => providers.push(Object.keys(all)))
    const events: string[] = []
    kit.subscribeEvents(({ data }) => events.push(data.event))
    await kit.connect({ connectorId: WALLET })
    await kit.fetchBalance()
    await kit.disconnect()
    stop()
    await kit.connect({ connectorId: WALLET })
    expect(told).toEqual(['connecting', 'connected', 'disconnected'])
    expect(providers).toEqual([['eip155'], [], ['eip155']])
    expect(events).toContain('CONNECT_SUCCESS')
    expect(events).toContain('DISCONNECT_SUCCESS')
    expect(kit.getEvent().event).toBe('CONNECT_SUCCESS')
  })
})

describe('the status', () => {
  it('spec_4_1_is_connecting_connected_reconnecting_or_disconnected', async () => {
    const { controls } = page.wallet()
    const kit = kitOf()
    expect(kit.getAccount().status).toBe('disconnected')
    const told: string[] = []
    kit.subscribeAccount(({ status }) => told.push(status))
    await kit.connect({ connectorId: WALLET })
    // The wallet reaches no chain, and says a little later that it is still connected.
    controls.setMode('slow:50@eth_accounts')
    controls.disconnect()
    expect(kit.getAccount()).toMatchObject({ status: 'reconnecting', isConnected: true })
    await vi.waitFor(() => expect(kit.getAccount().status).toBe('connected'))
    // It reaches no chain again, and no longer answers with accounts.
    controls.reconnect()
    controls.setMode('throws:codeless@eth_accounts')
    controls.disconnect()
    await vi.waitFor(() => expect(kit.getAccount().status).toBe('disconnected'))
    expect(told).toEqual(['connecting', 'connected', 'reconnecting', 'connected', 'reconnecting', 'disconnected'])
  })
})

describe('a visitor who was connected', () => {
  async function reload() {
    page.wallet()
    await kitOf().connect({ connectorId: WALLET })
    await vi.waitFor(() => expect(localStorage.getItem('@portico/connections')).toContain(WALLET))
    return kitOf()
  }

  it('is connected again at once, without a click', async () => {
    const kit = await reload()
    expect(kit.getAccount().status).toBe('connecting')
    expect(kit.getState().initialized).toBe(false)
    await kit.ready()
    expect(kit.getAccount()).toMatchObject({ status: 'connected', isConnected: true })
    expect(kit.getState().initialized).toBe(true)
  })

  it('is not where the host does not want it', async () => {
    page.wallet()
    const before = kitOf()
    await before.connect({ connectorId: WALLET })
    await vi.waitFor(() => expect(localStorage.getItem('@portico/connections')).toContain(WALLET))
    // Wait until that kit's own balance request is done.
    await before.fetchBalance()
    page.fetch.mockClear()
    const kit = kitOf({ enableReconnect: false })
    await kit.ready()
    expect(kit.getAccount().status).toBe('disconnected')
    expect(page.fetch).not.toHaveBeenCalled()
  })

  it('through another kit is connected once, and not where that kit says that nobody is', () => {
    localStorage.setItem('@appkit/connection_status', 'connected')
    expect(kitOf().getState().initialized).toBe(false)
    localStorage.setItem('@appkit/connection_status', 'disconnected')
    expect(kitOf().getState().initialized).toBe(true)
  })

  it('is told disconnected where the core cannot be loaded', async () => {
    await reload()
    stubNetwork(() => Promise.reject(new TypeError('offline')))
    const kit = kitOf()
    await kit.ready()
    expect(kit.getAccount().status).toBe('disconnected')
  })
})

describe('networks', () => {
  it('are switched without a wallet, and handed out as the host gave them', async () => {
    const kit = kitOf()
    const told: unknown[] = []
    kit.subscribeNetwork(({ chainId }) => told.push(chainId))
    await kit.switchNetwork(TWO)
    expect(told).toEqual([31338])
    expect(kit.getCaipNetwork()).toEqual({ ...TWO, chainNamespace: 'eip155', caipNetworkId: 'eip155:31338' })
    expect(kit.getCaipNetworks('eip155').map(({ name }) => name)).toEqual(['Anvil One', 'Anvil Two'])
    expect(kit.getCaipNetworks('solana')).toEqual([])
  })

  it('that the host does not serve are only told with throwOnFailure', async () => {
    const kit = kitOf()
    await kit.switchNetwork(network(5, 'Gone'))
    expect(await reasonOf(kit.switchNetwork(network(5, 'Gone'), { throwOnFailure: true }))).toBe('networkNotFound')
  })

  it('are added and removed', async () => {
    const kit = kitOf()
    await kit.addNetwork('eip155', network(5, 'Late'))
    expect(kit.getCaipNetworks().map(({ id }) => id)).toEqual([31337, 31338, 5])
    await kit.removeNetwork('eip155', 31337)
    expect(kit.getCaipNetworks().map(({ id }) => id)).toEqual([31338, 5])
    expect(await reasonOf(kit.addNetwork('solana', network(5, 'x')))).toBe('adapterNotFound')
  })

  it('are told by their namespaces, and as what a browser wallet may use', async () => {
    const solana = { ...network(1, 'Other'), chainNamespace: 'solana' } as const
    const kit = kitOf({ networks: [TWO, solana], features: { swaps: false } })
    expect(kit.chainNamespaces).toEqual(['eip155', 'solana'])
    expect(kit.features).toEqual({ swaps: false })
    expect(kit.getDisabledCaipNetworks()).toEqual([])
    await kit.preload()
    expect(kit.features).toMatchObject({ swaps: false, send: true })
    expect(kit.getAddressByChainNamespace('eip155')).toBeUndefined()
    expect(kit.getError()).toBe('')
  })

  it('that the wallet alone knows are told by their number', async () => {
    const { controls } = page.wallet()
    const kit = kitOf({ networks: [TWO], allowUnsupportedChain: true })
    await kit.connect({ connectorId: WALLET })
    expect(controls).toBeDefined()
    expect(kit.getChainId()).toBe(31337)
    expect(kit.getCaipNetwork()).toBeUndefined()
  })
})

describe('two modals in a page', () => {
  it('have an account each', async () => {
    page.wallet()
    const [one, two] = [kitOf(), kitOf()]
    await two.preload()
    await one.connect({ connectorId: WALLET })
    expect(one.getIsConnectedState()).toBe(true)
    expect(two.getIsConnectedState()).toBe(false)
    expect(AppKit.getInstance()).toBe(two)
  })

  it('share what the browser remembers: one that starts later comes back with the wallet of the other', async () => {
    page.wallet()
    await kitOf().connect({ connectorId: WALLET })
    const later = kitOf()
    await later.ready()
    expect(later.getIsConnectedState()).toBe(true)
  })
})

it('a node that answers late changes nothing of a modal that is closed', async () => {
  stubNetwork(moduleFile, node('0x0'))
  page.wallet()
  const kit = kitOf()
  await kit.connect({ connectorId: WALLET })
  await vi.waitFor(() => expect(kit.engine.store.get().account.accounts[0]?.balance).toBe('0.000'))
  expect(kit.isOpen()).toBe(false)
})
