//! First contact with the host page. The port goes to one exact origin, so later messages need no further check of theirs.

/** Prefix and name of the frame's first message. */
const READY = '@w3m-frame/READY'
/** Prefix and name of the message about the height of the content. */
const HEIGHT = '@w3m-frame/HEIGHT'
/** Prefix and name of the message about the Escape key. */
const ESCAPE = '@w3m-frame/ESCAPE'
/** Largest message in UTF-16 units; the machine checks the bytes. */
const LARGEST = 256 * 1024

/** What is asked of the window; a part of `Window`. */
export interface Framed {
  readonly parent: unknown
  readonly top: unknown
  readonly self: unknown
  readonly location: { readonly ancestorOrigins?: ArrayLike<string> }
}

/**
 * Origin of the host page, as the frame's address names it. `undefined` if that is no origin, the page is not framed, is framed more than
 * once, or the browser knows another origin above it.
 */
export function hostOf(framed: Framed, named: string | null): string | undefined {
  if (named === null || framed.parent === framed.self || framed.parent !== framed.top) return undefined
  let url: URL
  try {
    url = new URL(named)
  } catch {
    return undefined
  }
  if (url.origin !== named || !/^https?:$/.test(url.protocol)) return undefined
  const above = framed.location.ancestorOrigins
  if (above && (above.length !== 1 || above[0] !== named)) return undefined
  return named
}

/** Posts the first message with the port of the host, and passes on what comes back as text. */
export function greet(
  parent: { postMessage(message: unknown, origin: string, transfer: Transferable[]): void },
  host: string,
  channel: MessageChannel,
  hear: (text: string) => void
): void {
  channel.port1.onmessage = ({ data }: MessageEvent) => {
    const text = textOf(data)
    if (text !== undefined) hear(text)
  }
  parent.postMessage({ type: READY, id: crypto.randomUUID() }, host, [channel.port2])
}

/** Tells the host how tall the content is, in CSS pixels, now and whenever that changes: the modal makes room for it. */
export function tellHeight(content: Element, port: { postMessage(message: unknown): void }): void {
  let told = 0
  new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height)
    // Without content the frame is hidden.
    if (height === 0 || height === told) return
    told = height
    port.postMessage({ type: HEIGHT, id: crypto.randomUUID(), payload: { height } })
  }).observe(content)
}

/** Tells the host that the visitor pressed Escape: the page hears no key that is pressed in the frame, and the modal closes as everywhere. */
export function tellEscape(page: EventTarget, port: { postMessage(message: unknown): void }): void {
  page.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape' && !event.isComposing)
      port.postMessage({ type: ESCAPE, id: crypto.randomUUID() })
  })
}

/** JSON text of a message; `undefined` for one that has none, or is too large. */
export function textOf(data: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(data)
    return text !== undefined && text.length <= LARGEST ? text : undefined
  } catch {
    return undefined
  }
}
