//! The wallet's popup: a modal `<dialog>` in a shadow root, styled by a constructed sheet so that a strict CSP allows it. It opens after
//! the page's own modals and is therefore above them in the top layer.

import type { Address } from 'viem'
import { ProviderRpcError, RPC_ERROR } from '../../provider.ts'
import { shortened } from '../../shortened.ts'
import type { Approval, Asker, Decision } from './approval.ts'
import { DIALOG_STYLE } from './style.ts'
import { inFull, inWords } from './words.ts'

export interface DialogLook {
  readonly name: string
  readonly icon: string
  readonly color: string
}

/** Events that must not leave the popup, as if it were a separate window. */
const PRIVATE_EVENTS = [
  'keydown',
  'keyup',
  'keypress',
  'beforeinput',
  'input',
  'change',
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'touchstart',
  'touchend',
  'click',
  'focusin',
  'focusout',
  'wheel'
] as const

export function approvalDialog(look: DialogLook): Asker {
  return (approval, signal) => {
    if (typeof document === 'undefined') {
      throw new ProviderRpcError(RPC_ERROR.internal, 'The demo wallet has no page to show its dialog in.')
    }
    return new Promise<Decision>((resolve) => show(look, approval, signal, resolve))
  }
}

function show(look: DialogLook, approval: Approval, signal: AbortSignal, decide: (decision: Decision) => void): void {
  const host = document.createElement('demo-wallet-popup')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(DIALOG_STYLE)
  root.adoptedStyleSheets = [sheet]
  const { dialog, approve, refuse, chosen } = draw(look, approval)
  root.append(dialog)
  for (const name of PRIVATE_EVENTS) host.addEventListener(name, (event) => event.stopPropagation())

  const focused = deepFocus()
  let ended = false
  const end = (decision: Decision) => {
    if (ended) return
    ended = true
    signal.removeEventListener('abort', abort)
    dialog.close()
    host.remove()
    // The browser restores the focus by itself, but not into every nested shadow root.
    if (focused?.isConnected && deepFocus() !== focused) focused.focus({ preventScroll: true })
    decide(decision)
  }
  const abort = () => end({ approved: false })
  signal.addEventListener('abort', abort)
  approve.addEventListener('click', () => end({ approved: true, account: chosen() }))
  refuse.addEventListener('click', () => end({ approved: false }))
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    end({ approved: false })
  })
  // A browser may close a dialog without a cancel event; that counts as a refusal as well.
  dialog.addEventListener('close', () => end({ approved: false }))

  document.body.append(host)
  dialog.showModal()
  // Focus on the dialog and not on a button: an Enter meant for the page must approve nothing.
  dialog.focus()
}

interface Drawn {
  readonly dialog: HTMLDialogElement
  readonly approve: HTMLButtonElement
  readonly refuse: HTMLButtonElement
  chosen(): Address | undefined
}

function draw(look: DialogLook, approval: Approval): Drawn {
  const { title, lead, rows, body, warning } = inWords(approval)
  const heading = element('h2', { id: 'title' }, title)
  const content = element(
    'main',
    {},
    element('div', { class: 'origin' }, approval.origin),
    heading,
    element('p', {}, lead)
  )
  const radios = approval.kind === 'connect' ? approval.accounts.map((account, index) => radio(account, index)) : []
  if (approval.kind === 'connect') {
    for (const { input } of radios) input.checked = input.value === approval.selected
    content.append(element('fieldset', {}, element('legend', {}, 'Account'), ...radios.map(({ label }) => label)))
  }
  if (rows.length > 0) content.append(element('dl', {}, ...rows.map(row)))
  if (body !== undefined) content.append(element('pre', { tabindex: '0' }, ...halved(body)))
  if (warning !== undefined) content.append(element('div', { class: 'warning', role: 'alert' }, warning))

  const refuse = button('Decline', 'demo-wallet-reject', 'refuse')
  const approve = button('Approve', 'demo-wallet-approve', 'approve')
  const dialog = element(
    'dialog',
    {
      'aria-labelledby': 'title',
      'data-testid': 'demo-wallet-dialog',
      'data-kind': approval.kind,
      // The popup stands for a window of its own, so the page's language and direction do not apply to its English words.
      lang: 'en',
      dir: 'ltr',
      tabindex: '-1'
    },
    header(look),
    content,
    element('footer', {}, refuse, approve)
  )
  dialog.style.setProperty('--brand', look.color)
  return {
    dialog,
    approve,
    refuse,
    chosen: () => radios.find(({ input }) => input.checked)?.input.value as Address | undefined
  }
}

function header({ name, icon }: DialogLook): HTMLElement {
  const label = element('div', {}, element('strong', {}, name), element('small', {}, 'Demo wallet – test keys only'))
  return element('header', {}, element('img', { src: icon, alt: '' }), label)
}

function radio(account: string, index: number): { label: HTMLElement; input: HTMLInputElement } {
  const input = element('input', {
    type: 'radio',
    name: 'account',
    value: account,
    'data-testid': `demo-wallet-account-${index}`
  })
  const words = element('span', {}, `Test account ${index + 1}`, element('code', {}, shortened(inFull(account))))
  return { label: element('label', { title: account }, input, words), input }
}

function row([label, value]: readonly [string, string]): HTMLElement {
  return element('div', {}, element('dt', {}, label), element('dd', /^0x/.test(value) ? { class: 'hex' } : {}, value))
}

/** Text whose long words, such as addresses, break in their middle. */
function halved(text: string): (Node | string)[] {
  return text.split(/(\b0x[0-9a-fA-F]{40,64}\b)/).flatMap((piece, at) => {
    const middle = piece.length / 2
    return at % 2 === 0 ? [piece] : [piece.slice(0, middle), document.createElement('wbr'), piece.slice(middle)]
  })
}

function button(label: string, testId: string, className: string): HTMLButtonElement {
  return element('button', { type: 'button', 'data-testid': testId, class: className }, label)
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

function deepFocus(): HTMLElement | null {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active instanceof HTMLElement ? active : null
}
