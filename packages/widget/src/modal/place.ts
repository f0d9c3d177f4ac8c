/** Where the modal stands: on `<w3m-modal>`, in its shadow root, in a native dialog or, embedded, beside it. */
export interface Place {
  readonly host: HTMLElement
  readonly shadow: ShadowRoot
  readonly dialog: HTMLDialogElement
}

/**
 * Keeps the page behind from scrolling. A sheet of the document changes no attribute of the host's, and leaves without a trace;
 * where a scroll bar takes room, the room stays taken, so that nothing moves.
 */
class ScrollLock {
  #sheet: CSSStyleSheet | undefined

  lock(): void {
    if (this.#sheet) return
    const bar = window.innerWidth > document.documentElement.clientWidth
    this.#sheet = new CSSStyleSheet()
    this.#sheet.replaceSync(`html{overflow:hidden!important${bar ? ';scrollbar-gutter:stable!important' : ''}}`)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet]
  }

  unlock(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet)
    this.#sheet = undefined
  }
}

/** Shows and hides the container that React draws into. */
export class Stand {
  readonly container: HTMLElement
  readonly #place: Place
  readonly #lock = new ScrollLock()
  #before: Element | null = null

  constructor(place: Place) {
    this.#place = place
    this.container = document.createElement('div')
    this.container.className = 'mount'
    place.dialog.dataset.testid = 'w3m-modal-overlay'
    // The curtain may have opened the dialog before we came.
    if (place.dialog.open) this.#lock.lock()
  }

  /** Puts the container where it belongs, in place of the curtain. */
  stand(embedded: boolean): void {
    const { dialog, shadow } = this.#place
    const parent = embedded ? shadow : dialog
    this.container.classList.toggle('embedded', embedded)
    if (this.container.parentNode === parent) return
    dialog.replaceChildren()
    parent.append(this.container)
  }

  show(embedded: boolean): void {
    const { host, dialog } = this.#place
    this.stand(embedded)
    host.classList.add('open')
    if (embedded || dialog.open || !dialog.isConnected) return
    this.#before = document.activeElement
    dialog.showModal()
    this.#lock.lock()
  }

  hide(): void {
    const { host, dialog } = this.#place
    host.classList.remove('open')
    if (dialog.open) dialog.close()
    this.#lock.unlock()
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
