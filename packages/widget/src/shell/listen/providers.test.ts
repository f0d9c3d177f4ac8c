// @vitest-environment happy-dom

import { createScriptedProvider } from '@portico/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Found } from '../../generated/core.ts'
import { Page } from '../page.ts'
import { externalWallets } from './external.ts'
import { discoverWallets } from './providers.ts'

const PICTURE = 'data:image/svg+xml;base64,PHN2Zy8+'
const info = { uuid: 'u-1', name: 'Wallet', icon: PICTURE, rdns: 'com.example' }

let page: Page
let found: Found[]

function discover() {
  // A page of an earlier test still listens and must not add to this list.
  const mine = found
  return discoverWallets(page, (event) => {
    if (event.feature === 'connect' && event.event.type === 'walletFound') mine.push(event.event.wallet)
  })
}

function announce(detail: unknown) {
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}

beforeEach(() => {
  page = new Page()
  found = []
})

afterEach(() => {
  Reflect.deleteProperty(window, 'ethereum')
})

describe('announced wallets', () => {
  it('are asked to present themselves, and are heard when they come late', () => {
    const provider = createScriptedProvider([])
    const answer = () => announce({ info, provider })
    window.addEventListener('eip6963:requestProvider', answer)
    expect(discover()).toEqual({ type: 'done' })
    window.removeEventListener('eip6963:requestProvider', answer)
    announce({ info: { ...info, uuid: 'u-2', name: 'Late' }, provider })
    expect(found.map(({ name }) => name)).toEqual(['Wallet', 'Late'])
    expect(found[0]).toEqual({
      kind: 'ANNOUNCED',
      namespace: 'eip155',
      handle: 'u-1',
      name: 'Wallet',
      rdns: 'com.example',
      icon: 'data',
      flags: []
    })
    expect(page.providers.get('u-1')).toBe(provider)
    expect(page.icons.get('u-1')).toBe(PICTURE)
  })

  it('of the wrong shape are ignored', () => {
    discover()
    const provider = createScriptedProvider([])
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no')
        }
      }
    )
    for (const detail of [
      undefined,
      null,
      7,
      {},
      trap,
      { info, provider: null },
      { info, provider: {} },
      { info, provider: trap },
      { info: null, provider },
      { info: trap, provider },
      { info: { ...info, uuid: 7 }, provider },
      { info: { ...info, uuid: '' }, provider },
      { info: { ...info, name: {} }, provider },
      { info: { ...info, name: 'x'.repeat(257) }, provider },
      { info: { ...info, uuid: 'injected' }, provider }
    ])
      announce(detail)
    expect(found).toEqual([])
    expect(page.providers.size).toBe(0)
  })

  it('whose picture is not inside the announcement are drawn without one', () => {
    discover()
    const provider = createScriptedProvider([])
    const icons = [
      'https://tracker.example/x.png',
      'javascript:alert(1)',
      'data:text/html,x',
      7,
      undefined,
      `data:image/png,${'x'.repeat(300_000)}`
    ]
    for (const [index, icon] of icons.entries()) announce({ info: { ...info, uuid: `u-${index}`, icon }, provider })
    expect(found.map(({ icon }) => icon)).toEqual(icons.map(() => 'other'))
    expect(page.icons.size).toBe(0)
  })

  it('keep their place: another object under a known uuid is ignored', () => {
    discover()
    const honest = createScriptedProvider([])
    announce({ info, provider: honest })
    announce({ info: { ...info, name: 'Thief' }, provider: createScriptedProvider([]) })
    expect(page.providers.get('u-1')).toBe(honest)
    expect(found.map(({ name }) => name)).toEqual(['Wallet'])
  })

  it('are told again to a fresh core, and once only', () => {
    const provider = createScriptedProvider([])
    discover()
    const answer = () => announce({ info, provider })
    window.addEventListener('eip6963:requestProvider', answer)
    discover()
    window.removeEventListener('eip6963:requestProvider', answer)
    expect(found).toHaveLength(1)
  })
})

describe('the injected wallet', () => {
  it('is known by the flags that it carries itself', () => {
    const ethereum = Object.assign(createScriptedProvider([]), {
      isMetaMask: true,
      isBraveWallet: true,
      isOther: 1,
      is: true
    })
    Object.defineProperty(ethereum, 'isTrap', {
      get: () => {
        throw new Error('no')
      },
      enumerable: true
    })
    Object.assign(window, { ethereum })
    discover()
    expect(found).toEqual([
      {
        kind: 'INJECTED',
        namespace: 'eip155',
        handle: 'injected',
        name: 'Browser Wallet',
        rdns: null,
        icon: 'other',
        flags: ['isMetaMask', 'isBraveWallet']
      }
    ])
  })

  it('is found when it comes late', () => {
    discover()
    Object.assign(window, { ethereum: createScriptedProvider([]) })
    window.dispatchEvent(new Event('ethereum#initialized'))
    expect(found).toHaveLength(1)
  })

  it('that is no wallet is ignored', () => {
    for (const ethereum of [null, 7, {}, { request: 'x' }]) {
      Object.assign(window, { ethereum })
      discover()
    }
    Object.defineProperty(window, 'ethereum', {
      get: () => {
        throw new Error('no')
      },
      configurable: true
    })
    expect(discover()).toEqual({ type: 'done' })
    expect(found).toEqual([])
  })
})

it('a wallet that claims to be all others is heard for a while', () => {
  const provider: Record<string, unknown> = { request: async () => null }
  for (let index = 0; index < 100; index += 1) provider[`isWallet${index}`] = true
  Object.assign(window, { ethereum: provider })
  discover()
  expect(found[0]?.flags).toHaveLength(32)
})

describe('wallets that the host brings along', () => {
  it('are told as they are named, and again to a fresh core', () => {
    const provider = createScriptedProvider([])
    page.external = () => [{ id: 'ours', name: 'Our Wallet', provider, rdns: 'com.ours' }]
    discover()
    const wallet = { kind: 'EXTERNAL', namespace: 'eip155', handle: 'ours', name: 'Our Wallet', rdns: 'com.ours' }
    expect(found).toEqual([{ ...wallet, icon: 'other', flags: [] }])
    expect(page.providers.get('ours')).toBe(provider)
    discover()
    expect(found).toHaveLength(2)
  })

  it('with one id are one, and the last word on it wins until the visitor uses it', () => {
    const [first, second, third] = [createScriptedProvider([]), createScriptedProvider([]), createScriptedProvider([])]
    const named = (provider: typeof first) => ({ id: 'ours', name: 'Our Wallet', provider })
    const twice = { adapters: [{ connectors: [named(first)] }], connectors: [named(second)] } as never
    expect(externalWallets(twice).map((wallet) => wallet.provider)).toEqual([second])
    page.external = () => [named(first)]
    discover()
    page.external = () => [named(second)]
    discover()
    expect(page.providers.get('ours')).toBe(second)
    page.watches.set('ours', () => {})
    page.external = () => [named(third)]
    discover()
    expect(page.providers.get('ours')).toBe(second)
  })

  it('do not take the place of a wallet that announced itself under their id', () => {
    const theirs = createScriptedProvider([])
    page.providers.set('ours', theirs)
    page.external = () => [{ id: 'ours', name: 'Our Wallet', provider: createScriptedProvider([]) }]
    discover()
    expect(page.providers.get('ours')).toBe(theirs)
  })

  it('are left out where they cannot be used', () => {
    const provider = { request: async () => null }
    const connectors = [
      null,
      7,
      { id: 'a', name: 'A' },
      { id: 7, name: 'B', provider },
      { id: 'ok', name: 'OK', provider }
    ]
    const given = { adapters: [null, { connectors: 'none' }, { connectors }] } as never
    expect(externalWallets(given)).toEqual([{ id: 'ok', name: 'OK', provider }])
    expect(externalWallets({} as never)).toEqual([])
  })

  it('have the namespace of their adapter', () => {
    const wallet = (id: string) => ({ id, name: id, provider: createScriptedProvider([]) })
    const given = {
      adapters: [
        { namespace: 'solana', connectors: [wallet('sol')] },
        { namespace: 'eip155', connectors: [wallet('evm')] }
      ],
      connectors: [wallet('ours')]
    }
    page.external = () => externalWallets(given as never)
    discover()
    expect(found.map(({ handle, namespace }) => [handle, namespace])).toEqual([
      ['sol', 'solana'],
      ['evm', 'eip155'],
      ['ours', 'eip155']
    ])
  })
})
