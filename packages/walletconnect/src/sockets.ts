//! The sockets that the machine asked for, by its numbers. Whatever a socket does, it is told at most once that it closed.

/** As much of a WebSocket as is used; the browser's and the one of `ws` are. */
export interface WebSocketLike {
  onopen: ((event: never) => unknown) | null
  onmessage: ((event: never) => unknown) | null
  onclose: ((event: never) => unknown) | null
  onerror: ((event: never) => unknown) | null
  send(text: string): void
  close(): void
}

export type OpenSocket = (url: string) => WebSocketLike

/** What sockets tell the machine. */
export type SocketInput =
  | { readonly type: 'opened'; readonly socket: number }
  | { readonly type: 'message'; readonly socket: number; readonly text: string }
  | { readonly type: 'closed'; readonly socket: number; readonly code: number; readonly reason: string }

/** RFC 6455: closed without a word. */
const ABNORMAL = 1006

export class Sockets {
  readonly #open: OpenSocket
  readonly #tell: (input: SocketInput) => void
  readonly #sockets = new Map<number, WebSocketLike>()

  constructor(open: OpenSocket, tell: (input: SocketInput) => void) {
    this.#open = open
    this.#tell = tell
  }

  open(socket: number, url: string): void {
    let made: WebSocketLike
    try {
      made = this.#open(url)
    } catch (error) {
      // Not an address, or the page's policy forbids it.
      this.#tell({ type: 'closed', socket, code: ABNORMAL, reason: String(error) })
      return
    }
    this.#sockets.set(socket, made)
    made.onopen = () => this.#heard(socket, made, { type: 'opened', socket })
    made.onmessage = ({ data }: { readonly data: unknown }) => {
      // The protocol has text alone.
      if (typeof data === 'string') this.#heard(socket, made, { type: 'message', socket, text: data })
    }
    // What follows an error is a close.
    made.onerror = () => undefined
    made.onclose = ({ code, reason }: { readonly code?: unknown; readonly reason?: unknown }) =>
      this.#closed(socket, made, Number(code) || ABNORMAL, String(reason ?? ''))
  }

  send(socket: number, text: string): void {
    const made = this.#sockets.get(socket)
    if (!made) return
    try {
      made.send(text)
    } catch (error) {
      this.#closed(socket, made, ABNORMAL, String(error))
      quietly(made)
    }
  }

  /** The machine has done with it: nothing more of it is told. */
  close(socket: number): void {
    const made = this.#sockets.get(socket)
    this.#sockets.delete(socket)
    if (made) quietly(made)
  }

  closeAll(): void {
    for (const socket of [...this.#sockets.keys()]) this.close(socket)
  }

  #closed(socket: number, made: WebSocketLike, code: number, reason: string): void {
    if (this.#sockets.get(socket) !== made) return
    this.#sockets.delete(socket)
    this.#tell({ type: 'closed', socket, code, reason })
  }

  #heard(socket: number, made: WebSocketLike, input: SocketInput): void {
    if (this.#sockets.get(socket) === made) this.#tell(input)
  }
}

function quietly(made: WebSocketLike): void {
  try {
    made.close()
  } catch {
    // Closed is closed.
  }
}
