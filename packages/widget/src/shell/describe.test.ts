// @vitest-environment happy-dom

import { afterEach, expect, describe as group, it, vi } from 'vitest'
import type { CreateAppKit } from '../host/options.ts'
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
    const siwx = { getRequired: () => false, addSession() {} }
    expect(optionsToJson({ ...options, adapters: [new Adapter()], siwx })).toMatchObject({
      adapters: [{ namespace: 'eip155' }],
      siwx: { required: false }
    })
    expect(optionsToJson({ ...options, siweConfig: {} })).toMatchObject({ siweConfig: { required: true } })
  })

  it('take a chain with functions and a bigint for its number', () => {
    const chain = { ...network, id: 31337n, serializers: { transaction: () => {} } } as unknown as typeof network
    expect(optionsToJson({ ...options, networks: [chain] })).toMatchObject({
      networks: [{ id: 31337, name: 'Ethereum' }]
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
      adapters: [],
      siwx: { required: true }
    })
  })
})

group('the boot', () => {
  it('brings what is stored in either storage', () => {
    localStorage.setItem('@portico/version', '1')
    sessionStorage.setItem('@portico/recent_connector_id', 'io.example')
    localStorage.setItem('somebody/else', 'x')
    expect(describe(options).stored).toEqual([
      { key: '@portico/version', value: '1' },
      { key: '@portico/recent_connector_id', value: 'io.example' }
    ])
  })

  it('brings what can be read where the rest is denied', () => {
    localStorage.setItem('@portico/version', '1')
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    expect(describe(options).stored).toEqual([{ key: '@portico/version', value: '1' }])
  })

  it('knows a phone by what the browser says of itself', () => {
    expect(describe(options).environment).toMatchObject({ mobile: false, origin: location.origin })
    vi.stubGlobal('navigator', { userAgentData: { mobile: true } })
    expect(describe(options).environment.mobile).toBe(true)
    vi.unstubAllGlobals()
  })
})
