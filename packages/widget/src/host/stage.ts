/** The modal's place: an element of the page with a shadow root, and a native dialog in it. */
export interface Stage {
  readonly host: HTMLElement
  readonly shadow: ShadowRoot
  readonly dialog: HTMLDialogElement
  /** Re-attaches the modal after the page removed its element or replaced its whole body; an open modal stays open. */
  join(): void
}

/** A `<w3m-modal>` of the page that has no modal. */
const freeElement = () =>
  [...document.querySelectorAll<HTMLElement>('w3m-modal,appkit-modal')].find((one) => !one.shadowRoot)

/** Uses the page's `<w3m-modal>`, or creates one and, unless the host forbids it, appends it. */
export function createStage(append: boolean): Stage {
  const host = freeElement() ?? document.createElement('w3m-modal')
  const shadow = host.attachShadow({ mode: 'open' })
  const dialog = document.createElement('dialog')
  // jsdom implements only the `open` attribute of a dialog.
  dialog.showModal ??= () => {
    dialog.open = true
  }
  dialog.close ??= () => {
    dialog.open = false
  }
  shadow.append(dialog)
  const join = () => {
    // A page that mounts its element again, or late, has a new one, in which ours is put: a shadow root cannot move.
    const place = host.isConnected ? undefined : (freeElement() ?? (append && document.body))
    if (!place) return
    const { open } = dialog
    // A dialog removed from the page keeps its `open` attribute, but is not modal any more.
    dialog.removeAttribute('open')
    place.append(host)
    if (open) dialog.showModal()
  }
  join()
  return { host, shadow, dialog, join }
}

type Child = Node | string

/** Creates an element with attributes and children. */
export function make(name: string, attributes: Readonly<Record<string, string>>, ...children: Child[]): HTMLElement {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...children)
  return element
}
