/** The modal's place: an element of the page with a shadow root, and a native dialog in it. */
export interface Stage {
  readonly host: HTMLElement
  readonly shadow: ShadowRoot
  readonly dialog: HTMLDialogElement
  /** Re-attaches the modal after the page replaced its whole body; an open modal stays open. */
  join(): void
}

/** Uses the page's `<w3m-modal>`, or creates one and, unless the host forbids it, appends it. */
export function createStage(append: boolean): Stage {
  const placed = [...document.querySelectorAll<HTMLElement>('w3m-modal,appkit-modal')].find((one) => !one.shadowRoot)
  const host = placed ?? document.createElement('w3m-modal')
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
  const ours = append && !placed
  if (ours) document.body.append(host)
  const join = () => {
    if (!ours || host.isConnected) return
    const { open } = dialog
    // A dialog removed from the page keeps its `open` attribute, but is not modal any more.
    dialog.removeAttribute('open')
    document.body.append(host)
    if (open) dialog.showModal()
  }
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
