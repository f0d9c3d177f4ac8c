//! Sockets of the machine, by its numbers. For each socket it receives at most one `closed`.

/** Part of a WebSocket that is used; the browser's and the one of `ws` fit. */
export interface WebSocketLike {
  onopen: ((event: never) => unknown) | null
  onmessage: ((event: never) => unknown) | null
  onclose: ((event: never) => unknown) | null
  onerror: ((event: never) => unknown) | null
  send(text: string): void
  close(): void
}

export type OpenSocket = (url: string) => WebSocketLike

/** Inputs of the machine from sockets. */
export type SocketInput =
  | { readonly type: 'opened'; readonly socket: number }
  | { readonly type: 'message'; readonly socket: number; readonly text: string }
  | { readonly type: 'closed'; readonly socket: number; readonly code: number; readonly reason: string }

/** Close code of RFC 6455 for a connection lost without a close frame. */
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
      // Not a valid URL, or the page's policy forbids it.
      this.#tell({ type: 'closed', socket, code: ABNORMAL, reason: String(error) })
      return
    }
    this.#sockets.set(socket, made)
    made.onopen = () => this.#heard(socket, made, { type: 'opened', socket })
    made.onmessage = ({ data }: { readonly data: unknown }) => {
      // The protocol uses only text frames.
      if (typeof data === 'string') this.#heard(socket, made, { type: 'message', socket, text: data })
    }
    // A close event follows every error.
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

  /** Closes a socket that the machine no longer needs, without further inputs from it. */
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
    // The socket is no longer used, so the error does not matter.
  }
}
