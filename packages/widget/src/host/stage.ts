/** Where the modal stands: an element of the page with a shadow root, and a native dialog in it. */
export interface Stage {
  readonly host: HTMLElement
  readonly shadow: ShadowRoot
  readonly dialog: HTMLDialogElement
  /** Comes back where the page threw its whole body away, as open as it was. */
  join(): void
}

/** Takes the `<w3m-modal>` that the page has, or makes one and, unless the host forbids it, appends it. */
export function createStage(append: boolean): Stage {
  const placed = [...document.querySelectorAll<HTMLElement>('w3m-modal,appkit-modal')].find((one) => !one.shadowRoot)
  const host = placed ?? document.createElement('w3m-modal')
  const shadow = host.attachShadow({ mode: 'open' })
  const dialog = document.createElement('dialog')
  // In jsdom a dialog has its attribute alone.
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
    // A dialog that leaves the page keeps the attribute, but is not modal any more.
    dialog.removeAttribute('open')
    document.body.append(host)
    if (open) dialog.showModal()
  }
  return { host, shadow, dialog, join }
}

type Child = Node | string

/** An element with its attributes and children. */
export function make(name: string, attributes: Readonly<Record<string, string>>, ...children: Child[]): HTMLElement {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...children)
  return element
}
