//! Account request that is sent to a wallet chosen before the core has loaded.

// @vitest-environment happy-dom

import { createScriptedProvider, type DemoWallet } from '@portico/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import { byTestId, freshPage, kitOf, modal, moduleFile, reasonOf, stubNetwork, WALLET, whenBegun } from './test-page.ts'

const page = freshPage()

/** A visitor who never answers the wallet's prompt. */
const never = () => new Promise<never>(() => {})

const relays = [{ relayUrl: 'wss://relay.example' }] as const

describe('a wallet that is chosen in the first frame', () => {
  const row = () => byTestId(modal(), `wallet-selector-${WALLET}`) as HTMLButtonElement

  /** Number of account requests that the wallet received. */
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
    await vi.waitFor(() => expect(modal().textContent).toContain("Couldn't connect"))
  })
})

describe('another one that takes the place of the wallet that was chosen', () => {
  const ID = 'f3c1a1f0-3c5b-4a8e-9d6e-2b7a1c0d4e5f'
  const row = () => byTestId(modal(), `wallet-selector-${WALLET}`) as HTMLButtonElement
  const thief = createScriptedProvider([])
  let stop: AbortController

  /** Announces a rival wallet before all others, from the page's second provider request on. */
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
