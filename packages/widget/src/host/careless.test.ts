//! Hosts with invalid or repeated calls, and pages that change the DOM under the modal.

// @vitest-environment happy-dom

import { describe, expect, it, vi } from 'vitest'
import { Core } from '../../wasm/portico.js'
import { freshPage, kitOf, modal, network, ONE, reasonOf, stubNetwork, TWO, WALLET } from './test-page.ts'

const page = freshPage()

describe('what a host may give', () => {
  /** Events that the core of a kit receives while `run` works. */
  async function heard(run: (kit: ReturnType<typeof kitOf>) => unknown) {
    const kit = kitOf()
    await kit.preload()
    const told = vi.spyOn(Core.prototype, 'dispatch')
    await run(kit)
    return told.mock.calls.map(([event]) => JSON.parse(event).event)
  }

  it('goes on to another view, or puts it in the place of the one on top', async () => {
    const events = await heard(async (kit) => {
      kit.redirect('Networks')
      await kit.replace('WhatIsAWallet')
    })
    expect(events).toEqual([
      { type: 'redirectAsked', view: 'Networks' },
      { type: 'replaceAsked', view: 'WhatIsAWallet' }
    ])
  })

  it('makes a new code in the place of the one that is shown', async () => {
    const events = await heard((kit) => kit.resetWcConnection())
    expect(events).toEqual([{ type: 'pairingRetryAsked' }])
  })

  it('goes on and back in the open modal', async () => {
    const kit = kitOf()
    await kit.open()
    kit.redirect('Networks')
    expect(kit.engine.store.get().modal).toMatchObject({ view: 'Networks', canGoBack: true })
    await kit.replace('WhatIsAWallet')
    expect(kit.engine.store.get().modal).toMatchObject({ view: 'WhatIsAWallet', canGoBack: true })
  })

  it('says no amount where the host gave none', async () => {
    const events = await heard((kit) => {
      void reasonOf(kit.open({ view: 'WalletSend', arguments: { to: '0x1' } as never }))
      void reasonOf(kit.open({ view: 'WalletSend', arguments: { to: '0x1', amount: 2 } }))
    })
    const opened = events.filter(({ type }) => type === 'openAsked')
    expect(opened.map((event) => event.arguments)).toEqual([{ to: '0x1' }, { to: '0x1', amount: 2 }])
  })

  it("is its own server's token, which goes to the embedded wallet and to no other connector", async () => {
    const events = await heard((kit) => void reasonOf(kit.connect({ connectorId: 'AUTH', jwt: 'a.b.c' })))
    expect(events).toMatchObject([{ type: 'jwtGiven', jwt: 'a.b.c' }])
    for (const wrong of [
      { connectorId: 'io.other', jwt: 'a.b.c' },
      { connectorId: 'AUTH', jwt: 7 }
    ])
      expect(await reasonOf(kitOf().connect(wrong as never))).toBe('invalidArgument')
  })

  it('is refused with a reason where it cannot be understood', async () => {
    const kit = kitOf()
    expect(await reasonOf(kit.addNetwork(7 as never, null as never))).toBe('adapterNotFound')
    expect(await reasonOf(kit.removeNetwork(undefined as never, undefined as never))).toBe('adapterNotFound')
    for (const wrong of [7, true, { namespace: 7 }])
      await expect(kit.disconnect(wrong as never)).rejects.toMatchObject({
        reason: 'invalidArgument',
        message: 'Pass disconnect a namespace, { id, namespace } or nothing'
      })
  })

  it('is a theme that throws when it is read, or changes later: what could be read is kept', async () => {
    const hostile = { '--w3m-accent': '#f00' } as Record<string, string>
    Object.defineProperty(hostile, '--w3m-z-index', {
      enumerable: true,
      get() {
        throw new Error('no')
      }
    })
    const kit = kitOf({ themeVariables: hostile })
    kit.setThemeVariables(hostile)
    hostile['--w3m-accent'] = '#0f0'
    expect(kit.getThemeVariables()).toEqual({ '--w3m-accent': '#f00' })
    await kit.open()
    expect(kit.isOpen()).toBe(true)
    expect(kit.getThemeVariables()).toEqual({ '--w3m-accent': '#f00' })
  })
})

describe('networks that come and go', () => {
  const THREE = network(31339, 'Anvil Three')
  const names = (kit: ReturnType<typeof kitOf>) => kit.getCaipNetworks().map(({ name }) => name)
  const idOf = ({ id }: { readonly id: number | string }) => `eip155:${id}`

  it('spec_4_18_one_that_was_removed_is_not_gone_back_to', async () => {
    const kit = kitOf()
    await kit.removeNetwork('eip155', ONE.id)
    expect(names(kit)).toEqual(['Anvil Two'])
    await kit.addNetwork('eip155', THREE)
    await kit.switchNetwork(THREE)
    await kit.resetNetwork('eip155')
    expect(kit.getCaipNetwork()?.name).toBe('Anvil Two')
    expect([...kit.engine.networks.keys()]).toEqual([TWO, THREE].map(idOf))
  })

  it('spec_4_20_one_that_is_there_stays_as_it_is_when_it_is_added_again', async () => {
    const kit = kitOf()
    await kit.addNetwork('eip155', { ...ONE, name: 'Another One' })
    expect(names(kit)).toEqual(['Anvil One', 'Anvil Two'])
  })

  it('spec_4_22_one_that_is_refused_leaves_nothing_behind', async () => {
    const kit = kitOf()
    expect(await reasonOf(kit.addNetwork('solana', { ...THREE, chainNamespace: 'solana' }))).toBe('adapterNotFound')
    expect(await reasonOf(kit.addNetwork('eip155', { ...THREE, rpcUrls: {} as never }))).toBe('invalidNetwork')
    expect([...kit.engine.networks.keys()]).toEqual([ONE, TWO].map(idOf))
  })
})

describe('disconnecting', () => {
  it('ends a connection that is still being asked for', async () => {
    page.wallet({ mode: 'silent' })
    for (const early of [true, false]) {
      const kit = kitOf()
      if (!early) await kit.preload()
      const connected = reasonOf(kit.connect({ connectorId: WALLET }))
      await kit.disconnect()
      expect(await connected).not.toBe('resolved')
      expect(kit.getAccount().status).toBe('disconnected')
    }
  })

  it('takes the namespace as the hook does', async () => {
    page.wallet()
    const kit = kitOf()
    await kit.connect({ connectorId: WALLET })
    await kit.disconnect({ namespace: 'eip155' })
    expect(kit.getIsConnectedState()).toBe(false)
  })

  it('by a connector ends its connection and no other', async () => {
    page.wallet()
    const kit = kitOf()
    await kit.connect({ connectorId: WALLET })
    await kit.disconnect({ id: 'io.other' })
    await kit.disconnect({ id: WALLET, namespace: 'solana' })
    expect(kit.getIsConnectedState()).toBe(true)
    await kit.disconnect({ id: WALLET })
    expect(kit.getIsConnectedState()).toBe(false)
  })
})

describe('before the core is there', () => {
  it('a message to the visitor fetches it and is said as soon as it is there, without a modal', async () => {
    const kit = kitOf()
    const told = vi.spyOn(Core.prototype, 'dispatch')
    kit.showErrorMessage('No stock left')
    await kit.preload()
    const events = told.mock.calls.map(([event]) => JSON.parse(event).event)
    const said = events.filter(({ type }) => type !== 'timeZoneTold')
    expect(said).toEqual([{ type: 'hostSaid', variant: 'error', text: 'No stock left', autoClose: null }])
    expect(kit.isOpen()).toBe(false)
  })

  it('only the last loading counts', async () => {
    const kit = kitOf()
    for (let index = 0; index < 100; index += 1) kit.setLoading(index % 2 === 0)
    kit.setLoading(true)
    const told = vi.spyOn(Core.prototype, 'dispatch')
    await kit.open()
    const types = told.mock.calls.map(([event]) => JSON.parse(event).event.type)
    expect(types.filter((type) => type === 'loadingSet')).toEqual(['loadingSet'])
    expect(kit.getState().loading).toBe(true)
  })
})

describe('the console', () => {
  it('spec_9_15_has_errors_and_each_alert_once_where_the_host_says_no_level_also_while_the_modal_is_closed', async () => {
    const kit = kitOf({ projectId: '' })
    await kit.preload()
    await kit.open()
    const lines = vi.mocked(console.error).mock.calls.map(([line]) => String(line))
    expect(
      lines.filter((line) => line.startsWith('Project ID Not Configured. Wallets in this browser still work,'))
    ).toHaveLength(1)
  })

  it('has every alert, also behind the first and where none is drawn', async () => {
    for (const debug of [true, false]) {
      vi.mocked(console.error).mockClear()
      const kit = kitOf({ projectId: '', endpoints: 'nonsense', debug })
      await kit.preload()
      const lines = vi.mocked(console.error).mock.calls.map(([line]) => String(line))
      expect(lines.map((line) => line.split('.')[0])).toEqual([
        'Project ID Not Configured',
        'Invalid App Configuration'
      ])
      expect(kit.engine.calls?.reportedAlerts).toEqual({ projectIdNotConfigured: true, invalidOptions: true })
    }
  })

  it('is left alone where the host wants silence', async () => {
    const kit = kitOf({ projectId: '', logLevel: 'silent' })
    kit.subscribeAccount(() => {
      throw new Error('theirs')
    })
    page.wallet()
    await kit.connect({ connectorId: WALLET })
    stubNetwork(() => Promise.reject(new TypeError('offline')))
    await kitOf({ logLevel: 'silent' }).preload()
    expect(console.error).not.toHaveBeenCalled()
  })
})

describe('a page that throws its body away', () => {
  const swap = () => document.documentElement.replaceChild(document.createElement('body'), document.body)

  it('has the modal again when it is opened', async () => {
    const kit = kitOf()
    await kit.preload()
    swap()
    await kit.open()
    expect(modal().querySelector('dialog')?.open).toBe(true)
    swap()
    await kit.open()
    expect(modal().querySelector('dialog')?.open).toBe(true)
  })

  it('says that nothing is open, so that the next click on a button opens it', async () => {
    const kit = kitOf()
    await kit.open()
    swap()
    expect(kit.isOpen()).toBe(false)
    const button = document.createElement('appkit-button')
    document.body.append(button)
    button.shadowRoot?.querySelector('button')?.click()
    expect([kit.isOpen(), modal().querySelector('dialog')?.open]).toEqual([true, true])
  })

  it('has the modal again for a message that it shows', async () => {
    const kit = kitOf()
    await kit.open()
    swap()
    kit.showErrorMessage('No stock left')
    expect(kit.isOpen()).toBe(true)
    await vi.waitFor(() => expect(modal().textContent).toContain('No stock left'))
  })

  it('has the modal in the place of the curtain that it threw away', async () => {
    const kit = kitOf()
    const opened = reasonOf(kit.open())
    swap()
    expect(await opened).toBe('resolved')
    expect([kit.isOpen(), modal().querySelector('dialog')?.open]).toEqual([true, true])
  })

  it('has the curtain again', async () => {
    stubNetwork(async () => new Response('', { status: 503 }))
    const kit = kitOf()
    await kit.preload()
    const opened = kit.open()
    await kit.close()
    await opened
    swap()
    const again = kit.open()
    expect(modal().querySelector('dialog')?.open).toBe(true)
    swap()
    const third = kit.open()
    expect(modal().querySelector('dialog')?.open).toBe(true)
    await kit.close()
    await Promise.all([again, third])
    await kit.preload()
  })

  it('may remove its element and mount another one, and the modal is in that', async () => {
    const place = () => document.body.appendChild(document.createElement('w3m-modal'))
    const first = place()
    const kit = kitOf({ disableAppend: true })
    await kit.open()
    expect(first.shadowRoot?.querySelector('dialog')?.open).toBe(true)
    first.remove()
    await expect(kit.open()).rejects.toMatchObject({ reason: 'noModal' })
    const second = place()
    await kit.open()
    expect(second.querySelector('w3m-modal')?.shadowRoot?.querySelector('dialog')?.open).toBe(true)
    second.remove()
  })

  it('that embeds the modal and has no element for it gets none at the end of its body', async () => {
    const kit = kitOf({ enableEmbedded: true })
    await expect(kit.open()).rejects.toMatchObject({ reason: 'noModal' })
    expect(document.querySelector('w3m-modal')).toBeNull()
    // It goes to the element that the page mounts later, without a dialog.
    const later = document.body.appendChild(document.createElement('w3m-modal'))
    await kit.open()
    const stage = later.querySelector('w3m-modal') ?? later
    const card = () => stage.shadowRoot?.querySelector('[data-testid=w3m-modal-card]')
    await vi.waitFor(() => expect(card()).toBeTruthy())
    expect(card()?.closest('dialog')).toBeNull()
    later.remove()
  })

  it('is told where it has no place for the modal and lets none be added', async () => {
    const kit = kitOf({ disableAppend: true })
    for (const call of [() => kit.open(), () => kit.connect()])
      await expect(call()).rejects.toMatchObject({
        reason: 'noModal',
        message: 'No w3m-modal element found. Add one to the page.'
      })
    expect(console.error).toHaveBeenCalledWith('No w3m-modal element found. Add one to the page.')
    expect([document.querySelector('dialog'), kit.isOpen(), kit.getState().open]).toEqual([null, false, false])
  })

  it('is told that nothing is sent where nothing is drawn', async () => {
    const kit = kitOf({ headless: true })
    expect(await reasonOf(kit.open())).toBe('resolved')
    expect(await reasonOf(kit.open({ view: 'WalletSend', arguments: {} as never }))).toBe('invalidArgument')
  })
})
