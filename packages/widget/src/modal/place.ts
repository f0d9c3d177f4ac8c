import { lockScroll, unlockScroll } from './scroll.ts'

/** Where the modal stands: on `<w3m-modal>`, in its shadow root, in a native dialog or, embedded, beside it. */
export interface Place {
  readonly host: HTMLElement
  readonly shadow: ShadowRoot
  readonly dialog: HTMLDialogElement
  /** Comes back where the page threw its whole body away. */
  join?(): void
}

/** Shows and hides what React draws into. */
export class Stand {
  readonly container: HTMLElement
  /** For messages without a modal: empty until one comes, and there all the same, so that a reader hears what comes into it. */
  readonly overPage: HTMLElement
  readonly #place: Place
  #before: Element | null = null

  constructor(place: Place) {
    this.#place = place
    this.container = document.createElement('div')
    this.container.className = 'mount'
    this.overPage = document.createElement('div')
    this.overPage.className = 'over-page'
    this.overPage.popover = 'manual'
    place.shadow.prepend(this.overPage)
    place.dialog.dataset.testid = 'w3m-modal-overlay'
    place.dialog.setAttribute('aria-labelledby', 'title')
    // The curtain may have opened the dialog before we came.
    if (place.dialog.open) lockScroll(this)
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
    lockScroll(this)
  }

  hide(): void {
    const { host, dialog } = this.#place
    host.classList.remove('open')
    this.container.classList.remove('steady')
    if (dialog.open) dialog.close()
    unlockScroll(this)
    // The browser gives the focus back itself, but not into every kind of custom element.
    const { activeElement, body } = document
    const lost = activeElement === body || activeElement === host
    if (lost && this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true })
    this.#before = null
  }

  /** Lifts the messages into the top layer, where nothing of the page covers them. Returns what takes them down. */
  rise(): () => void {
    const { overPage } = this
    this.#place.join?.()
    // A browser without popovers draws them where they stand, above the page by their z-index.
    if (overPage.isConnected) overPage.showPopover?.()
    return () => {
      if (overPage.isConnected) overPage.hidePopover?.()
    }
  }

  leave(): void {
    this.hide()
    this.overPage.remove()
    this.container.remove()
  }
}
