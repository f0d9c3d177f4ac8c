// @vitest-environment happy-dom

import type { DemoWallet } from '@portico/testkit'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { arabic } from '../../text/ar.ts'
import { announceWallet, byTestId, kitOf, modal, moduleFile, node, stubNetwork, TWO, WALLET } from '../test-page.ts'

let wallet: DemoWallet | undefined
let fetch: ReturnType<typeof stubNetwork>

function put(name: string, attributes: Record<string, string> = {}): HTMLElement {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  document.body.append(element)
  return element
}

function buttonOf(element: HTMLElement): HTMLButtonElement {
  const button = element.shadowRoot?.querySelector('button')
  if (!button) throw new Error('There is no button')
  return button
}

function text(element: HTMLElement): string {
  return buttonOf(element).textContent ?? ''
}

async function connected(more: Parameters<typeof kitOf>[0] = {}) {
  wallet = announceWallet()
  const kit = kitOf(more)
  await kit.connect({ connectorId: WALLET })
  return kit
}

beforeEach(() => {
  localStorage.clear()
  document.body.replaceChildren()
  fetch = stubNetwork(moduleFile, node())
})

afterEach(() => {
  wallet?.controls.withdraw()
  wallet = undefined
  vi.unstubAllGlobals()
})

describe('the connect button', () => {
  it('has the words and test ids that hosts know', () => {
    kitOf()
    for (const name of ['appkit-button', 'w3m-button', 'appkit-connect-button', 'w3m-connect-button']) {
      const button = buttonOf(put(name))
      expect(button.textContent).toBe('Connect Wallet')
      expect(button.dataset.testid).toBe('connect-button')
    }
    expect(buttonOf(put('appkit-button', { namespace: 'eip155' })).dataset.testid).toBe('connect-button-eip155')
    expect(text(put('appkit-button', { label: 'Join' }))).toBe('Join')
  })

  it.each(['ar', 'AR-eg'])(
    'in a page in %s it has a label of that language, which a host may replace',
    async (lang) => {
      document.documentElement.lang = lang
      onTestFinished(() => document.documentElement.removeAttribute('lang'))
      kitOf({ preload: 'none' })
      const [element, own] = [put('appkit-button'), put('appkit-button', { label: 'Join' })]
      await vi.waitFor(() => expect(text(element)).toBe(arabic.words.titleConnect))
      expect(text(own)).toBe('Join')
      expect(fetch).not.toHaveBeenCalled()
    }
  )

  it('that stood in the page before the modal was made is drawn when it is', () => {
    const element = put('appkit-connect-button')
    kitOf()
    expect(text(element)).toBe('Connect Wallet')
  })

  it('loads on the first sign of interest, not before', async () => {
    const kit = kitOf()
    const element = put('appkit-button')
    expect(fetch).not.toHaveBeenCalled()
    element.dispatchEvent(new Event('pointerenter'))
    expect(fetch).toHaveBeenCalledTimes(1)
    await kit.preload()
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('loads nothing before the click where the host says so', async () => {
    const kit = kitOf({ preload: 'none' })
    const element = put('appkit-button')
    for (const sign of ['pointerenter', 'focusin']) element.dispatchEvent(new Event(sign))
    expect(fetch).not.toHaveBeenCalled()
    buttonOf(element).click()
    expect(fetch).toHaveBeenCalledTimes(1)
    await kit.preload()
  })

  it('opens the modal, and closes one that is open', async () => {
    const kit = kitOf()
    const element = put('appkit-button')
    buttonOf(element).click()
    expect(modal().querySelector('dialog')?.open).toBe(true)
    await vi.waitFor(() => expect(byTestId(modal(), 'w3m-header-close')).not.toBeNull())
    await kit.preload()
    buttonOf(element).click()
    expect(kit.isOpen()).toBe(false)
  })

  it('names no view, so that the core decides', () => {
    const kit = kitOf()
    const open = vi.spyOn(kit, 'open').mockResolvedValue(undefined)
    buttonOf(put('appkit-button')).click()
    buttonOf(put('appkit-connect-button', { namespace: 'eip155' })).click()
    expect(open.mock.calls).toEqual([[{}], [{ namespace: 'eip155' }]])
  })

  it('shows the wallets where an adapter is given and nobody is connected', async () => {
    const kit = kitOf()
    buttonOf(put('appkit-button')).click()
    await kit.preload()
    expect(kit.engine.store.get().modal).toMatchObject({ open: true, view: 'Connect' })
  })

  it('says that it connects while a connection of an earlier visit is restored', async () => {
    localStorage.setItem('@portico/version', '1')
    localStorage.setItem('@portico/connections', JSON.stringify([{ namespace: 'eip155', connector: WALLET }]))
    wallet = announceWallet()
    const kit = kitOf()
    const element = put('appkit-button', { loadingLabel: 'One moment' })
    expect(text(put('appkit-button'))).toBe('Connecting...')
    expect(text(element)).toBe('One moment')
    await kit.ready()
    expect(text(element)).not.toBe('One moment')
  })

  it('says in the language of the page that it connects', async () => {
    const kit = kitOf({ locale: 'ar' })
    const element = put('appkit-button')
    await vi.waitFor(() => expect(text(element)).toBe('ربط المحفظة'))
    const { modal } = kit.engine.store.get()
    kit.engine.store.set({ modal: { ...modal, loading: true } })
    expect(text(element)).toBe('جارٍ الاتصال…')
  })

  it('names an unsupported network in the language of the page', async () => {
    await connected({ networks: [TWO], allowUnsupportedChain: true, locale: 'ar' })
    const element = put('appkit-button')
    await vi.waitFor(() => expect(text(element)).not.toBe('Wrong Network'))
    expect([text(element), text(put('appkit-network-button'))]).toEqual(['شبكة غير مدعومة', 'بدّل الشبكة'])
  })

  it('is disabled by its attribute, but not by the "false" that React 18 writes', () => {
    kitOf()
    expect(buttonOf(put('appkit-button', { disabled: '' })).disabled).toBe(true)
    expect(buttonOf(put('appkit-button', { disabled: 'false' })).disabled).toBe(false)
  })
})

describe('the account button', () => {
  it('shows picture, short address and balance, and opens the account', async () => {
    const kit = await connected()
    const element = put('appkit-button')
    await vi.waitFor(() => expect(text(element)).toContain('1.000 ETH'))
    expect(text(element)).toMatch(/^0x[0-9a-fA-F]{2}….{6}1\.000 ETH$/)
    expect(buttonOf(element).querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
    expect(buttonOf(element).dataset.testid).toBe('account-button')
    expect(buttonOf(put('appkit-account-button', { namespace: 'eip155' })).dataset.testid).toBe('account-button-eip155')
    buttonOf(element).click()
    expect(kit.engine.store.get().modal).toMatchObject({ open: true, view: 'Account' })
  })

  it('spec_2_10_groups_the_digits_of_a_large_balance', async () => {
    const kit = await connected()
    const element = put('appkit-button')
    await vi.waitFor(() => expect(text(element)).toContain('1.000 ETH'))
    const accounts = kit.engine.store.get().account.accounts.map((one) => ({ ...one, balance: '1234567.890' }))
    kit.engine.store.set({ account: { accounts } })
    expect(text(element)).toContain('1,234,567.890 ETH')
    // Also on a page with right-to-left text.
    expect(buttonOf(element).querySelector<HTMLElement>('.balance')?.dir).toBe('ltr')
  })

  it('spec_2_10_has_no_place_for_a_balance_that_nobody_asks_for', async () => {
    const kit = await connected()
    const element = put('appkit-button')
    const say = (balanceState: 'loading' | 'unknown') => {
      const accounts = kit.engine.store.get().account.accounts.map((one) => ({ ...one, balance: null, balanceState }))
      kit.engine.store.set({ account: { accounts } })
      return buttonOf(element).querySelector('.bone')
    }
    expect(say('loading')).not.toBeNull()
    expect(say('unknown')).toBeNull()
  })

  it('hides the balance and cuts the address as its attributes say', async () => {
    await connected()
    const element = put('appkit-account-button', { balance: 'hide', charsStart: '2', charsEnd: '0' })
    expect(text(element)).toBe('0x…')
    element.setAttribute('charsEnd', 'nonsense')
    expect(text(element)).toMatch(/^0x….{6}$/)
  })

  it('asks for a switch where the wallet is on a chain that the host does not serve', async () => {
    await connected({ networks: [TWO], allowUnsupportedChain: true })
    const element = put('appkit-button')
    expect(text(element)).toBe('Wrong Network')
    expect(buttonOf(element).dataset.testid).toBe('wui-account-button-unsupported-chain')
    expect(text(put('appkit-network-button'))).toBe('Switch Network')
  })
})

describe('the network button', () => {
  it('shows the network, and opens the list', async () => {
    const kit = kitOf({ chainImages: { 31337: 'https://page.example/one.svg' } })
    const element = put('appkit-network-button')
    expect(text(element)).toBe('Anvil One')
    expect(buttonOf(element).dataset.testid).toBe('w3m-network-button')
    // A long name is cut at the end of its own text, whatever the page's direction.
    expect(buttonOf(element).querySelector<HTMLElement>('[data-testid=wui-network-button]')?.dir).toBe('auto')
    expect(buttonOf(element).querySelector('img')?.getAttribute('src')).toBe('https://page.example/one.svg')
    buttonOf(element).click()
    await kit.preload()
    expect(kit.engine.store.get().modal).toMatchObject({ open: true, view: 'Networks' })
    expect(kit.engine.store.get().network.active?.assets.imageUrl).toBe('https://page.example/one.svg')
  })

  it('shows the mark that we know where the host gives no picture, once the core is there', async () => {
    const kit = kitOf()
    const element = put('appkit-network-button')
    expect(buttonOf(element).querySelector('.picture')).toBeNull()
    await kit.preload()
    await expect.poll(() => buttonOf(element).querySelectorAll('svg.picture > path').length).toBe(2)
    expect(text(element)).toBe('Anvil One')
  })

  it('has no picture of a network that nobody knows', async () => {
    const kit = kitOf({ networks: [{ ...TWO, id: 424242 }] as never })
    const element = put('appkit-network-button')
    await kit.preload()
    await expect.poll(() => kit.engine.store.get().network.active?.caipNetworkId).toBe('eip155:424242')
    await import('../../generated/marks.ts')
    await expect.poll(() => buttonOf(element).querySelector('.picture')).toBeNull()
  })

  it('does without a picture that cannot be had', () => {
    kitOf({ chainImages: { 31337: 'https://page.example/none.svg' } })
    const button = buttonOf(put('appkit-network-button'))
    button.querySelector('img')?.dispatchEvent(new Event('error'))
    expect([button.querySelector('img'), button.textContent]).toEqual([null, 'Anvil One'])
  })

  it('asks to select one where there is none', () => {
    kitOf({ networks: [] as never })
    expect(text(put('appkit-network-button'))).toBe('Select Network')
  })
})

describe('every button', () => {
  it('follows the theme of the host', () => {
    const kit = kitOf({ themeMode: 'light', themeVariables: { '--w3m-accent': '#ff0000' } })
    const element = put('appkit-button')
    expect(buttonOf(element).dataset.theme).toBe('light')
    expect(buttonOf(element).style.getPropertyValue('--apkt-accent')).toBe('#ff0000')
    kit.setThemeMode('dark')
    expect(buttonOf(element).dataset.theme).toBe('dark')
  })

  it('is drawn anew only where it says something else', async () => {
    const kit = await connected()
    const element = put('appkit-button', { balance: 'hide' })
    const drawn = buttonOf(element).firstChild
    await kit.fetchBalance()
    await kit.open()
    expect(buttonOf(element).firstChild).toBe(drawn)
  })

  it('that left the page is not drawn any more', async () => {
    const kit = kitOf()
    const element = put('appkit-button')
    element.remove()
    kit.setThemeMode('light')
    expect(buttonOf(element).dataset.theme).toBe('dark')
  })

  it('takes its attributes as properties too, as React 19, Vue and Lit set them', () => {
    kitOf()
    const element = put('appkit-button') as HTMLElement & Record<string, unknown>
    for (const name of ['namespace', 'label', 'loadingLabel', 'balance', 'size', 'charsStart', 'charsEnd', 'disabled'])
      expect(name in element).toBe(true)
    Object.assign(element, { namespace: 'eip155', label: 'Join', charsStart: 3, disabled: true })
    expect(element.getAttribute('namespace')).toBe('eip155')
    expect(buttonOf(element).dataset.testid).toBe('connect-button-eip155')
    expect([text(element), buttonOf(element).disabled, element.disabled]).toEqual(['Join', true, true])
    expect([element.charsStart, element.balance]).toEqual(['3', undefined])
    Object.assign(element, { namespace: undefined, disabled: false })
    expect([element.hasAttribute('namespace'), element.disabled]).toEqual([false, false])
    expect(buttonOf(element).disabled).toBe(false)
  })

  it('follows the modal that it is given, and without one that which was made last', async () => {
    const first = await connected()
    const [own, any] = [put('appkit-button') as HTMLElement & { kit?: unknown }, put('appkit-button')]
    own.kit = first
    const second = kitOf({ enableReconnect: false })
    expect([text(own).slice(0, 2), text(any)]).toEqual(['0x', 'Connect Wallet'])
    buttonOf(own).click()
    expect([first.isOpen(), second.isOpen()]).toEqual([true, false])
    await first.close()
    await first.disconnect()
    expect(text(own)).toBe('Connect Wallet')
    own.kit = undefined
    buttonOf(own).click()
    expect(second.isOpen()).toBe(true)
  })
})
