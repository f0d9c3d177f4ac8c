//! What a developer is told of options whose name or value has no effect.

// @vitest-environment happy-dom

import { expect, it, vi } from 'vitest'
import { checkOptions, faultsOf } from './check.ts'
import { freshPage, kitOf } from './test-page.ts'

const page = freshPage()

it('a misspelt option is named with the one that it resembles', () => {
  expect(faultsOf({ endpoint: '/portico', features: { emial: true }, themeColour: 'red' })).toEqual([
    'endpoint: there is no such option. Did you mean endpoints?',
    'themeColour: there is no such option.',
    'features.emial: there is no such option. Did you mean features.email?'
  ])
})

it('a value that is not taken says which ones are', () => {
  expect(
    faultsOf({
      themeMode: 'blue',
      enableWallets: 'no',
      excludeWalletIds: 'io.metamask',
      metadata: 'Shop',
      preload: 'hover'
    })
  ).toEqual([
    "themeMode: use 'dark' or 'light'. Its value has no effect.",
    'enableWallets: use true or false. Its value has no effect.',
    'excludeWalletIds: use a list. Its value has no effect.',
    'metadata: use an object. Its value has no effect.',
    "preload: use 'intent', 'idle' or 'none'. Its value has no effect."
  ])
})

it('a locale that the modal does not speak is told with those that it does', () => {
  for (const locale of ['de', 'zz zz', 'enx', 'ar_EG']) {
    expect(faultsOf({ locale })).toEqual([
      `locale: there is no '${locale}', so the modal is in English. Use 'en' or 'ar'.`
    ])
  }
  for (const locale of ['en', 'EN-gb', 'ar', 'ar-EG', '']) expect(faultsOf({ locale }), locale).toEqual([])
})

it('an option without effect and a wallet that cannot be offered are told', () => {
  expect(faultsOf({ enableCoinbase: false, connectors: [{ id: 'own', name: 'Own' }, null] })).toEqual([
    'enableCoinbase: has no effect yet.',
    "connectors[0]: has no provider, so it isn't offered.",
    "connectors[1]: has no id, name or provider, so it isn't offered."
  ])
})

it('a wrong value within an option is told', () => {
  const given = {
    adapters: [{ namespace: 'eip155', connectors: [{ id: 'own', name: 'Own' }] }],
    customWallets: [{ name: 'Own' }],
    features: { socials: ['google', 'gogle'] },
    themeVariables: { '--apkt-accent': '#f00', '--apkt-acent': '#f00' },
    swapContracts: { 'eip155:1': [{ protocol: 'uniswap', address: '0x' }] },
    siwx: {}
  }
  expect(faultsOf(given)).toEqual([
    "adapters[0].connectors[0]: has no provider, so it isn't offered.",
    "customWallets[0]: has no id, so it isn't listed.",
    'features.socials: there is no service gogle.',
    "themeVariables['--apkt-acent']: there is no such variable.",
    "swapContracts['eip155:1']: there is no protocol uniswap.",
    'siwx: add createMessage, addSession, setSessions, getSessions and revokeSession. Without them, signing in fails.'
  ])
})

it('a siweConfig without its functions, or with options that have no effect, is told in both of its forms', () => {
  const methods = { getNonce() {}, createMessage() {}, verifyMessage() {}, getSession() {}, signOut() {} }
  const options = { required: true, nonceRefetchIntervalMs: 30_000, sessionRefetchIntervalMs: 60_000 }
  expect(faultsOf({ siweConfig: { ...methods, ...options, onSignIn() {} } })).toEqual([])
  expect(faultsOf({ siweConfig: { methods, options } })).toEqual([])
  expect(
    faultsOf({ siweConfig: { methods: { ...methods, getNonce: 7 }, options: { nonceRefetchInterval: 1 } } })
  ).toEqual([
    'siweConfig.methods: add getNonce. Without it, signing in fails.',
    'siweConfig.options.nonceRefetchInterval: there is no such option. Did you mean siweConfig.options.nonceRefetchIntervalMs?'
  ])
  const wrong = { require: true, enabled: 'no', nonceRefetchIntervalMs: 0, sessionRefetchIntervalMs: '60000' }
  expect(faultsOf({ siweConfig: { ...methods, ...wrong } })).toEqual([
    'siweConfig.require: there is no such option. Did you mean siweConfig.required?',
    'siweConfig.enabled: use true or false. Its value has no effect.',
    'siweConfig.nonceRefetchIntervalMs: use a number of milliseconds above 0. Its value has no effect.',
    'siweConfig.sessionRefetchIntervalMs: use a number of milliseconds above 0. Its value has no effect.'
  ])
  expect(faultsOf({ siweConfig: {} })[0]).toBe(
    'siweConfig: add getNonce, createMessage, verifyMessage, getSession and signOut. Without them, signing in fails.'
  )
})

it('a network without an adapter and an adapter without a network are told, once for each namespace', () => {
  const eip155 = { namespace: 'eip155' }
  const solana = { id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', chainNamespace: 'solana' }
  const networks = [{ id: 1 }, solana, { caipNetworkId: 'solana:devnet' }]
  const lacking = 'networks[1]: no adapter connects wallets of solana. Add SolanaAdapter to adapters.'
  expect(faultsOf({ networks, adapters: [eip155] })).toEqual([lacking])
  expect(faultsOf({ networks: [solana], adapters: [eip155, { namespace: 'solana' }] })).toEqual([
    'adapters[0]: there is no eip155 network in networks. Add one, or remove the adapter.'
  ])
  for (const other of [
    { relays: [{ relayUrl: 'wss://relay.example' }] },
    { embeddedWallet: '/wallet' },
    { adapters: [] }
  ]) {
    expect(faultsOf({ networks, adapters: [eip155], ...other })).toEqual([])
  }
})

it('the name of a network in the place of a network says what to use', () => {
  expect(faultsOf({ networks: ['mainnet'], defaultNetwork: 'mainnet' })).toEqual([
    "networks[0]: import { mainnet } from '@portico/widget/networks' and use it instead of 'mainnet'.",
    "defaultNetwork: import { mainnet } from '@portico/widget/networks' and use it instead of 'mainnet'."
  ])
  expect(faultsOf({ networks: [137], adapters: [{ namespace: 'eip155' }] })).toEqual([
    "networks[0]: import { mainnet } from '@portico/widget/networks' and use it instead of 137."
  ])
})

it('an adapter without new is told, and its networks are not', () => {
  // A packed page has other names than the package.
  class e {
    readonly namespace = 'solana'
  }
  class MyAdapter {
    constructor(options: { url: string }) {
      options.url.trim()
    }
  }
  expect(faultsOf({ networks: [{ id: 1 }], adapters: [e, MyAdapter] })).toEqual([
    'adapters[0]: pass new SolanaAdapter(), not the class.',
    'adapters[1]: pass new MyAdapter(), not the class.'
  ])
})

it('values within the metadata, orders and pictures are told', () => {
  const given = {
    metadata: { name: 3, url: 'https://shop.example' },
    features: { connectMethodsOrder: ['wallet', 'foo'] },
    chainImages: { 1: 5, 10: '/ten.svg' },
    connectorImages: { own: null }
  }
  expect(faultsOf(given)).toEqual([
    "features.connectMethodsOrder: there is no 'foo'. Use 'email', 'social' or 'wallet'.",
    'metadata.name: use a string. Its value has no effect.',
    "chainImages['1']: use the URL of an image.",
    "connectorImages['own']: use the URL of an image."
  ])
})

it('a value that the style sheet cannot take is told', () => {
  const supports = vi.fn((property: string, value: string) =>
    property === 'color' ? value.startsWith('#') : /^[0-9]+(px)?$/.test(value)
  )
  vi.stubGlobal('CSS', { supports })
  const themeVariables = { '--w3m-accent': 'notacolor', '--w3m-qr-color': '#000', '--apkt-z-index': 'high' }
  expect(faultsOf({ themeVariables })).toEqual([
    "themeVariables['--w3m-accent']: notacolor isn't a color.",
    "themeVariables['--apkt-z-index']: high isn't a whole number."
  ])
  vi.unstubAllGlobals()
})

it('a misspelt key of an own text is named with the one that it resembles', async () => {
  const log = vi.fn()
  const messages = { titleConnet: 'Come in', sendd: 'Pay', colour: 'Red', send: 'Pay', titleConnect: 'Come in' }
  await checkOptions({ messages }, log)
  expect(log).toHaveBeenCalledWith(
    'Options of createAppKit:\n' +
      '- messages.titleConnet: there is no such text. Did you mean messages.titleConnect?\n' +
      '- messages.sendd: there is no such text. Did you mean messages.send?\n' +
      '- messages.colour: there is no such text.'
  )
})

it('nothing is said of options that are right, or absent', async () => {
  const log = vi.fn()
  const messages = { titleConnect: 'Come in', solanaUntried: 'Silence' }
  await checkOptions(
    {
      projectId: 'demo',
      themeMode: 'light',
      clientId: null,
      features: { socials: false },
      locale: undefined,
      messages
    },
    log
  )
  expect(log).not.toHaveBeenCalled()
})

it('a developer on localhost reads it in the console, in one message', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  page.wallet()
  const kit = kitOf({ themeMode: 'blue' as never, locale: 'de' })
  await kit.open()
  await vi.waitFor(() =>
    expect(said).toHaveBeenCalledWith(
      "Options of createAppKit:\n- themeMode: use 'dark' or 'light'. Its value has no effect.\n" +
        "- locale: there is no 'de', so the modal is in English. Use 'en' or 'ar'."
    )
  )
  said.mockRestore()
})
