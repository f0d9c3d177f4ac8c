//! The first frame of a modal that is not loaded yet: it is drawn at once and asks the network for nothing.

import type { Refusal } from '../shell/load.ts'
import { curtainCss } from '../theme/curtain.css.ts'
import type { DraftWallet } from './draft.ts'
import { adoptSheet, dropSheets, make, type Stage } from './stage.ts'

export interface Curtain {
  /** Says why there will be no modal. */
  refuse(refusal: Refusal): void
  /** Leaves the dialog to the modal, as open as it is. */
  lift(): void
  /** Closes it. */
  shut(): void
}

interface Wishes {
  /** The visitor closed it. */
  closed(): void
  /** The visitor tries again. */
  again(): void
  /** The visitor chose a wallet: the core hears of it as soon as it is there. */
  chosen(id: string): void
}

const ROWS = 4

const ownCss = `
.close,.again{all:unset;box-sizing:border-box;cursor:pointer;display:grid;place-items:center;min-width:40px;min-height:40px;border-radius:12px}
.close{position:absolute;inset-block-start:12px;inset-inline-end:12px}
.header{position:relative}
button.row{border:0;color:inherit;font:inherit;font-size:calc(var(--u)*1.5);font-weight:500;text-align:start;cursor:pointer}
button.row:enabled:hover,li[aria-busy]>.row{background:var(--bone)}
button.row:disabled{cursor:default}
.remote{background:var(--apkt-accent,#0872ca)}
.again{padding:0 16px;margin:16px auto 0;background:var(--row)}
.close:hover,.again:hover{background:var(--bone)}
.close:focus-visible,.again:focus-visible{outline:2px solid currentColor;outline-offset:2px}
.says{margin:0;padding:16px 8px;text-align:center;font-size:14px;line-height:1.5}
.says b{display:block;margin-bottom:4px}
`

/** With the wallets that are known already, else with the bones of a list. */
export function drawCurtain(
  { host, shadow, dialog, join }: Stage,
  name: string,
  wallets: readonly DraftWallet[],
  wishes: Wishes
): Curtain {
  join()
  const sheets = [curtainCss, ownCss].map((css) => adoptSheet(shadow, css))
  const still = adoptSheet(document, stillCss())
  const close = make(
    'button',
    { type: 'button', class: 'close', 'aria-label': 'Close', 'data-testid': 'w3m-header-close' },
    '✕'
  )
  const title = make('h1', { class: 'title', 'data-testid': 'w3m-header-text' }, name)
  const view = make('div', { class: 'view' }, wallets.length > 0 ? list(wallets, wishes.chosen) : skeleton())
  const header = make('div', { class: 'header' }, title, close)
  const card = make('div', { class: 'card', 'data-testid': 'w3m-modal-card' }, header, view)
  const drawn = new AbortController()
  const { signal } = drawn
  const lift = () => {
    drawn.abort()
    dialog.removeAttribute('aria-label')
    card.remove()
    dropSheets(shadow, sheets)
    dropSheets(document, [still])
  }
  const shut = () => {
    lift()
    dialog.close()
    host.classList.remove('open')
    wishes.closed()
  }
  close.addEventListener('click', shut, { signal })
  dialog.addEventListener('cancel', (event) => event.preventDefault(), { signal })
  dialog.addEventListener('cancel', shut, { signal })
  dialog.addEventListener('click', (event) => event.target === dialog && shut(), { signal })
  dialog.setAttribute('aria-label', name)
  dialog.append(card)
  host.classList.add('open')
  if (!dialog.open && dialog.isConnected) dialog.showModal()
  return {
    lift,
    shut,
    refuse({ title, text, again }) {
      const says = make('p', { class: 'says', role: 'alert' }, make('b', {}, title), text)
      view.replaceChildren(says)
      if (!again) return
      const button = make('button', { type: 'button', class: 'again' }, 'Try again')
      button.addEventListener('click', () => {
        view.replaceChildren(skeleton())
        wishes.again()
      })
      view.append(button)
    }
  }
}

/** The page behind does not scroll, for as long as the modal is in it. Where a scroll bar takes room, the room stays taken, so that nothing moves. */
function stillCss(): string {
  const bar = window.innerWidth > document.documentElement.clientWidth
  return `html:has(.open:is(w3m-modal,appkit-modal)){overflow:hidden!important${bar ? ';scrollbar-gutter:stable!important' : ''}}`
}

const bone = () =>
  make('li', { class: 'row' }, make('span', { class: 'tile bone' }), make('span', { class: 'word bone' }))

function skeleton(): HTMLElement {
  return make(
    'ul',
    { class: 'rows', 'aria-busy': 'true', 'aria-label': 'Loading' },
    ...Array.from({ length: ROWS }, bone)
  )
}

function list(wallets: readonly DraftWallet[], chosen: (id: string) => void): HTMLElement {
  const rows = wallets.map(({ id, name, icon, kind = '' }) => {
    const picture = make('img', { class: `tile ${kind}`, alt: '', src: icon })
    const button = make(
      'button',
      { type: 'button', class: 'row', 'data-testid': `wallet-selector-${id.toLowerCase()}` },
      picture,
      name
    )
    button.addEventListener('click', () => {
      for (const { firstChild } of rows) (firstChild as HTMLButtonElement).disabled = true
      button.parentElement?.setAttribute('aria-busy', 'true')
      chosen(id)
    })
    return make('li', {}, button)
  })
  // The row that leads to all other wallets is the core's.
  return make('ul', { class: 'rows' }, ...rows, bone())
}
