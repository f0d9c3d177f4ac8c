import { lockScroll, unlockScroll } from './scroll.ts'

/** Where the modal stands: on `<w3m-modal>`, in its shadow root, in a native dialog or, embedded, beside it. */
export interface Place {
  readonly host: HTMLElement
  readonly shadow: ShadowRoot
  readonly dialog: HTMLDialogElement
  /** Comes back where the page threw its whole body away. */
  join?(): void
}

/** Shows and hides the container that React draws into. */
export class Stand {
  readonly container: HTMLElement
  readonly #place: Place
  #before: Element | null = null

  constructor(place: Place) {
    this.#place = place
    this.container = document.createElement('div')
    this.container.className = 'mount'
    place.dialog.dataset.testid = 'w3m-modal-overlay'
    // The curtain may have opened the dialog before we came.
    if (place.dialog.open) lockScroll()
  }

  /** Puts the container where it belongs, in place of the curtain. */
  stand(embedded: boolean): void {
    const { dialog, shadow } = this.#place
    const parent = embedded ? shadow : dialog
    this.container.classList.toggle('embedded', embedded)
    if (this.container.parentNode === parent) return
    // What takes the place of an open curtain must not come in once more.
    this.container.classList.toggle('steady', dialog.open)
    dialog.replaceChildren()
    parent.append(this.container)
  }

  show(embedded: boolean): void {
    const { host, dialog } = this.#place
    this.stand(embedded)
    host.classList.add('open')
    this.#place.join?.()
    if (embedded || dialog.open || !dialog.isConnected) return
    this.#before = document.activeElement
    dialog.showModal()
    lockScroll()
  }

  hide(): void {
    const { host, dialog } = this.#place
    host.classList.remove('open')
    this.container.classList.remove('steady')
    if (dialog.open) dialog.close()
    unlockScroll()
    // The browser gives the focus back itself, but not into every kind of custom element.
    const { activeElement, body } = document
    const lost = activeElement === body || activeElement === host
    if (lost && this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true })
    this.#before = null
  }

  leave(): void {
    this.hide()
    this.container.remove()
  }
}
