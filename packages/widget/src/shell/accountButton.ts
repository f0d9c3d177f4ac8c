//! Appearance of the account button. It is fetched with the core, because before there is no account.

import type { Snapshot } from '../generated/core.ts'
import { namespaceOf, sizeOf } from '../host/elements/buttons.ts'
import type { ButtonPicture, Read } from '../host/elements/define.ts'
import { accountState } from '../host/select.ts'
import { make } from '../host/stage.ts'
import { drawAvatar } from './avatar.ts'

/** `wrong` is the label on an unsupported network. */
export function accountButton(
  snapshot: Snapshot,
  read: Read,
  wrong: string
): Omit<ButtonPicture, 'disabled' | 'press'> {
  const namespace = namespaceOf(read)
  const account = accountState(snapshot, namespace)
  const address = account?.address ?? ''
  const unsupported = snapshot.network.unsupported !== null && account?.namespace === snapshot.network.activeNamespace
  if (unsupported) {
    return { key: wrong, classes: 'md', testId: 'wui-account-button-unsupported-chain', draw: () => [wrapped(wrong)] }
  }
  const name = account?.profileName ?? shorten(address, count(read('charsStart'), 4), count(read('charsEnd'), 6))
  const shown = read('balance') !== 'hide'
  const amount = account?.balance == null ? null : `${grouped(account.balance)} ${account.balanceSymbol ?? ''}`
  const loading = account?.balanceState === 'loading'
  return {
    key: [address, account?.profileImage, name, shown && [amount, loading]],
    classes: `with ${sizeOf(read)}`,
    testId: namespace ? `account-button-${namespace}` : 'account-button',
    draw() {
      const balance = !shown
        ? ''
        : amount !== null
          ? make('span', { class: 'balance', dir: 'ltr' }, amount)
          : loading
            ? make('span', { class: 'bone', 'aria-hidden': 'true' })
            : ''
      const parts = [face(account?.profileImage, address), make('span', { dir: 'auto' }, name), balance] as const
      // It takes out what has no room. A file that does not come leaves the button wider.
      import('./fit.ts').then((module) => module.fit(...parts)).catch(() => {})
      return parts
    }
  }
}

/** Label that goes on in another line where the page has no room for it. */
function wrapped(label: string): Element {
  const element = make('span', { dir: 'auto' }, label)
  Object.assign(element.style, { whiteSpace: 'normal', textAlign: 'center' })
  return element
}

/** The account's own picture, or its avatar where there is none or it fails to load, as in the modal. */
function face(image: string | null | undefined, address: string): Element {
  if (!image) return drawAvatar(address)
  const picture = make('img', { class: 'picture', src: image, alt: '' })
  picture.onerror = () => picture.replaceWith(drawAvatar(address))
  return picture
}

function count(said: string | undefined, usual: number): number {
  const wanted = Number(said ?? usual)
  return Number.isInteger(wanted) && wanted >= 0 ? wanted : usual
}

/** Groups digits in English, the language of the buttons. Without `Intl`, because this runs on every keystroke. */
function grouped(amount: string): string {
  return amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))
}

function shorten(address: string, start: number, end: number): string {
  return address.length <= start + end ? address : `${address.slice(0, start)}…${address.slice(address.length - end)}`
}
