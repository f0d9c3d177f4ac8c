/** Frame of an embedded wallet in the same test page: greets the page, hears its requests and answers them as the test says. */

export interface FrameRequest {
  readonly type: string
  readonly id: string
  readonly payload?: unknown
}

const APP = '@w3m-app/'
const FRAME = '@w3m-frame/'

export class FakeFrame {
  /** Requests of the page, in their order. */
  readonly heard: FrameRequest[] = []
  readonly #element: HTMLIFrameElement
  readonly #origin: string
  #port: MessagePort | undefined
  #listeners: ((request: FrameRequest) => void)[] = []

  constructor(element: HTMLIFrameElement, origin = new URL(element.src).origin) {
    this.#element = element
    this.#origin = origin
    // Test environments load no pages into frames, and give them no window.
    if (!element.contentWindow) Object.defineProperty(element, 'contentWindow', { value: {} })
  }

  /** Sends the first message, with a new port. The test may forge its source, its origin, its type and its ports. */
  greet(forged: Partial<Pick<MessageEventInit, 'source' | 'origin' | 'ports' | 'data'>> = {}): void {
    const { port1, port2 } = new MessageChannel()
    this.#port?.close()
    this.#port = port1
    port1.onmessage = ({ data }) => {
      this.heard.push(data)
      for (const listener of this.#listeners.splice(0)) listener(data)
    }
    const init = {
      data: { type: `${FRAME}READY`, id: 'ready' },
      source: this.#element.contentWindow,
      origin: this.#origin,
      ports: [port2],
      ...forged
    }
    window.dispatchEvent(new MessageEvent('message', init))
  }

  /** Next request of the page. */
  next(): Promise<FrameRequest> {
    return new Promise((resolve) => this.#listeners.push(resolve))
  }

  /** Sends any message through the port. */
  send(message: unknown): void {
    this.#port?.postMessage(message)
  }

  /** Answers a request. */
  succeed({ type, id }: FrameRequest, payload?: unknown): void {
    this.send({ type: `${FRAME}${type.slice(APP.length)}_SUCCESS`, id, payload })
  }

  /** Refuses a request. */
  fail({ type, id }: FrameRequest, payload: unknown): void {
    this.send({ type: `${FRAME}${type.slice(APP.length)}_ERROR`, id, payload })
  }
}
