import type { WebSocketLike } from '../sockets.ts'

/** Socket that the test controls. */
export class FakeSocket implements WebSocketLike {
  readonly url: string
  readonly sent: string[] = []
  closed = false
  /** Listener at the other end. */
  heard: (text: string) => void = () => undefined
  /** Error thrown by `send`. */
  fault: Error | undefined
  onopen: ((event: never) => unknown) | null = null
  onmessage: ((event: never) => unknown) | null = null
  onclose: ((event: never) => unknown) | null = null
  onerror: ((event: never) => unknown) | null = null

  constructor(url: string) {
    this.url = url
  }

  send(text: string): void {
    if (this.fault) throw this.fault
    this.sent.push(text)
    this.heard(text)
  }

  close(): void {
    this.closed = true
  }

  open(): void {
    this.onopen?.({} as never)
  }

  receive(data: unknown): void {
    this.onmessage?.({ data } as never)
  }

  end(code?: unknown, reason?: unknown): void {
    this.closed = true
    this.onerror?.({} as never)
    this.onclose?.({ code, reason } as never)
  }
}
