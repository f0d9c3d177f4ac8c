//! The first frame of a modal that is not loaded yet: it is drawn at once and asks the network for nothing.

import type { Refusal } from '../shell/load.ts'
import { adopt } from '../theme/adopt.ts'
import { curtainCss, curtainOwnCss } from '../theme/curtain.css.ts'
import type { DraftWallet } from './draft.ts'
import { make, type Stage } from './stage.ts'

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
  /** The visitor is about to choose it. */
  meant(wallet: DraftWallet): void
  /** The visitor chose a wallet: the core hears of it as soon as it is there. */
  chosen(wallet: DraftWallet): void
}

/** With the wallets that are known already, else with the bones of a list. */
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
  return {
    lift,
    shut,
    refuse({ title, text, again }) {
      const says = make('p', { class: 'says', role: 'alert' }, make('b', {}, title), text)
      view.replaceChildren(says)
      if (!again) return
      const button = make('button', { class: 'row again' }, 'Try again')
      button.onclick = () => {
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
  // The row that leads to all other wallets is the core's.
  return make('ul', { class: 'rows' }, ...rows, bone())
}
