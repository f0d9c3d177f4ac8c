//! Wallets drawn before the core has loaded.

// @vitest-environment happy-dom

import { createScriptedProvider } from '@portico/testkit'
import { describe, expect, it, vi } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import type { CreateAppKit, OpenOptions } from './options.ts'
import { byTestId, freshPage, kitOf, modal, WALLET, whenBegun } from './test-page.ts'

const page = freshPage()

/** Wallets in the modal's list, by test id and name. */
function listed(): (readonly [string | undefined, string | undefined])[] {
  const rows = [...modal().querySelectorAll<HTMLElement>('[data-testid^="wallet-selector-"]')]
  return rows.map((row) => [row.dataset.testid, row.querySelector('bdi')?.textContent ?? row.textContent ?? undefined])
}

const TAKEN = '6d0f6a34-7c0b-4f0e-8a51-0d9c6a3b2e10'

const relays = [{ relayUrl: 'wss://relay.example' }] as const

describe('the wallets of the first frame', () => {
  it.each<[string, Partial<CreateAppKit>, string[]]>([
    ['begin with the way to remote ones where there are relays', { relays }, ['WalletConnect', 'Demo Wallet']],
    [
      'do so where one of the relays can be used',
      { relays: [{ relayUrl: 'x' }, ...relays] },
      ['WalletConnect', 'Demo Wallet']
    ],
    ['are alone where remote ones are switched off', { relays, enableWalletConnect: false }, ['Demo Wallet']],
    ['are alone where no relay is named', { relays: [] }, ['Demo Wallet']],
    ['are no others where the host names the only ones of the directory', { includeWalletIds: ['a'] }, ['Demo Wallet']],
    ['are alone where no relay can be used', { relays: [{ relayUrl: 'https://relay.example' }] }, ['Demo Wallet']],
    ['are alone where no project would be told to the relay', { relays, projectId: '' }, ['Demo Wallet']]
  ])('%s', async (_, more, names) => {
    page.wallet()
    const opened = kitOf(more).open()
    const drafted = listed()
    expect(drafted.map(([, name]) => name)).toEqual(names)
    await opened
    expect(byTestId(modal(), 'w3m-connect-scroll-view')).not.toBeNull()
    expect(listed()).toEqual(drafted)
  })

  it('are the ones that the core lists then, in its order', async () => {
    for (const name of ['Demo Wallet', 'Teal', 'Amber'])
      page.wallet({ name, rdns: `test.portico.${name.replace(' ', '').toLowerCase()}`, uuid: crypto.randomUUID() })
    const opened = kitOf().open()
    const drafted = listed()
    expect(drafted.map(([, name]) => name)).toEqual(['Demo Wallet', 'Teal', 'Amber'])
    await opened
    expect(byTestId(modal(), 'w3m-connect-scroll-view')).not.toBeNull()
    expect(listed()).toEqual(drafted)
  })

  it('can be chosen at once: the core connects when it is there', async () => {
    page.wallet()
    const kit = kitOf()
    const connected = kit.connect()
    const row = byTestId(modal(), `wallet-selector-${WALLET}`) as HTMLButtonElement
    row.click()
    expect(row.disabled).toBe(true)
    expect(row.parentElement?.getAttribute('aria-busy')).toBe('true')
    expect(await connected).toMatchObject({ connectorId: WALLET })
  })

  it('what was chosen and not asked is taken back when the modal is closed before the core is there', async () => {
    page.wallet()
    const kit = kitOf({ adapters: [new EthersAdapter(), { namespace: 'solana' }] })
    const opened = kit.open()
    byTestId(modal(), `wallet-selector-${WALLET}`)?.click()
    byTestId(modal(), 'w3m-header-close')?.click()
    await opened
    await kit.preload()
    expect(kit.getAccount().status).toBe('disconnected')
    expect(kit.isOpen()).toBe(false)
  })
})

it('a page that opens the modal when its wallets are asked to announce themselves has one card', async () => {
  page.wallet()
  const kit = kitOf()
  const again = () => void kit.open()
  window.addEventListener('eip6963:requestProvider', again, { once: true })
  const opened = kit.open()
  expect(modal().querySelectorAll('.card')).toHaveLength(1)
  await opened
  await kit.preload()
  expect(modal().querySelectorAll('.card')).toHaveLength(1)
})

it('a page that closes the modal as soon as it hears that it is open has it closed', async () => {
  const kit = kitOf()
  kit.subscribeState(({ open }) => open && void kit.close())
  await kit.open()
  expect([kit.isOpen(), modal().querySelector('dialog')?.open]).toEqual([false, false])
})

describe('the moment in which the core is there and its views are not', () => {
  it('takes the choice of a wallet', async () => {
    page.wallet()
    const kit = kitOf()
    const connected = kit.connect()
    whenBegun(kit, () => byTestId(modal(), `wallet-selector-${WALLET}`)?.click())
    expect(await connected).toMatchObject({ connectorId: WALLET })
  })

  it('takes back what was to open, when it is closed', async () => {
    page.wallet()
    const kit = kitOf()
    const opened = kit.open()
    whenBegun(kit, () => byTestId(modal(), 'w3m-header-close')?.click())
    await opened
    await kit.preload()
    expect([kit.isOpen(), modal().querySelector('dialog')?.open]).toEqual([false, false])
  })
})

describe('a skeleton stands instead', () => {
  const skeleton = async (more: Partial<CreateAppKit>, how?: OpenOptions) => {
    const opened = kitOf(more).open(how)
    expect(listed()).toEqual([])
    expect(modal().querySelector('[aria-busy="true"] .bone')).not.toBeNull()
    await opened
  }

  it.each<[string, Partial<CreateAppKit>, OpenOptions?]>([
    ['no adapter serves the wallets', { adapters: [] }],
    ['announced wallets are off', { enableEIP6963: false }],
    ['all wallets are off', { enableWallets: false }],
    ['the host leaves some out', { excludeWalletIds: ['other.wallet'] }],
    ['the host puts some first', { featuredWalletIds: ['other.wallet'] }],
    [
      'the host brings a wallet along',
      { connectors: [{ id: 'own', name: 'Own', provider: { request: async () => [] } }] }
    ],
    [
      'an adapter of the host brings a wallet along',
      {
        adapters: [
          new EthersAdapter({ connectors: [{ id: 'own', name: 'Own', provider: { request: async () => [] } }] })
        ]
      }
    ],
    ['the host brings wallets as data', { customWallets: [{ id: 'own', name: 'Own' }] }],
    ['the host hides all others', { allWallets: 'HIDE' }],
    ['the host hides all others by its features', { features: { allWallets: false } }],
    ['the host has pictures of its own', { connectorImages: { [WALLET]: 'https://page.example/a.svg' } }],
    ['the host has an order of its own', { features: { connectorTypeOrder: ['external', 'injected'] } }],
    ['terms have to be accepted first', { features: { legalCheckbox: true }, termsConditionsUrl: 'https://a.example' }],
    ['the host leaves out the way to remote ones', { relays, excludeWalletIds: ['walletConnect'] }],
    ['the host pairs by itself', { relays, manualWCControl: true }],
    ['the relays are no list', { relays: {} as never }],
    ['an option is not known, for it may change the list', { listedFirst: ['other.wallet'] } as never],
    ['a feature is not known', { features: { listedFirst: true } as never }],
    ['another view is asked for', {}, { view: 'Networks' }],
    ['another namespace is asked for', {}, { namespace: 'solana' }]
  ])('where %s', async (_, more, how) => {
    page.wallet()
    await skeleton(more, how)
  })

  it('where a wallet was used before, for it comes first', async () => {
    page.wallet()
    localStorage.setItem('@portico/recent_wallets', '[]')
    await skeleton({})
  })

  it.each([
    ['a name that is turned around', { name: 'Demo\u202eWallet' }],
    ['a name without end', { name: 'a'.repeat(200) }],
    ['an id that is none', { rdns: 'not an rdns' }],
    ['a picture from elsewhere', { icon: 'https://stranger.example/a.png' }]
  ])('where a wallet has %s', async (_, wallet) => {
    page.wallet(wallet as never)
    await skeleton({})
  })

  it('where two wallets say they are the same', async () => {
    page.wallet({ uuid: crypto.randomUUID() })
    page.wallet({ uuid: crypto.randomUUID(), name: 'Impostor' })
    await skeleton({})
  })

  const ID = 'f3c1a1f0-3c5b-4a8e-9d6e-2b7a1c0d4e5f'
  const info = { uuid: ID, rdns: 'a.b', name: 'Odd', icon: 'data:image/png;base64,' }
  const provider = createScriptedProvider([])
  it.each<[string, () => unknown]>([
    ['is of nobody', () => ({ info })],
    ['is of something that answers no request', () => ({ info, provider: {} })],
    ['is of a function', () => ({ info, provider: Object.assign(() => {}, provider) })],
    ['has a list for an id', () => ({ info: { ...info, rdns: ['a.b'] }, provider })],
    ['has an object for a name', () => ({ info: { ...info, name: { toString: () => 'Odd' } }, provider })],
    ['has no uuid', () => ({ info: { ...info, uuid: 'injected' }, provider })],
    ['has an id without end', () => ({ info: { ...info, rdns: `a.${'b'.repeat(200)}` }, provider })],
    ['has a uuid that another provider has as well', () => ({ info: { ...info, uuid: TAKEN }, provider })],
    ['is nothing', () => null],
    [
      'throws when it is read',
      () => ({
        get info() {
          throw new Error('getter')
        }
      })
    ]
  ])('where an announcement %s, and nothing is thrown', async (_, detail) => {
    const thrown = vi.fn()
    const stop = new AbortController()
    const { signal } = stop
    page.wallet({ uuid: TAKEN })
    window.addEventListener('error', thrown, { signal })
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: detail() }))
    window.addEventListener('eip6963:requestProvider', announce, { signal })
    await skeleton({})
    stop.abort()
    expect(thrown).not.toHaveBeenCalled()
  })

  it('where one wallet is announced under two names', async () => {
    const { provider } = page.wallet()
    const detail = { info, provider }
    const stop = new AbortController()
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', announce, { signal: stop.signal })
    await skeleton({})
    stop.abort()
  })
})
