//! The wallets that are drawn before the core is there.

// @vitest-environment happy-dom

import { createScriptedProvider, type DemoWallet } from '@portico/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import type { CreateAppKit, OpenOptions } from './options.ts'
import { byTestId, freshPage, kitOf, modal, moduleFile, reasonOf, stubNetwork, WALLET, whenBegun } from './test-page.ts'

const page = freshPage()

/** The wallets that the modal lists, by test id and name. */
function listed(): (readonly [string | undefined, string | undefined])[] {
  const rows = [...modal().querySelectorAll<HTMLElement>('[data-testid^="wallet-selector-"]')]
  return rows.map((row) => [row.dataset.testid, row.querySelector('bdi')?.textContent ?? row.textContent ?? undefined])
}

const TAKEN = '6d0f6a34-7c0b-4f0e-8a51-0d9c6a3b2e10'

/** Nobody answers for the visitor. */
const never = () => new Promise<never>(() => {})

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
    await Promise.resolve()
    expect([asked(wallet), kit.engine.calls]).toEqual([1, undefined])
    expect(await connected).toMatchObject({ connectorId: WALLET })
    expect(asked(wallet)).toBe(1)
  })

  it('that agrees before there is a view leaves nothing over the page', async () => {
    const { controls } = page.wallet({ approval: never })
    const kit = kitOf()
    const opened = kit.open()
    row().click()
    whenBegun(kit, () => controls.approve())
    await opened
    await vi.waitFor(() => expect(kit.getIsConnectedState()).toBe(true))
    await kit.preload()
    const root = modal()
    await vi.waitFor(() =>
      expect([root.querySelector('dialog')?.open, root.host.classList.contains('open')]).toEqual([false, false])
    )
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

  it('is connected when it agrees behind a modal that was closed before the core was there', async () => {
    const wallet = page.wallet({ approval: never })
    const kit = kitOf()
    const connected = kit.connect()
    row().click()
    await kit.close()
    await kit.preload()
    expect([kit.isOpen(), modal().querySelector('dialog')?.open, kit.getAccount().status]).toEqual([
      false,
      false,
      'connecting'
    ])
    wallet.controls.approve()
    expect(await connected).toMatchObject({ connectorId: WALLET })
    expect([asked(wallet), kit.isOpen()]).toEqual([1, false])
  })

  it('that refuses behind a modal that was closed is told to the host, and opens nothing', async () => {
    const wallet = page.wallet({ approval: never })
    const kit = kitOf()
    const connected = reasonOf(kit.connect())
    row().click()
    await kit.close()
    await vi.waitFor(() => expect(wallet.controls.refuse()).toBe(true))
    expect([await connected, kit.isOpen(), asked(wallet)]).toEqual(['userRejected', false, 1])
  })

  it('that is closed and chosen again before it refuses is asked once', async () => {
    const wallet = page.wallet({ approval: never })
    const kit = kitOf()
    const first = kit.open()
    row().click()
    byTestId(modal(), 'w3m-header-close')?.click()
    const second = kit.open()
    row().click()
    await vi.waitFor(() => expect(wallet.controls.refuse()).toBe(true))
    await Promise.all([first, second])
    await vi.waitFor(() => expect(modal().textContent).toContain('Request declined'))
    expect(asked(wallet)).toBe(1)
  })

  it('is asked once by all kits of the page, whether they start before it answers or after', async () => {
    const wallet = page.wallet({ approval: never })
    const [first, second, third] = [kitOf(), kitOf({ projectId: 'second' }), kitOf({ projectId: 'third' })]
    const both = [first, second].map((kit) => {
      const connected = kit.connect()
      row().click()
      return connected
    })
    await Promise.all([first.preload(), second.preload(), third.preload()])
    const late = third.connect({ connectorId: WALLET })
    expect(asked(wallet)).toBe(1)
    wallet.controls.approve()
    const connected = { connectorId: WALLET }
    expect(await Promise.all([...both, late])).toMatchObject([connected, connected, connected])
    expect(asked(wallet)).toBe(1)
  })

  it('that is chosen in two kits connects the one that was closed as well', async () => {
    const wallet = page.wallet({ approval: never })
    const [first, second] = [kitOf(), kitOf({ projectId: 'second' })]
    const connected = first.connect()
    row().click()
    const opened = second.open()
    row().click()
    byTestId(modal(), 'w3m-header-close')?.click()
    await opened
    wallet.controls.approve()
    expect(await connected).toMatchObject({ connectorId: WALLET })
    expect(asked(wallet)).toBe(1)
  })

  it('that never answers is asked anew by the next attempt', async () => {
    const wallet = page.wallet({ approval: never })
    const kit = kitOf()
    const opened = kit.open()
    row().click()
    await opened
    await kit.preload()
    byTestId(modal(), 'w3m-header-close')?.click()
    void kit.connect({ connectorId: WALLET }).catch(() => {})
    expect(asked(wallet)).toBe(2)
  })

  it('that comes back into the page when it is asked is asked once', async () => {
    const { provider } = page.wallet()
    const request = provider.request.bind(provider)
    let asked = 0
    const other = kitOf({ projectId: 'other' })
    provider.request = (given) => {
      if (given.method !== 'eth_requestAccounts') return request(given)
      asked += 1
      if (asked === 1) {
        void other.open()
        row().click()
      }
      return request(given)
    }
    const kit = kitOf()
    const connected = kit.connect()
    row().click()
    await connected
    await vi.waitFor(() => expect(other.getIsConnectedState()).toBe(true))
    expect(asked).toBe(1)
  })

  it('that answered a while ago says once more who is in use', async () => {
    const wallet = page.wallet()
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    stubNetwork(() => arrived.then(() => moduleFile()))
    const kit = kitOf()
    const connected = kit.connect()
    row().click()
    await vi.waitFor(() => expect(kit.engine.unanswered.has(wallet.provider)).toBe(false))
    wallet.controls.switchAccount(1)
    arrive()
    const { address } = await connected
    expect(address).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    expect(asked(wallet)).toBe(1)
  })

  it('is let go by a disconnection that the host asks for before the core is there', async () => {
    const wallet = page.wallet({ approval: never })
    const kit = kitOf()
    const opened = kit.open()
    row().click()
    await kit.disconnect()
    wallet.controls.approve()
    await opened
    await kit.preload()
    expect([asked(wallet), kit.getAccount().status]).toEqual([1, 'disconnected'])
    expect(byTestId(modal(), 'w3m-connect-scroll-view')).not.toBeNull()
  })

  it('is asked once where the host names it before the visitor chooses it', async () => {
    const wallet = page.wallet({ approval: never })
    const kit = kitOf()
    const named = reasonOf(kit.connect({ connectorId: WALLET }))
    const opened = kit.open()
    row().click()
    await opened
    expect([await named, asked(wallet)]).toEqual(['cancelled', 1])
    wallet.controls.approve()
    await vi.waitFor(() => expect(kit.getIsConnectedState()).toBe(true))
  })

  it('is chosen by the core alone where the options cannot be read any more', async () => {
    const wallet = page.wallet()
    const kit = kitOf()
    const connected = kit.connect()
    kit.updateOptions({ adapters: [null] } as never)
    row().click()
    await Promise.resolve()
    expect(asked(wallet)).toBe(0)
    expect(await reasonOf(connected)).not.toBe('modalClosed')
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

  it('is not connected where the host came to want consent after it was chosen, and its answer is for no later choice', async () => {
    const wallet = page.wallet()
    const kit = kitOf({ termsConditionsUrl: 'https://a.example' })
    const opened = kit.open()
    row().click()
    kit.updateFeatures({ legalCheckbox: true })
    await opened
    await kit.preload()
    expect([asked(wallet), kit.getIsConnectedState()]).toEqual([1, false])
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

describe('another one that takes the place of the wallet that was chosen', () => {
  const ID = 'f3c1a1f0-3c5b-4a8e-9d6e-2b7a1c0d4e5f'
  const row = () => byTestId(modal(), `wallet-selector-${WALLET}`) as HTMLButtonElement
  const thief = createScriptedProvider([])
  let stop: AbortController

  /** Announces itself before all others, from the second time on that a page asks. */
  function lurk(uuid: string): void {
    let asked = 0
    const icon = 'data:image/png;base64,'
    const detail = Object.freeze({ info: { uuid, rdns: WALLET, name: 'Demo Wallet', icon }, provider: thief })
    const announce = () => {
      asked += 1
      if (asked > 1) window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    }
    window.addEventListener('eip6963:requestProvider', announce, { signal: stop.signal })
  }

  beforeEach(() => {
    stop = new AbortController()
  })
  afterEach(() => stop.abort())

  it('by its reverse domain name is not asked: the one that was shown is connected', async () => {
    lurk(ID)
    const { provider } = page.wallet()
    const kit = kitOf()
    const connected = kit.connect()
    row().click()
    await connected
    expect(kit.getProvider()).toBe(provider)
    expect(thief.requests).toEqual([])
  })

  it('by announcing the same provider under a name of its own changes no name', async () => {
    const wallet = page.wallet()
    const { signal } = stop
    const info = { uuid: ID, rdns: 'evil.name', name: 'Evil', icon: 'data:image/png;base64,' }
    const kit = kitOf()
    const connected = kit.connect()
    row().click()
    const announce = () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider: wallet.provider } }))
    wallet.controls.withdraw()
    window.addEventListener('eip6963:requestProvider', announce, { signal })
    window.addEventListener('eip6963:requestProvider', () => wallet.controls.announce(), { signal })
    expect(await connected).toMatchObject({ connectorId: WALLET })
    expect(kit.getWalletInfo()?.name).toBe('Demo Wallet')
  })

  it('by the id of the way to remote wallets is not asked', async () => {
    page.wallet()
    const kit = kitOf({ relays })
    const opened = kit.open()
    const detail = {
      info: { uuid: 'walletConnect', name: 'WalletConnect', icon: 'data:image/png;base64,' },
      provider: thief
    }
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', announce, { signal: stop.signal })
    byTestId(modal(), 'wallet-selector-walletconnect')?.click()
    kit.updateOptions({ enableWalletConnect: false })
    await opened
    await kit.preload()
    expect([thief.requests, kit.getAccount().status]).toEqual([[], 'disconnected'])
    expect(kit.getConnectors().map(({ id }) => id)).toEqual([WALLET])
  })

  it('by its uuid is not asked: the list is shown again', async () => {
    lurk(ID)
    const wallet = page.wallet({ uuid: ID })
    const kit = kitOf()
    const opened = kit.open()
    row().click()
    await opened
    await kit.preload()
    expect(byTestId(modal(), 'w3m-connect-scroll-view')).not.toBeNull()
    expect([thief.requests, kit.getAccount().status]).toEqual([[], 'disconnected'])
    wallet.controls.withdraw()
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
