//! Client of the embedded wallet's frame: one iframe, one port, requests with ids. Times and rules are the core's.

import { frame as forms } from '../../generated/constants.ts'
import type { CoreEvent, FrameEvent, Outcome } from '../../generated/core.ts'
import { field } from '../json.ts'
import { rightsOf, SANDBOX } from './address.ts'
import { isLarge, read } from './envelope.ts'
import { hearReturns } from './loginReturn.ts'

export interface FrameParts {
  /** Element of the page in which the frame is put: the modal's, which shows it by its slot. */
  readonly place: Element
  dispatch(event: CoreEvent): void
}

/** Name of the slot in which the modal shows the frame. */
export const SLOT = 'w3m-frame'

interface Waiting {
  readonly event: FrameEvent
  readonly answer: (outcome: Outcome) => void
}

export class Frame {
  readonly #parts: FrameParts
  readonly #origin: string
  readonly #element: HTMLIFrameElement
  readonly #waiting = new Map<string, Waiting>()
  #port: MessagePort | undefined
  #ready: () => void = () => {}
  #never: (reason: Error) => void = () => {}
  #deaf: () => void = () => {}

  /** Puts the frame into the page. */
  constructor(parts: FrameParts, address: URL) {
    this.#parts = parts
    this.#origin = address.origin
    const element = document.createElement('iframe')
    element.id = 'w3m-iframe'
    element.name = 'w3m-secure-iframe'
    element.title = 'Secure wallet'
    element.slot = SLOT
    element.setAttribute('sandbox', SANDBOX)
    element.setAttribute('allow', rightsOf(address))
    element.src = address.href
    this.#element = element
  }

  /** Resolves when the frame has said that it is ready (spec 4.34); rejects when it is closed before. */
  open(): Promise<void> {
    const ready = new Promise<void>((resolve, reject) => {
      this.#ready = resolve
      this.#never = reject
    })
    window.addEventListener('message', this.#greet)
    this.#deaf = hearReturns('link', this.#hand)
    this.#parts.place.append(this.#element)
    return ready
  }

  /** Removes the frame; its requests fail. */
  close(): void {
    window.removeEventListener('message', this.#greet)
    this.#deaf()
    this.#drop()
    this.#element.remove()
    this.#never(new Error('The frame was closed'))
  }

  /** Sends a request. Always answers; whether in time is the core's business. */
  ask(event: FrameEvent, payload: unknown): Promise<Outcome> {
    const message = { type: forms.app + event, id: newId(), ...(payload === null ? {} : { payload }) }
    const port = this.#port
    if (!port) return Promise.resolve(failed('The frame is not ready'))
    if (isLarge(message)) return Promise.resolve(failed('This request is too large for the embedded wallet'))
    port.postMessage(message)
    // The frame withdraws what the visitor decides about, and answers that.
    if (event === 'RPC_ABORT') return Promise.resolve({ type: 'done' })
    return new Promise((answer) => this.#waiting.set(message.id, { event, answer }))
  }

  /** First message: from this frame, of its origin, with one port. Another one later means that the frame loaded anew. */
  readonly #greet = ({ data, source, origin, ports }: MessageEvent): void => {
    const [port] = ports
    const ours = source !== null && source === this.#element.contentWindow && origin === this.#origin
    if (!ours || !port || ports.length !== 1 || field(data, 'type') !== forms.frame + forms.ready) return
    const again = this.#port !== undefined
    this.#drop()
    this.#port = port
    port.onmessage = ({ data }) => this.#hear(data)
    if (again) this.#parts.dispatch({ feature: 'embedded', event: { type: 'frameRestarted' } })
    else this.#ready()
  }

  /** A service sent the visitor of the frame's settings back to another page of this site. A frame that doesn't wait for it ignores it. */
  readonly #hand = (uri: unknown): boolean => {
    this.#element.contentWindow?.postMessage({ type: '@portico/social', uri }, this.#origin)
    return true
  }

  #hear(data: unknown): void {
    const heard = read(data)
    if (heard?.name === 'HEIGHT') this.#resize(field(heard.payload, 'height'))
    // The page hears no key that is pressed in the frame, so the frame tells Escape: the modal that shows it is asked to close.
    if (heard?.name === 'ESCAPE')
      this.#element.assignedSlot?.closest('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }))
    const waiting = heard && this.#waiting.get(heard.id)
    if (!heard || !waiting) return
    const { event, answer } = waiting
    if (heard.name !== `${event}_SUCCESS` && heard.name !== `${event}_ERROR`) return
    this.#waiting.delete(heard.id)
    if (heard.name === `${event}_SUCCESS`) {
      answer({ type: 'answered', value: heard.payload })
      return
    }
    const [message, code] = [field(heard.payload, 'message'), field(heard.payload, 'code')]
    answer(failed(typeof message === 'string' ? message : '', Number.isSafeInteger(code) ? Number(code) : undefined))
  }

  /** Height of the frame's content, for which the modal makes room. The style of the modal limits it. */
  #resize(height: unknown): void {
    const { place } = this.#parts
    if (typeof height === 'number' && height > 0 && place instanceof HTMLElement)
      place.style.setProperty('--frame', `${height}px`)
  }

  #drop(): void {
    this.#port?.close()
    this.#port = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { answer } of waiting) answer(failed('The frame is gone'))
  }
}

function failed(message: string, code?: number): Outcome {
  return { type: 'failed', error: { message, ...(code === undefined ? {} : { code }) } }
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
