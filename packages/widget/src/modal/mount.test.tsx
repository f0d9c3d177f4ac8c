import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ModalView, Snapshot } from '../generated/core.ts'
import { NotedShell, pictureOf } from '../testing/draw.tsx'
import { mountModal } from './mount.tsx'
import { loadView } from './views.ts'

let leave = () => {}
let host: HTMLElement
let dialog: HTMLDialogElement
let opener: HTMLButtonElement

beforeEach(() => {
  opener = document.createElement('button')
  host = document.createElement('w3m-modal')
  const shadow = host.attachShadow({ mode: 'open' })
  dialog = document.createElement('dialog')
  shadow.append(dialog)
  document.body.replaceChildren(opener, host)
  opener.focus()
})

afterEach(() => {
  act(() => leave())
  document.documentElement.lang = ''
})

function mount(picture: Snapshot): NotedShell {
  const shell = new NotedShell(picture)
  act(() => {
    leave = mountModal({ host, shadow: host.shadowRoot as ShadowRoot, dialog }, shell)
  })
  return shell
}

const open = (name: string, changes: Partial<ModalView> = {}): Snapshot => {
  const picture = pictureOf(name)
  return { ...picture, modal: { ...picture.modal, ...changes } }
}
const closed = (name: string) => open(name, { open: false })
const find = (testid: string) => host.shadowRoot?.querySelector<HTMLElement>(`[data-testid="${testid}"]`)
const title = () => find('w3m-header-text')?.textContent
const ask = (type: string) => ({ feature: 'modal', event: { type } })

describe('opening', () => {
  it('opens the dialog when the core says so, and not before', () => {
    const shell = mount(closed('Connect.wallets'))
    expect(dialog.open).toBe(false)
    shell.tell({ modal: open('Connect.wallets').modal })
    expect([dialog.open, host.classList.contains('open'), title()]).toEqual([true, true, 'Connect Wallet'])
  })

  it('the dialog and the card in it are called by the heading', () => {
    mount(open('Connect.wallets'))
    expect(dialog.getAttribute('aria-labelledby')).toBe('title')
    const card = find('w3m-modal-card')
    expect([card?.getAttribute('role'), card?.getAttribute('aria-modal')]).toEqual(['dialog', 'true'])
    expect(card?.querySelector(`#${card.getAttribute('aria-labelledby')}`)?.textContent).toBe('Connect Wallet')
  })

  it('takes the place of a curtain that stands open, and leaves it open while the core is not', () => {
    dialog.innerHTML = '<div class="card">Curtain</div>'
    dialog.showModal()
    mount(closed('Connect.discovering'))
    expect([dialog.open, dialog.textContent?.includes('Curtain'), title()]).toEqual([true, false, 'Connect Wallet'])
  })

  it('a form takes letters only once its part of the core is there, which would lose them', async () => {
    await act(() => loadView('WalletSend'))
    const shell = mount(open('WalletSend.empty', { partMissing: true }))
    expect([title(), find('send-amount')]).toEqual(['Send', null])
    shell.tell({ modal: open('WalletSend.empty').modal })
    expect(find('send-amount')).toBeTruthy()
  })

  it('the focus goes to the heading, and to the heading of each next view', () => {
    const shell = mount(open('Connect.wallets'))
    expect(host.shadowRoot?.activeElement).toBe(find('w3m-header-text'))
    find('wallet-selector-example.beta')?.focus()
    const { modal, connect } = pictureOf('ConnectingExternal.waiting')
    shell.tell({ modal, connect })
    expect(host.shadowRoot?.activeElement?.textContent).toBe('Alpha Wallet')
  })

  it('coming back, the focus is where it was', () => {
    const first = pictureOf('Connect.wallets')
    const shell = mount(first)
    find('wallet-selector-example.beta')?.focus()
    const { modal, connect } = pictureOf('ConnectingExternal.waiting')
    shell.tell({ modal, connect })
    shell.tell({ modal: first.modal, connect: first.connect })
    expect(host.shadowRoot?.activeElement).toBe(find('wallet-selector-example.beta'))
  })
})

describe('scrolling', () => {
  it('a view starts at its top, and back leads to the place that was left', () => {
    const first = pictureOf('Connect.wallets')
    const shell = mount(first)
    const body = host.shadowRoot?.querySelector('.body') as HTMLElement
    body.scrollTop = 120
    fireEvent.scroll(body)
    const { modal, connect } = pictureOf('ConnectingExternal.waiting')
    shell.tell({ modal, connect })
    expect(body.scrollTop).toBe(0)
    body.scrollTop = 40
    fireEvent.scroll(body)
    shell.tell({ modal: first.modal, connect: first.connect })
    expect(body.scrollTop).toBe(120)
    // Again forward, the deeper view starts anew.
    shell.tell({ modal, connect })
    expect(body.scrollTop).toBe(0)
  })
})

describe('closing', () => {
  it('asks the core by the button, by Escape and by a press beside the card', () => {
    const { said } = mount(open('Connect.wallets'))
    fireEvent.click(find('w3m-header-close') as HTMLElement)
    const cancel = new Event('cancel', { cancelable: true })
    dialog.dispatchEvent(cancel)
    expect(cancel.defaultPrevented).toBe(true)
    fireEvent.pointerDown(dialog)
    fireEvent.click(dialog)
    expect(said).toEqual([ask('closeAsked'), ask('closeAsked'), ask('closeAsked')])
    expect(dialog.open).toBe(true)
  })

  it('a press that began on the card asks for nothing', () => {
    const { said } = mount(open('Connect.wallets'))
    fireEvent.pointerDown(find('w3m-modal-card') as HTMLElement)
    fireEvent.click(dialog)
    expect(said).toEqual([])
  })

  it('what leaves still shows what it showed, and opens fresh', () => {
    const shell = mount(open('ConnectingExternal.waiting'))
    const { modal, connect } = closed('Connect.wallets')
    shell.tell({ modal, connect })
    expect([dialog.open, host.classList.contains('open'), title()]).toEqual([false, false, 'Alpha Wallet'])
    shell.tell({ modal: { ...modal, open: true } })
    expect([dialog.open, title()]).toEqual([true, 'Connect Wallet'])
  })

  it('leaves the page still while another modal is open', () => {
    const shell = mount(open('Connect.wallets'))
    const one = leave
    const other = document.createElement('w3m-modal')
    const shadow = other.attachShadow({ mode: 'open' })
    const place = { host: other, shadow, dialog: shadow.appendChild(document.createElement('dialog')) }
    document.body.append(other)
    act(() => {
      leave = mountModal(place, new NotedShell(open('Connect.wallets')))
    })
    shell.tell({ modal: closed('Connect.wallets').modal })
    expect(document.adoptedStyleSheets.length).toBe(1)
    act(() => {
      one()
      leave()
    })
    expect(document.adoptedStyleSheets.length).toBe(0)
  })

  it('opens again before the browser tells that it closed, and stays open', () => {
    const shell = mount(open('Connect.wallets'))
    shell.tell({ modal: closed('Connect.wallets').modal })
    shell.tell({ modal: open('Connect.wallets').modal })
    dialog.dispatchEvent(new Event('close'))
    expect([dialog.open, shell.said]).toEqual([true, []])
  })

  it('the focus returns to where it was', () => {
    const shell = mount(closed('Connect.wallets'))
    shell.tell({ modal: open('Connect.wallets').modal })
    shell.tell({ modal: closed('Connect.wallets').modal })
    expect(document.activeElement).toBe(opener)
  })

  it('the page scrolls again, with nothing of ours left in it', () => {
    const attributes = document.documentElement.getAttributeNames()
    const shell = mount(open('Connect.wallets'))
    expect(document.adoptedStyleSheets.length).toBe(1)
    shell.tell({ modal: closed('Connect.wallets').modal })
    expect(document.adoptedStyleSheets.length).toBe(0)
    expect(document.documentElement.getAttributeNames()).toEqual(attributes)
    expect(document.head.querySelector('style')).toBeNull()
  })

  it('spec_2_28_shakes_while_the_core_says_so', () => {
    const shell = mount(open('Connect.wallets'))
    shell.tell({ modal: open('Connect.wallets', { shaking: true }).modal })
    expect(find('w3m-modal-card')?.classList.contains('shaking')).toBe(true)
  })
})

describe('the header', () => {
  it('goes back only where there is something behind', () => {
    const { said } = mount(open('ConnectingExternal.waiting'))
    fireEvent.click(find('header-back') as HTMLElement)
    expect(said).toEqual([ask('backAsked')])
    act(() => leave())
    mount(open('Connect.wallets'))
    expect(find('header-back')).toBeNull()
  })

  it('shows the network instead of a title on the account, and its heading to readers only', async () => {
    mount(open('Account.ready'))
    expect(find('w3m-account-select-network')?.querySelector('bdi')?.textContent).toBe('Anvil One')
    expect([title(), find('w3m-header-text')?.className]).toEqual(['Account', 'title unseen'])
  })

  it('a swap has the title of its form until the network says how it ended', async () => {
    const titles = ['pending', 'confirmed', 'failed'].map((state) => {
      mount(open(`SwapConfirmed.${state}`))
      const said = title()
      act(() => leave())
      return said
    })
    expect(titles).toEqual(['Swap', 'Confirmed', 'Failed'])
  })

  it('a payment on Bitcoin has the title of its form until it is in a block', () => {
    const titles = (['pending', 'confirmed'] as const).map((state) => {
      const picture = open(`SolanaSendConfirmed.${state}`, { view: 'BitcoinSendConfirmed' })
      const bitcoin = { sent: picture.solana?.sent } as Snapshot['bitcoin']
      mount({ ...picture, solana: null, bitcoin })
      const said = title()
      act(() => leave())
      return said
    })
    expect(titles).toEqual(['Send', 'Confirmed'])
  })

  it('details have the name of the token or NFT, and no name that may deceive', () => {
    const titles = ['TokenDetails.token', 'TokenDetails.suspicious', 'NftDetails.nft', 'TokenDetails.gone'].map(
      (state) => {
        mount(open(state))
        const said = title()
        act(() => leave())
        return said
      }
    )
    expect(titles).toEqual(['USD Coin', 'Token', 'Ticket', 'Token'])
  })

  it('a name that was registered has a heading for readers only', async () => {
    mount(open('RegisterAccountNameSuccess.done'))
    expect([title(), find('w3m-header-text')?.className]).toEqual(['Registered', 'title unseen'])
  })

  it('the settings of a wallet have a title, because the frame in them draws its heading below', () => {
    mount(open('UpgradeEmailWallet.frame'))
    expect([title(), find('w3m-header-text')?.className]).toEqual(['Your Wallet', 'title'])
  })

  it('each view that this version does not have says so under its own title and leads on', async () => {
    const { said } = mount(open('ConnectingWalletConnectBasic.unavailable'))
    await act(() => loadView('ConnectingWalletConnectBasic'))
    expect(title()).toBe('WalletConnect')
    expect(find('empty-state-text')?.textContent).toBe('Not available here')
    expect(find('empty-state-description')?.textContent).toBe('Try another option.')
    const [button] = find('w3m-modal-card')?.querySelectorAll<HTMLElement>('.empty button') ?? []
    fireEvent.click(button as HTMLElement)
    expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'Connect' } }])
  })
})

describe('notices', () => {
  it('spec_2_29_a_snack_is_read_out_as_a_status_or_when_something_went_wrong_as_an_alert', () => {
    const role = () => find('wui-snackbar-message')?.closest('[role]')?.getAttribute('role')
    mount(open('Snack.success'))
    expect([find('wui-snackbar-message')?.textContent, role()]).toEqual(['Transaction started', 'status'])
    act(() => leave())
    mount(open('Snack.error'))
    expect(role()).toBe('alert')
    expect(find('wui-snackbar-message')?.closest('.header + .snacks')).toBeTruthy()
  })

  it('spec_2_32_an_alert_shows_its_short_and_its_long_message_until_it_is_read', () => {
    const { said } = mount(open('Alert.projectId'))
    expect(find('wui-alertbar-text')?.textContent).toMatch(
      /^Project ID Not ConfiguredWallets in this browser still work,/
    )
    fireEvent.click(find('wui-alertbar-close') as HTMLElement)
    expect(said).toEqual([{ feature: 'notice', event: { type: 'alertDismissed' } }])
  })

  it('without debug an alert is not drawn', () => {
    const picture = pictureOf('Alert.projectId')
    mount({ ...picture, config: { ...picture.config, debug: false } })
    expect(find('wui-alertbar-text')).toBeNull()
  })
})

describe('without a modal', () => {
  const overPage = () => host.shadowRoot?.querySelector<HTMLElement>('.over-page')
  const over = (testid: string) => overPage()?.querySelector<HTMLElement>(`[data-testid="${testid}"]`)
  const raised: string[] = []

  beforeEach(() => {
    raised.length = 0
    // The test's browser has no top layer.
    Object.assign(HTMLElement.prototype, {
      showPopover: () => raised.push('up'),
      hidePopover: () => raised.push('down')
    })
  })

  afterEach(() => {
    Object.assign(HTMLElement.prototype, { showPopover: undefined, hidePopover: undefined })
  })

  it('the regions stand there, empty, before anything is said, and nothing is lifted', () => {
    mount(closed('Connect.wallets'))
    const regions = [...(overPage()?.querySelectorAll('[role]') ?? [])].map((region) => region.getAttribute('role'))
    expect(regions).toEqual(['status', 'alert', 'alert'])
    expect([overPage()?.textContent, raised]).toEqual(['', []])
  })

  it('a snack is drawn over the page, lifted above it, and can be closed; no focus moves', () => {
    const shell = mount(closed('Connect.wallets'))
    shell.tell({ notice: pictureOf('Snack.overPage').notice })
    expect([over('wui-snackbar-message')?.textContent, raised]).toEqual(['Transaction confirmed', ['up']])
    expect([dialog.open, document.activeElement]).toEqual([false, opener])
    fireEvent.click(overPage()?.querySelector('[aria-label="Dismiss"]') as HTMLElement)
    expect(shell.said).toEqual([{ feature: 'notice', event: { type: 'snackDismissed' } }])
    shell.tell({ notice: { snack: null, alert: null, overPage: false } })
    expect([overPage()?.textContent, raised]).toEqual(['', ['up', 'down']])
  })

  it('each message is drawn once: in the modal while it is there, over the page when it has closed', () => {
    const shell = mount(open('Snack.success'))
    const places = () =>
      [...(host.shadowRoot?.querySelectorAll('[data-testid="wui-snackbar-message"]') ?? [])].map(
        (message) => message.closest('.over-page, dialog')?.className
      )
    expect(places()).toEqual([''])
    shell.tell({ modal: closed('Snack.success').modal })
    expect(places()).toEqual(['over-page'])
  })

  it('an alert that does not wait is drawn over the page until it is read', () => {
    const { said } = mount(open('Alert.overPage'))
    expect(over('wui-alertbar-text')?.textContent).toMatch(/^Network Not Found.*eip155:1$/)
    // Its remedy is folded, so that it covers little of the page.
    expect(overPage()?.querySelector('details')?.open).toBe(false)
    fireEvent.click(over('wui-alertbar-close') as HTMLElement)
    expect(said).toEqual([{ feature: 'notice', event: { type: 'alertDismissed' } }])
  })

  it('a mistake in the options waits for the modal, and without debug no alert is drawn', () => {
    mount(closed('Alert.projectId'))
    expect([over('wui-alertbar-text'), raised]).toEqual([null, []])
    act(() => leave())
    const picture = pictureOf('Alert.overPage')
    mount({ ...picture, config: { ...picture.config, debug: false } })
    expect([over('wui-alertbar-text'), raised]).toEqual([null, []])
  })

  it('embedded, messages stand in the modal as they do in an open one', () => {
    const picture = pictureOf('Snack.success')
    mount({ ...picture, config: { ...picture.config, embedded: true } })
    expect([find('wui-snackbar-message')?.textContent, overPage()?.textContent]).toEqual(['Transaction started', ''])
  })
})

describe('where it stands', () => {
  it('embedded, it goes to the element that the page mounts late', async () => {
    const picture = closed('Connect.wallets')
    const join = vi.fn()
    const shell = new NotedShell({ ...picture, config: { ...picture.config, embedded: true } })
    act(() => {
      leave = mountModal({ host, shadow: host.shadowRoot as ShadowRoot, dialog, join }, shell)
    })
    join.mockClear()
    document.body.append(document.createElement('w3m-modal'))
    await vi.waitFor(() => expect(join).toHaveBeenCalledTimes(1))
  })

  it('embedded, it is part of the page: no dialog, no lock, no close button, no focus taken', () => {
    const picture = pictureOf('Connect.wallets')
    mount({ ...picture, config: { ...picture.config, embedded: true } })
    expect([dialog.open, find('w3m-modal-card')?.getAttribute('role')]).toEqual([false, null])
    expect([document.adoptedStyleSheets.length, find('w3m-header-close')]).toEqual([0, null])
    expect(document.activeElement).toBe(opener)
  })

  it('follows the theme of the core', () => {
    const picture = pictureOf('Connect.wallets')
    const shell = mount(picture)
    expect(host.dataset.theme).toBe('dark')
    shell.tell({ config: { ...picture.config, themeMode: 'light', themeVariables: { '--w3m-accent': '#c0f' } } })
    expect([host.dataset.theme, host.style.getPropertyValue('--apkt-accent')]).toEqual(['light', '#c0f'])
  })

  it('speaks the language of the page where it knows it, and runs as that language runs', async () => {
    document.documentElement.lang = 'ar-EG'
    mount(open('Connect.wallets'))
    await act(async () => {
      await import('../text/ar.ts')
    })
    expect(title()).toBe('ربط المحفظة')
    expect(find('w3m-modal-card')?.closest('[dir]')?.getAttribute('dir')).toBe('rtl')
  })

  it('keeps its English texts apart in a page that runs from right to left', () => {
    vi.spyOn(window, 'getComputedStyle').mockReturnValueOnce({ direction: 'rtl' } as CSSStyleDeclaration)
    mount(open('Connect.wallets'))
    expect(title()).toBe('\u2068Connect Wallet\u2069')
  })

  it('leaves nothing behind', () => {
    mount(open('Connect.wallets'))
    act(() => leave())
    leave = () => {}
    expect([dialog.open, dialog.childElementCount, document.adoptedStyleSheets.length]).toEqual([false, 0, 0])
    expect(host.shadowRoot?.childElementCount).toBe(1)
  })
})
