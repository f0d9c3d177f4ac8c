//! The wallets that are drawn before the core is there.

// @vitest-environment happy-dom

import type { DemoWallet } from '@portico/testkit'
import { describe, expect, it, vi } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import type { CreateAppKit, OpenOptions } from './options.ts'
import { byTestId, freshPage, kitOf, modal, WALLET, whenBegun } from './test-page.ts'

const page = freshPage()

/** The wallets that the modal lists, by test id and name. */
function listed(): (readonly [string | undefined, string | undefined])[] {
  const rows = [...modal().querySelectorAll<HTMLElement>('[data-testid^="wallet-selector-"]')]
  return rows.map((row) => [row.dataset.testid, row.querySelector('bdi')?.textContent ?? row.textContent ?? undefined])
}

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

  it('what was chosen is taken back when the modal is closed before the core is there', async () => {
    page.wallet()
    const kit = kitOf()
    const opened = kit.open()
    byTestId(modal(), `wallet-selector-${WALLET}`)?.click()
    byTestId(modal(), 'w3m-header-close')?.click()
    await opened
    await kit.preload()
    expect(kit.getAccount().status).toBe('disconnected')
    expect(kit.isOpen()).toBe(false)
  })
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

describe('a wallet that is chosen in the first frame', () => {
  const row = () => byTestId(modal(), `wallet-selector-${WALLET}`) as HTMLButtonElement

  /** How often it was asked for its accounts. */
  const asked = ({ controls }: DemoWallet) =>
    controls.requests.filter(({ method }) => method === 'eth_requestAccounts').length

  it('is asked at once, and the core takes the request that is in flight', async () => {
    const wallet = page.wallet()
    const kit = kitOf()
    const connected = kit.connect()
    row().click()
    expect([asked(wallet), kit.engine.calls]).toEqual([1, undefined])
    expect(await connected).toMatchObject({ connectorId: WALLET })
    expect(asked(wallet)).toBe(1)
  })

  it('that agrees before there is a view leaves nothing over the page', async () => {
    page.wallet()
    const kit = kitOf()
    const opened = kit.open()
    row().click()
    await opened
    await vi.waitFor(() => expect(kit.getIsConnectedState()).toBe(true))
    await kit.preload()
    const root = modal()
    expect([root.querySelector('dialog')?.open, root.host.classList.contains('open')]).toEqual([false, false])
  })

  it('that refuses before the core is there is asked again only when the visitor tries again', async () => {
    const wallet = page.wallet()
    wallet.controls.setMode('refuse')
    const kit = kitOf()
    const opened = kit.open()
    row().click()
    await opened
    await vi.waitFor(() => expect(modal().textContent).toContain('Request declined'))
    expect(asked(wallet)).toBe(1)
    wallet.controls.setMode('normal')
    byTestId(modal(), 'w3m-connecting-widget-secondary-button')?.click()
    await vi.waitFor(() => expect(kit.getIsConnectedState()).toBe(true))
    expect(asked(wallet)).toBe(2)
  })

  it('is not asked once more while it has not answered a choice that was taken back', async () => {
    const wallet = page.wallet({ approval: () => new Promise(() => {}) })
    const kit = kitOf()
    const opened = kit.open()
    row().click()
    byTestId(modal(), 'w3m-header-close')?.click()
    await opened
    await kit.preload()
    expect([asked(wallet), kit.getIsConnectedState()]).toEqual([1, false])
    const connected = kit.connect({ connectorId: WALLET })
    expect(asked(wallet)).toBe(1)
    wallet.controls.approve()
    expect(await connected).toMatchObject({ connectorId: WALLET })
  })

  it('that is closed and chosen again before it refuses is asked once', async () => {
    const wallet = page.wallet({ approval: () => new Promise(() => {}) })
    const kit = kitOf()
    const first = kit.open()
    row().click()
    byTestId(modal(), 'w3m-header-close')?.click()
    await first
    const second = kit.open()
    row().click()
    wallet.controls.refuse()
    await second
    await vi.waitFor(() => expect(modal().textContent).toContain('Request declined'))
    expect(asked(wallet)).toBe(1)
  })

  it('is asked once by all kits of the page', async () => {
    const wallet = page.wallet({ approval: () => new Promise(() => {}) })
    const other = kitOf({ projectId: 'other' })
    await other.preload()
    const opened = kitOf().open()
    row().click()
    byTestId(modal(), 'w3m-header-close')?.click()
    await opened
    const connected = other.connect({ connectorId: WALLET })
    wallet.controls.approve()
    expect(await connected).toMatchObject({ connectorId: WALLET })
    expect(asked(wallet)).toBe(1)
  })

  it('is not asked where the host came to want consent after the list was drawn', async () => {
    const wallet = page.wallet()
    const kit = kitOf({ termsConditionsUrl: 'https://a.example' })
    const opened = kit.open()
    kit.updateFeatures({ legalCheckbox: true })
    row().click()
    await opened
    expect([asked(wallet), kit.getIsConnectedState()]).toEqual([0, false])
  })

  it('whose answer came after the choice was taken back is asked anew by the next one', async () => {
    const wallet = page.wallet()
    const kit = kitOf()
    const opened = kit.open()
    row().click()
    byTestId(modal(), 'w3m-header-close')?.click()
    await opened
    await kit.preload()
    await vi.waitFor(() => expect(kit.engine.inFlight.size).toBe(0))
    expect(await kit.connect({ connectorId: WALLET })).toMatchObject({ connectorId: WALLET })
    expect(asked(wallet)).toBe(2)
  })

  it('is not asked before the core is there where the host serves several namespaces', async () => {
    const wallet = page.wallet()
    const kit = kitOf({ adapters: [new EthersAdapter(), { namespace: 'solana' }] })
    const connected = kit.connect()
    row().click()
    expect(asked(wallet)).toBe(0)
    expect(await connected).toMatchObject({ connectorId: WALLET })
  })

  it('that throws at once has failed like any other', async () => {
    page.wallet({ mode: 'throws:sync' })
    const opened = kitOf().open()
    row().click()
    await opened
    await vi.waitFor(() => expect(modal().textContent).toContain('Could not connect'))
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
})
