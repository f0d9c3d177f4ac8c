//! First frame of a modal that has not loaded yet. It is drawn at once, without a request.

import type { Refusal } from '../shell/load.ts'
import { adopt } from '../theme/adopt.ts'
import { curtainCss, curtainOwnCss } from '../theme/curtain.css.ts'
import type { DraftWallet } from './draft.ts'
import { make, type Stage } from './stage.ts'

export interface Curtain {
  /** Shows why the modal cannot load. */
  refuse(refusal: Refusal): void
  /** Leaves the dialog to the modal, open or closed as it is. */
  lift(): void
  /** Closes the curtain. */
  shut(): void
}

interface Wishes {
  /** The visitor closed the curtain. */
  closed(): void
  /** The visitor pressed "Try again". */
  again(): void
  /** The pointer or focus is on a wallet: a choice is likely. */
  meant(wallet: DraftWallet): void
  /** The visitor chose a wallet; the core gets the choice as soon as it has loaded. */
  chosen(wallet: DraftWallet): void
}

/** Draws the curtain with the wallets that are known already, or with a skeleton list. */
export function drawCurtain(
  { host, shadow, dialog, join }: Stage,
  name: string,
  still: string,
  wallets: readonly DraftWallet[],
  wishes: Wishes
): Curtain {
  join()
  const sheets = [adopt(shadow, curtainCss + curtainOwnCss), adopt(document, still)]
  const close = make('button', { class: 'close', 'aria-label': 'Close', 'data-testid': 'w3m-header-close' }, '✕')
  const title = make('h1', { class: 'title', 'data-testid': 'w3m-header-text' }, name)
  const view = make('div', { class: 'view' }, wallets.length > 0 ? list(wallets, wishes) : skeleton())
  const header = make('div', { class: 'header' }, title, close)
  const card = make('div', { class: 'card', 'data-testid': 'w3m-modal-card' }, header, view)
  const lift = () => {
    dialog.oncancel = dialog.onclick = null
    dialog.removeAttribute('aria-label')
    card.remove()
    for (const drop of sheets) drop()
  }
  const shut = () => {
    lift()
    dialog.close()
    host.classList.remove('open')
    wishes.closed()
  }
  close.onclick = shut
  dialog.oncancel = (event) => {
    event.preventDefault()
    shut()
  }
  dialog.onclick = (event) => event.target === dialog && shut()
  dialog.setAttribute('aria-label', name)
  dialog.append(card)
  host.classList.add('open')
  if (!dialog.open && dialog.isConnected) dialog.showModal()
  let stuck = false
  return {
    lift,
    shut,
    refuse({ title, text, again }) {
      const says = make('p', { class: 'says', role: 'alert' }, make('b', {}, title), again && stuck ? '' : text)
      view.replaceChildren(says)
      if (!again) return
      // Some browsers answer every further import of a URL with the first failure: then only a page reload helps.
      const button = make('button', { class: 'row again' }, stuck ? 'Reload the page' : again)
      button.onclick = () => {
        if (stuck) location.reload()
        stuck = navigator.onLine
        view.replaceChildren(skeleton())
        wishes.again()
      }
      view.append(button)
    }
  }
}

const bone = () =>
  make('li', { class: 'row' }, make('span', { class: 'tile bone' }), make('span', { class: 'word bone' }))

function skeleton(): HTMLElement {
  const attributes = { class: 'rows', 'aria-busy': 'true', 'aria-label': 'Loading' }
  return make('ul', attributes, bone(), bone(), bone(), bone())
}

function list(wallets: readonly DraftWallet[], { meant, chosen }: Wishes): HTMLElement {
  const rows = wallets.map((wallet) => {
    const { id, name, icon, kind = '' } = wallet
    const picture = make('img', { class: `tile ${kind}`, alt: '', src: icon })
    const attributes = { class: 'row', 'data-testid': `wallet-selector-${id.toLowerCase()}` }
    const button = make('button', attributes, picture, name)
    const row = make('li', {}, button)
    button.onpointerenter = button.onfocus = () => meant(wallet)
    button.onclick = () => {
      for (const { firstChild } of rows) (firstChild as HTMLButtonElement).disabled = true
      row.setAttribute('aria-busy', 'true')
      meant(wallet)
      chosen(wallet)
    }
    return row
  })
  // A skeleton row holds the place of the row "All Wallets", which the core draws.
  return make('ul', { class: 'rows' }, ...rows, bone())
}
