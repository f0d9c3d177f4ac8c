// @vitest-environment happy-dom

import { describe, expect, it, vi } from 'vitest'
import type { AppKit } from './AppKit.ts'
import { createAppKit } from './createAppKit.ts'
import {
  byTestId,
  freshPage,
  kitOf,
  modal,
  moduleFile,
  options,
  reasonOf,
  stubNetwork,
  TWO,
  WALLET
} from './test-page.ts'

const page = freshPage()

describe('before the click', () => {
  it('spec_8_34_both_sign_ins_are_refused_at_once', () => {
    expect(() => createAppKit(options({ siwx: {}, siweConfig: {} } as never))).toThrow(
      'Cannot set both siweConfig and siwx options'
    )
  })

  it('a page that never opens the modal makes no request, runs no timer and gets no element', () => {
    vi.useFakeTimers()
    const kit = kitOf()
    expect(kit.getState()).toMatchObject({ open: false, initialized: true, selectedNetworkId: 'eip155:31337' })
    expect(kit.getAccount()).toMatchObject({ status: 'disconnected', isConnected: false, address: undefined })
    expect(page.fetch).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
    expect(document.querySelector('w3m-modal')).toBeNull()
  })

  it('knows the default network, and the one that the visitor chose before', () => {
    expect(kitOf({ defaultNetwork: TWO }).getChainId()).toBe(31338)
    localStorage.setItem('@portico/active_network', 'eip155:31338')
    expect(kitOf().getCaipNetwork()).toMatchObject({ id: 31338, name: 'Anvil Two', chainNamespace: 'eip155' })
    localStorage.setItem('@portico/active_network', 'eip155:666')
    expect(kitOf().getChainId()).toBe(31337)
  })

  it('no nonsense in the options breaks the page', () => {
    for (const networks of [undefined, null, 7, [null, 7, {}]]) {
      const kit = createAppKit(options({ networks } as never))
      expect(kit.getCaipNetwork()).toBeUndefined()
    }
  })

  it('changes of the theme and the features are kept for the core', async () => {
    const kit = kitOf({ features: { swaps: false } })
    const told: string[] = []
    kit.subscribeTheme(({ themeMode }) => told.push(themeMode))
    kit.setThemeMode('light')
    kit.setThemeMode('neon' as never)
    kit.updateFeatures({ onramp: false })
    expect(told).toEqual(['light'])
    expect(page.fetch).not.toHaveBeenCalled()
    await kit.preload()
    expect(kit.getThemeMode()).toBe('light')
    expect(kit.engine.store.get().config.features).toMatchObject({ swaps: false, onramp: false })
  })

  it('disconnecting is done, for there is nothing to disconnect', async () => {
    await kitOf().disconnect()
    expect(page.fetch).not.toHaveBeenCalled()
  })
})

describe('a click before the modal is loaded', () => {
  it('draws the curtain at once, and lifts it when the list is there', async () => {
    const kit = kitOf()
    const opened = kit.open()
    const root = modal()
    expect(root.querySelector('dialog')?.open).toBe(true)
    expect(byTestId(root, 'w3m-header-text')?.textContent).toBe('Connect Wallet')
    expect(root.querySelector('[aria-busy]')?.querySelectorAll('.row').length).toBeGreaterThan(0)
    expect(kit.isOpen()).toBe(true)
    page.wallet()
    await opened
    expect(root.querySelector('dialog')?.open).toBe(true)
    expect(root.querySelector('[aria-busy]')).toBeNull()
    expect(byTestId(root, `wallet-selector-${WALLET}`)).not.toBeNull()
    expect(kit.isOpen()).toBe(true)
  })

  it('fetches the core once, also for many clicks and many modals', async () => {
    const wasmUrl = 'https://page.example/shared.wasm'
    const kits = [kitOf({ wasmUrl }), kitOf({ wasmUrl })]
    await Promise.all(kits.flatMap((kit) => [kit.preload(), kit.preload()]))
    expect(page.fetch.mock.calls.filter(([url]) => url === wasmUrl)).toHaveLength(1)
  })

  it('tells the state that it is open only once', async () => {
    const kit = kitOf()
    const told: boolean[] = []
    kit.subscribeState(({ open }) => told.push(open))
    await kit.open()
    expect(told).toEqual([true])
  })

  it('is taken back when the curtain is closed', async () => {
    const kit = kitOf()
    const opened = kit.open()
    const connected = reasonOf(kit.connect())
    byTestId(modal(), 'w3m-header-close')?.click()
    expect(modal().querySelector('dialog')?.open).toBe(false)
    await opened
    expect(await connected).toBe('modalClosed')
    await kit.preload()
    expect(kit.isOpen()).toBe(false)
    expect(modal().querySelector('dialog')?.open).toBe(false)
  })

  it('is closed by Escape and by the host as well', async () => {
    for (const close of [
      (kit: AppKit) => kit.close(),
      () =>
        modal()
          .querySelector('dialog')
          ?.dispatchEvent(new Event('cancel', { cancelable: true }))
    ]) {
      const kit = kitOf()
      const opened = kit.open()
      close(kit)
      await opened
      expect(kit.isOpen()).toBe(false)
    }
  })

  it('says in one sentence that loading failed, and tries again', async () => {
    let broken = true
    stubNetwork(async () => (broken ? new Response('', { status: 503 }) : moduleFile()))
    const kit = kitOf()
    const opened = kit.open()
    await vi.waitFor(() => expect(modal().querySelector('[role=alert]')?.textContent).toContain("Couldn't load"))
    broken = false
    modal().querySelector<HTMLElement>('.again')?.click()
    await opened
    expect(modal().querySelector('.says')).toBeNull()
    expect(kit.isOpen()).toBe(true)
  })

  it('says how to go on without a connection, and after a second failure offers to reload the page', async () => {
    stubNetwork(() => Promise.reject(new TypeError('Failed to fetch')))
    void kitOf().open()
    const again = () => modal().querySelector<HTMLElement>('.again')
    await vi.waitFor(() => expect(again()?.textContent).toBe('Try again'))
    expect(modal().querySelector('[role=alert]')?.textContent).toBe(
      "Couldn't load the widgetCheck your connection and try again."
    )
    again()?.click()
    await vi.waitFor(() => expect(again()?.textContent).toBe('Reload the page'))
  })

  it('does not offer to reload a page that is offline and could not be had again', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    stubNetwork(() => Promise.reject(new TypeError('Failed to fetch')))
    void kitOf().open()
    const again = () => modal().querySelector<HTMLElement>('.again')
    await vi.waitFor(() => expect(again()).not.toBeNull())
    const first = again()
    first?.click()
    await vi.waitFor(() => expect([again() === first, again()?.textContent]).toEqual([false, 'Try again']))
    vi.restoreAllMocks()
  })

  it('says that the policy of the page forbids WebAssembly', async () => {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(
      new WebAssembly.CompileError(
        "WebAssembly.compile(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not allowed"
      )
    )
    const kit = kitOf()
    void kit.open()
    await vi.waitFor(() =>
      expect(modal().querySelector('[role=alert]')?.textContent).toContain("Add 'wasm-unsafe-eval' to script-src")
    )
    expect(modal().querySelector('.again')).toBeNull()
  })

  it('without a curtain, a call that cannot be answered is refused', async () => {
    stubNetwork(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await reasonOf(kitOf().connect({ connectorId: WALLET }))).toBe('loadFailed')
  })

  it('whose curtain is closed refuses what still waited to be tried again', async () => {
    stubNetwork(() => Promise.reject(new TypeError('Failed to fetch')))
    const kit = kitOf()
    const opened = kit.open()
    const connected = reasonOf(kit.connect({ connectorId: WALLET }))
    await vi.waitFor(() => expect(modal().querySelector('.again')).not.toBeNull())
    await kit.close()
    expect([await connected, await reasonOf(opened)]).toEqual(['loadFailed', 'resolved'])
  })
})

describe('opening', () => {
  it('after preloading is there before the browser paints again', async () => {
    const kit = kitOf()
    await kit.preload()
    expect(modal().querySelector('dialog')?.open).toBe(false)
    await kit.open()
    expect(modal().querySelector('dialog')?.open).toBe(true)
    expect(page.fetch).toHaveBeenCalledTimes(1)
  })
})
