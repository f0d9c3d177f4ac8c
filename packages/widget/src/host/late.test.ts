//! Host calls after the start, and options that change the modal's place in the page.

// @vitest-environment happy-dom

import { createScriptedProvider } from '@portico/testkit'
import { describe, expect, it, vi } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import { createAppKit } from './createAppKit.ts'
import type { AppKitNetwork } from './options.ts'
import type { SIWXConfig } from './siwx.ts'
import {
  AppKit,
  byTestId,
  freshPage,
  kitOf,
  modal,
  moduleFile,
  network,
  node,
  ONE,
  options,
  reasonOf,
  stubNetwork,
  TWO,
  WALLET
} from './test-page.ts'

const page = freshPage()

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function brought(id: string, name = id) {
  return { id, name, provider: createScriptedProvider([]), imageUrl: `https://page.example/${id}.svg` }
}

function titles(root: ParentNode): (string | null | undefined)[] {
  return [byTestId(root, 'w3m-header-text')?.textContent]
}

describe('without an interface', () => {
  it('nothing is drawn, and a wallet connects by its id', async () => {
    page.wallet()
    for (const more of [{ headless: true }, { features: { headless: true } }]) {
      const kit = kitOf(more)
      await kit.open()
      expect(kit.isOpen()).toBe(false)
      expect(await kit.connect({ connectorId: WALLET })).toMatchObject({ connectorId: WALLET })
      expect(kit.getAccount().isConnected).toBe(true)
      await kit.disconnect()
    }
    expect(document.querySelector('w3m-modal')).toBeNull()
  })

  it('somebody has to say which wallet', async () => {
    expect(await reasonOf(kitOf({ headless: true }).connect())).toBe('invalidArgument')
  })

  it('no screen is forced that nobody could leave', async () => {
    page.wallet()
    const kit = kitOf({ headless: true, networks: [TWO] })
    await kit.connect({ connectorId: WALLET })
    expect(kit.isOpen()).toBe(false)
  })
})

describe('the words', () => {
  it('are those of the locale, before those of the page', async () => {
    document.documentElement.lang = 'en'
    const kit = kitOf({ locale: 'ar-EG' })
    await kit.open()
    await vi.waitFor(() => expect(modal().querySelector('[lang=ar]')).not.toBeNull())
  })

  it('are the own ones of the host where it has some, from the first frame on', async () => {
    const messages = { titleConnect: 'Come in', nonsense: 'x', close: 7 } as never
    const kit = kitOf({ messages })
    const opened = kit.open()
    expect(titles(modal())).toEqual(['Come in'])
    await opened
    expect(titles(modal())).toEqual(['Come in'])
    expect(byTestId(modal(), 'w3m-header-close')?.getAttribute('aria-label')).toBe('Close')
  })
})

describe('options', () => {
  it('leave the features as they are that they do not name, before the core is there as after', async () => {
    const kit = kitOf({ features: { legalCheckbox: true } })
    kit.updateOptions({ features: { history: false } })
    expect(kit.options.features).toEqual({ legalCheckbox: true, history: false })
    await kit.preload()
    kit.updateOptions({ features: { swaps: false } })
    expect(kit.features).toMatchObject({ legalCheckbox: true, history: false, swaps: false })
    expect(kit.options.features).toEqual({ legalCheckbox: true, history: false, swaps: false })
  })

  it('may change before the core is there, and after', async () => {
    const kit = kitOf({ themeMode: 'light' })
    kit.setTermsConditionsUrl('https://page.example/terms')
    await kit.preload()
    const config = () => kit.engine.store.get().config
    expect(config().termsUrl).toBe('https://page.example/terms')
    kit.setPrivacyPolicyUrl('https://page.example/privacy')
    kit.updateOptions({ debug: false, themeVariables: { '--w3m-accent': '#f00' } })
    expect(config()).toMatchObject({
      termsUrl: 'https://page.example/terms',
      privacyUrl: 'https://page.example/privacy',
      debug: false,
      themeMode: 'light',
      themeVariables: { '--w3m-accent': '#f00' }
    })
    expect(kit.getCaipNetworks()).toHaveLength(2)
    expect(kit.options.privacyPolicyUrl).toBe('https://page.example/privacy')
  })

  it('that cannot be used are told with their name, and the good ones are used', async () => {
    const kit = kitOf({
      customRpcUrls: { 'eip155:31337': [{ url: 'https://own.example' }, { url: 'ftp://x' }], solana: [] }
    })
    await kit.preload()
    const lines = vi.mocked(console.error).mock.calls.map(([line]) => String(line))
    expect(lines.some((line) => line.includes('customRpcUrls.'))).toBe(true)
    expect(kit.reportedAlertErrors).toEqual({ invalidOptions: true })
  })

  it.each([
    ['smartSessions', (kit: AppKit) => kit.updateFeatures({ smartSessions: true })],
    ['collapseWallets', (kit: AppKit) => kit.setCollapseWallets(true)],
    ['smartSessions', (kit: AppKit) => kit.updateOptions({ features: { smartSessions: true } })]
  ])('without effect are told, also when the host gives them late: %s', async (name, give) => {
    const kit = kitOf()
    await kit.preload()
    expect(kit.reportedAlertErrors).toEqual({})
    give(kit)
    expect(kit.reportedAlertErrors).toEqual({ invalidOptions: true })
    const lines = vi.mocked(console.error).mock.calls.map(([line]) => String(line))
    expect(lines.filter((line) => line.includes(name))).toHaveLength(1)
  })

  it('give a wallet another picture than it announced', async () => {
    page.wallet()
    const kit = kitOf({ connectorImages: { [WALLET]: '/first.svg' } })
    await kit.connect({ connectorId: WALLET })
    const drawn = () => [kit.getWalletInfo()?.icon, kit.getConnectors()[0]?.imageUrl]
    expect(drawn()).toEqual(['/first.svg', '/first.svg'])
    kit.updateOptions({ connectorImages: { [WALLET]: '/second.svg' } })
    expect(drawn()).toEqual(['/second.svg', '/second.svg'])
  })

  it('take announced wallets away, and bring them back', async () => {
    page.wallet()
    const kit = kitOf()
    await kit.open()
    const ids = () => kit.getConnectors().map(({ id }) => id)
    expect(ids()).toEqual([WALLET])
    kit.setEIP6963Enabled(false)
    expect(ids()).toEqual([])
    kit.setEIP6963Enabled(true)
    expect(ids()).toEqual([WALLET])
  })

  it('name the client to the own server, from when it is set until it is taken back', async () => {
    page.wallet()
    const kit = kitOf({ endpoints: '/' })
    const asked = () => page.fetch.mock.calls.map(([url]) => String(url)).filter((url) => url.includes('/balance?'))
    kit.setClientId('did:key:z6')
    await kit.connect({ connectorId: WALLET })
    await kit.open()
    await vi.waitFor(() => expect(asked()).toHaveLength(1))
    expect(asked()[0]).toContain('&clientId=did:key:z6')
    await kit.close()
    kit.setClientId(null)
    await kit.switchNetwork(TWO)
    await kit.open()
    await vi.waitFor(() => expect(asked()).toHaveLength(2))
    expect(asked()[1]).not.toContain('clientId')
  })

  it('say what they are to who asks', async () => {
    const adapter = new EthersAdapter()
    const siwx = { getRequired: () => false } as SIWXConfig
    const kit = kitOf({ adapters: [adapter], siwx, features: { history: false } })
    expect(kit.chainAdapters).toEqual({ eip155: adapter })
    expect(kit.getSIWX()).toBe(siwx)
    expect(kit.reportedAlertErrors).toEqual({})
    expect(kit.getConnectMethodsOrder()).toEqual(['wallet'])
    expect(kit.getPreferredAccountType('eip155')).toBeUndefined()
    expect(kit.remoteFeatures).toEqual({ email: true, swaps: true, onramp: true, activity: false })
    await kit.preload()
    expect(kit.getPreferredAccountType('eip155')).toBe('smartAccount')
    expect(kit.getConnectMethodsOrder()).toContain('wallet')
    expect(kit.getRemoteFeatures()).toMatchObject({ activity: false, socials: expect.arrayContaining(['google']) })
  })
})

it('remote features are the local ones under their other names', () => {
  const kit = kitOf()
  const told: unknown[] = []
  kit.subscribeRemoteFeatures((features) => told.push(features))
  kit.updateRemoteFeatures({ activity: false, swaps: false })
  expect(kit.options.features).toEqual({ history: false, swaps: false })
  expect(told).toEqual([{ email: true, swaps: false, onramp: true, activity: false }])
})

it('that the host works on something is known before the core is there', async () => {
  const kit = kitOf()
  kit.setLoading(true, 'eip155')
  expect(kit.getState().loading).toBe(true)
  kit.setLoading(false)
  expect(kit.getState().loading).toBe(false)
  expect(page.fetch).not.toHaveBeenCalled()
})

describe('wallets that the host brings late', () => {
  it('are listed, whether the core is there or not', async () => {
    const kit = kitOf()
    kit.addConnector(brought('early'))
    await kit.open()
    kit.addConnector(brought('late', 'Late Wallet'))
    expect(kit.getConnectors().map(({ id }) => id)).toEqual(['early', 'late'])
    expect(kit.getConnectorImage({ id: 'early' })).toBe('https://page.example/early.svg')
    expect(kit.getConnectorImage({ id: 'late' })).toBe('https://page.example/late.svg')
    expect(kit.getConnectorImage({ id: 'nobody' })).toBeUndefined()
  })

  it('are one where two have one id, and the last provider counts', async () => {
    const kit = kitOf({ adapters: [new EthersAdapter({ connectors: [brought('ours')] })] })
    await kit.open()
    const last = brought('ours')
    kit.setConnectors([brought('ours'), last])
    expect(kit.getConnectors()).toMatchObject([{ id: 'ours', provider: last.provider }])
  })

  it('are told by an adapter that got them', async () => {
    const adapter = new EthersAdapter()
    const kit = kitOf({ adapters: [adapter] })
    await kit.preload()
    adapter.setConnectors([brought('theirs')])
    expect(kit.getConnectors().map(({ id }) => id)).toEqual(['theirs'])
  })

  it('may be nonsense', async () => {
    const kit = kitOf()
    await kit.preload()
    for (const wrong of [null, 7, {}, { id: 'x' }]) kit.addConnector(wrong as never)
    kit.setConnectors('none' as never)
    expect(kit.getConnectors()).toEqual([])
  })
})

describe('an adapter that a host removes', () => {
  const solana = { ...network(7, 'Sol'), id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', chainNamespace: 'solana' as const }

  it('spec_4_19_is_gone_with_its_networks_and_wallets_and_another_namespace_is_active', async () => {
    page.wallet()
    const adapters = [new EthersAdapter({ connectors: [brought('ours')] }), { namespace: 'solana' as const }]
    const kit = kitOf({ adapters, networks: [ONE, solana] })
    await kit.connect({ connectorId: WALLET })
    expect(kit.getConnectors().map(({ id }) => id)).toContain('ours')
    await kit.removeAdapter('eip155')
    expect(kit.getActiveChainNamespace()).toBe('solana')
    expect(kit.getCaipNetworks().map(({ name }) => name)).toEqual(['Sol'])
    expect([...kit.engine.networks.values()].map(({ name }) => name)).toEqual(['Sol'])
    expect(Object.keys(kit.chainAdapters)).toEqual(['solana'])
    expect([kit.getIsConnectedState(), kit.getConnectors()]).toEqual([false, []])
    expect(await reasonOf(kit.removeAdapter('eip155'))).toBe('adapterNotFound')
  })
})

describe('the balance of another account', () => {
  it('is that of its address on its chain, and is not kept', async () => {
    stubNetwork(moduleFile, node('0x1bc16d674ec80000'))
    const kit = kitOf()
    expect(await kit.updateNativeBalance(ADDRESS, 31338, 'eip155')).toEqual({ balance: '2', symbol: 'ETH' })
    expect(await kit.updateNativeBalance(ADDRESS, 'eip155:31337')).toEqual({ balance: '2', symbol: 'ETH' })
    expect(kit.engine.store.get().account.accounts[0]?.balance).toBeNull()
  })

  it('is refused where there is no such network', async () => {
    expect(await reasonOf(kitOf().updateNativeBalance(ADDRESS, 5, 'eip155'))).toBe('networkNotFound')
  })

  it('spec_8_30_is_refused_for_what_is_no_caip_10_address', async () => {
    const asked = kitOf().updateNativeBalance(`eip155:${ADDRESS}`, 31337, 'eip155')
    await expect(asked).rejects.toThrow('Invalid CAIP-10 address')
  })

  it('is kept where it is the account in use', async () => {
    page.wallet()
    const kit = kitOf()
    const { address } = await kit.connect({ connectorId: WALLET })
    expect(await kit.updateNativeBalance(address.toLowerCase(), 31337, 'eip155')).toMatchObject({ balance: '1' })
    expect(kit.engine.store.get().account.accounts[0]?.balance).toBe('1.000')
  })
})

it('spec_2_29_and_2_31_a_loading_message_stays_until_the_next_one_unless_it_is_set_to_close', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const kit = kitOf()
  const snack = () => modal().querySelector('.snack')
  await kit.open()
  kit.showLoadingMessage('Reserving')
  await vi.advanceTimersByTimeAsync(60_000)
  await vi.waitFor(() => expect([snack()?.className, snack()?.textContent]).toEqual(['snack loading', 'Reserving']))
  kit.showSuccessMessage('Reserved')
  await vi.waitFor(() => expect(snack()?.className).toBe('snack success'))
  kit.showLoadingMessage('Looking', { autoClose: true })
  await vi.waitFor(() => expect(snack()?.className).toBe('snack loading'))
  await vi.advanceTimersByTimeAsync(60_000)
  await vi.waitFor(() => expect(snack()).toBeNull())
})

it('spec_8_11_a_label_of_an_address_without_any_network_is_refused', async () => {
  const kit = kitOf({ networks: [] as never })
  await kit.preload()
  await expect(kit.addAddressLabel(ADDRESS, 'Savings')).rejects.toThrow(
    'Chain is required to update chain account data'
  )
})

it('a namespace goes back to the network with which it began', async () => {
  const kit = kitOf({ defaultNetwork: TWO })
  await kit.addNetwork('eip155', network(5, 'Late'))
  await kit.switchNetwork(network(5, 'Late'))
  expect(kit.getChainId()).toBe(5)
  await kit.resetNetwork('eip155')
  expect(kit.getChainId()).toBe(31338)
  await kit.resetNetwork('solana')
  expect(kit.getChainId()).toBe(31338)
})

describe('a page that runs its code again', () => {
  it('keeps its modal, as hot reloading wants it', async () => {
    const given = () => ({ ...options(), wasmUrl: 'https://page.example/again.wasm', adapters: [new EthersAdapter()] })
    const kit = createAppKit(given())
    await kit.open()
    expect(createAppKit(given())).toBe(kit)
    expect(document.querySelectorAll('w3m-modal').length).toBe(1)
  })

  it('has another one for other options, a sign-in of its own among them', () => {
    const given = (more = {}) => ({ ...options(), wasmUrl: 'https://page.example/other.wasm', ...more })
    const kit = createAppKit(given())
    expect(createAppKit(given({ networks: [TWO] }))).not.toBe(kit)
    expect(createAppKit(given({ siwx: { getRequired: () => true } as SIWXConfig }))).not.toBe(kit)
  })

  it('has another one where the host changed its own objects', () => {
    const features: Record<string, unknown> = {}
    const networks: [AppKitNetwork, ...AppKitNetwork[]] = [TWO]
    const given = { ...options(), wasmUrl: 'https://page.example/same.wasm', features, networks }
    const kit = createAppKit(given)
    expect(createAppKit(given)).toBe(kit)
    features.legalCheckbox = true
    const second = createAppKit(given)
    networks.push(ONE)
    expect(new Set([kit, second, createAppKit(given)]).size).toBe(3)
  })

  it('keeps its modal whatever order the options are named in', () => {
    const { projectId, ...rest } = { ...options(), wasmUrl: 'https://page.example/order.wasm' }
    expect(createAppKit({ ...rest, projectId })).toBe(createAppKit({ projectId, ...rest }))
  })

  it('has one though a list throws when it is read', () => {
    const features = {
      socials: Object.defineProperty([], '0', {
        enumerable: true,
        get: () => {
          throw new Error('getter')
        }
      })
    }
    expect(createAppKit({ ...options(), features: features as never })).toBeInstanceOf(AppKit)
  })

  it('compares no options that have no end', () => {
    const endless: Record<string, unknown> = {}
    endless.self = endless
    const given = () => ({
      ...options(),
      wasmUrl: 'https://page.example/endless.wasm',
      metadata: { ...endless } as never
    })
    expect(createAppKit(given())).toBeInstanceOf(AppKit)
    expect(createAppKit(given())).toBeInstanceOf(AppKit)
  })
})

describe('a page that is idle', () => {
  it('has the modal fetched, and starts nothing', async () => {
    vi.stubGlobal('requestIdleCallback', (work: () => void) => work())
    const kit = kitOf({ preload: 'idle' })
    await vi.waitFor(() => expect(page.fetch).toHaveBeenCalledTimes(1))
    expect(page.fetch.mock.calls[0]?.[1]).toEqual({ priority: 'low' })
    expect([kit.engine.calls, document.querySelector('w3m-modal')]).toEqual([undefined, null])
    await kit.open()
    expect(page.fetch.mock.calls.filter(([url]) => String(url).includes('core-')).length).toBe(1)
  })

  it.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
    'has nothing fetched where each byte counts: %o',
    async (connection) => {
      const idle = vi.fn()
      vi.stubGlobal('requestIdleCallback', idle)
      Object.defineProperty(navigator, 'connection', { configurable: true, value: connection })
      kitOf({ preload: 'idle' })
      await vi.dynamicImportSettled()
      Reflect.deleteProperty(navigator, 'connection')
      expect([idle.mock.calls.length, page.fetch.mock.calls.length]).toEqual([0, 0])
    }
  )
})
