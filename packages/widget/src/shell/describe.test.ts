// @vitest-environment happy-dom

import { afterEach, expect, describe as group, it, vi } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import type { CreateAppKit } from '../host/options.ts'
import type { SIWEConfig, SIWXConfig } from '../host/siwx.ts'
import { describe, optionsToJson } from './describe.ts'

const network = {
  id: 1,
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['https://eth.example'] } }
}
const options: CreateAppKit = { projectId: 'abc', networks: [network] }

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
})

group('options as JSON', () => {
  it('keep of an adapter its namespace, and of a sign-in whether it is required', () => {
    class Adapter {
      readonly namespace = 'eip155'
      connect() {}
    }
    const siwx = { getRequired: () => false, addSession() {} } as unknown as SIWXConfig
    expect(optionsToJson({ ...options, adapters: [new Adapter()], siwx })).toMatchObject({
      adapters: [{ namespace: 'eip155' }],
      siwx: { required: false, signsOut: true }
    })
    expect(optionsToJson({ ...options, headless: true, siwx }), 'it signs in by itself').not.toHaveProperty('siwx')
    const siwe = (siweConfig: object) => optionsToJson({ ...options, siweConfig: siweConfig as SIWEConfig })
    expect(siwe({})).toMatchObject({ siweConfig: { required: true, signsOut: true } })
    const chosen = { required: false, signOutOnDisconnect: false }
    for (const config of [chosen, { methods: {}, options: chosen }])
      expect(siwe(config)).toMatchObject({ siweConfig: { required: false, signsOut: false } })
    for (const config of [{ enabled: false }, { methods: {}, options: { enabled: false } }])
      expect(siwe(config)).not.toHaveProperty('siweConfig')
  })

  it('take a chain with functions and a bigint for its number', () => {
    const chain = { ...network, id: 31337n, serializers: { transaction: () => {} } } as unknown as typeof network
    expect(optionsToJson({ ...options, networks: [chain] })).toMatchObject({
      networks: [{ id: 31337, name: 'Ethereum' }]
    })
  })

  it('keep every network, however many there are', () => {
    const explorer = { name: 'Explorer', url: 'https://explorer.example' }
    const contracts = { one: { address: '0x1', blockCreated: 1 }, two: { address: '0x2', blockCreated: 2 } }
    const chain = { ...network, blockExplorers: { default: explorer }, contracts }
    const networks = Array.from({ length: 1_200 }, (_, id) => ({ ...chain, id: id + 1 }))
    const read = optionsToJson({ ...options, networks } as unknown as CreateAppKit) as { networks: unknown }
    expect(read.networks).toEqual(networks)
  })

  it('leave out what throws when it is read', () => {
    const trap = (name: string) =>
      Object.defineProperty({}, name, {
        enumerable: true,
        get() {
          throw new Error('no')
        }
      })
    const themeVariables = Object.defineProperties(trap('--w3m-accent'), {
      '--w3m-z-index': { value: 7, enumerable: true }
    })
    const given = Object.assign(trap('metadata'), { ...options, themeVariables })
    Object.defineProperty(given, 'debug', Object.getOwnPropertyDescriptor(trap('debug'), 'debug') as object)
    expect(optionsToJson(given as CreateAppKit)).toMatchObject({
      projectId: 'abc',
      themeVariables: { '--w3m-z-index': 7 },
      networks: [{ id: 1 }]
    })
  })

  it('take the pictures of the wallets that the host brings along, where it names no other', () => {
    const provider = { request: async () => null }
    const connectors = ['one', 'two'].map((id) => ({ id, name: id, provider, imageUrl: `/${id}.svg` }))
    const adapters = [new EthersAdapter({ connectors })]
    expect(optionsToJson({ ...options, adapters, connectorImages: { two: '/mine.svg' } })).toMatchObject({
      adapters: [{ namespace: 'eip155' }],
      connectorImages: { one: '/one.svg', two: '/mine.svg' }
    })
  })

  it('are read whatever they are: the core says what is wrong', () => {
    const wrong = {
      projectId: 7,
      networks: 'none',
      adapters: null,
      siwx: {
        getRequired() {
          throw new Error('no')
        }
      }
    }
    expect(optionsToJson(wrong as unknown as CreateAppKit)).toEqual({
      projectId: 7,
      networks: 'none',
      defaultNetwork: null,
      adapters: 'object',
      siwx: { required: true, signsOut: true }
    })
    for (const adapters of [7, 'x', {}] as never[])
      expect(optionsToJson({ ...options, adapters })).toMatchObject({ adapters: typeof adapters })
    expect(optionsToJson(options)).toMatchObject({ adapters: null })
  })

  it('take an adapter whose wallets cannot be read as one without', () => {
    const { proxy, revoke } = Proxy.revocable([], {})
    revoke()
    const adapters = [{ namespace: 'eip155', connectors: proxy } as never]
    expect(optionsToJson({ ...options, adapters })).toMatchObject({ adapters: [{ namespace: 'eip155' }] })
  })
})

group('the boot', () => {
  it('brings what is stored for the core, and asks for nothing else', () => {
    localStorage.setItem('@portico/version', '1')
    localStorage.setItem('@portico/pending/0xab', '{}')
    localStorage.setItem('@portico/paid/eip155:1:0xf3/0x70', '1')
    localStorage.setItem('@portico/wc/key', '{}')
    localStorage.setItem('somebody/else', 'x')
    expect(describe(options).stored).toEqual([
      { key: '@portico/version', value: '1' },
      { key: '@portico/pending/0xab', value: '{}' }
    ])
  })

  it('brings nothing where storage is denied', () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    expect(describe(options).stored).toEqual([])
  })

  it('knows a phone by what the browser says of itself', () => {
    expect(describe(options).environment).toMatchObject({ mobile: false, origin: location.origin })
    vi.stubGlobal('navigator', { userAgentData: { mobile: true } })
    expect(describe(options).environment.mobile).toBe(true)
    vi.unstubAllGlobals()
  })
})
