import { lockScroll, unlockScroll } from './scroll.ts'

/** The modal's place: the element `<w3m-modal>`, its shadow root, and a native dialog in it; an embedded modal is beside the dialog. */
export interface Place {
  readonly host: HTMLElement
  readonly shadow: ShadowRoot
  readonly dialog: HTMLDialogElement
  /** Re-attaches the modal after the page replaced its whole body. */
  join?(): void
}

/** Shows and hides the container that React renders into. */
export class Stand {
  readonly container: HTMLElement
  /** Live region for messages outside the modal. It exists while empty, so that screen readers announce a message that appears in it. */
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
    // The curtain may have opened the dialog already.
    if (place.dialog.open) lockScroll(this)
  }

  /** Puts the container in place of the curtain. */
  stand(embedded: boolean): void {
    const { dialog, shadow } = this.#place
    const parent = embedded ? shadow : dialog
    this.container.classList.toggle('embedded', embedded)
    if (this.container.parentNode === parent) return
    // No entry animation when it replaces an open curtain.
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
    // The browser restores the focus itself, but not for every kind of custom element.
    const { activeElement, body } = document
    const lost = activeElement === body || activeElement === host
    if (lost && this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true })
    this.#before = null
  }

  /** Raises the messages into the top layer, above everything in the page. Returns a function that lowers them again. */
  rise(): () => void {
    const { overPage } = this
    this.#place.join?.()
    // Without popover support they stay in place, above the page by their z-index.
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
