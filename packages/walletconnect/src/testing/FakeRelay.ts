import { FakeSocket } from './FakeSocket.ts'

interface Frame {
  readonly id: number | string
  readonly method?: string
  readonly params?: {
    readonly topic?: string
    readonly topics?: readonly string[]
    readonly message?: string
    readonly tag?: number
  }
}

interface Mail {
  readonly topic: string
  readonly message: string
  readonly tag: number
  readonly publisher: unknown
}

/** In-memory relay with just the calls that two clients need, and with faults on demand. */
export class FakeRelay {
  readonly sockets: FakeSocket[] = []
  /** Reaction to a new socket: work, stay silent, or close. */
  meets: 'a relay' | 'silence' | { readonly code: number; readonly reason: string } = 'a relay'
  /** Frames sent to the caller's socket before each response. */
  nonsense: readonly unknown[] = []
  readonly #topics = new Map<FakeSocket, Set<string>>()
  readonly #kept: Mail[] = []
  #lastId = 1_790_000_000_000_000

  readonly open = (url: string): FakeSocket => {
    const socket = new FakeSocket(url)
    this.sockets.push(socket)
    const { meets } = this
    queueMicrotask(() => {
      if (meets === 'silence') return
      if (meets !== 'a relay') return socket.end(meets.code, meets.reason)
      this.#topics.set(socket, new Set())
      socket.heard = (text) => queueMicrotask(() => this.#heard(socket, JSON.parse(text)))
      socket.open()
    })
    return socket
  }

  /** Breaks all connections. */
  cut(): void {
    for (const socket of [...this.#topics.keys()]) {
      this.#topics.delete(socket)
      socket.end(1006, '')
    }
  }

  get connected(): number {
    return [...this.#topics.keys()].filter(({ closed }) => !closed).length
  }

  #heard(socket: FakeSocket, { id, method, params = {} }: Frame): void {
    const listening = this.#topics.get(socket)
    if (!method || !listening || socket.closed) return
    for (const text of this.nonsense) socket.receive(text)
    const { topic, topics = topic === undefined ? [] : [topic], message, tag = 0 } = params
    let result: unknown = true
    if (method.endsWith('ubscribe') && !method.includes('nsub')) {
      for (const one of topics) listening.add(one)
      result = method.includes('atch') ? topics : topic
    } else if (method.includes('etchMessages')) result = { messages: [], hasMore: false }
    socket.receive(JSON.stringify({ id, jsonrpc: '2.0', result }))
    if (method === 'irn_publish' && topic !== undefined && message !== undefined) {
      const publisher = clientOf(socket)
      const mail = { topic, message, tag, publisher }
      const others = [...this.#topics].filter(([other, listens]) => clientOf(other) !== publisher && listens.has(topic))
      if (others.length === 0) this.#kept.push(mail)
      for (const [other] of others) this.#deliver(other, mail)
    }
    if (result !== true) this.#deliverKept(socket, topics)
  }

  #deliverKept(socket: FakeSocket, topics: readonly string[]): void {
    // A publisher does not receive its own messages.
    const told = ({ topic, publisher }: Mail) => topics.includes(topic) && publisher !== clientOf(socket)
    for (const mail of this.#kept.filter(told)) {
      this.#kept.splice(this.#kept.indexOf(mail), 1)
      this.#deliver(socket, mail)
    }
  }

  #deliver(socket: FakeSocket, { topic, message, tag }: Mail): void {
    this.#lastId += 1
    const params = { id: 'a'.repeat(64), data: { topic, message, tag, publishedAt: Date.now() } }
    socket.receive(JSON.stringify({ id: this.#lastId, jsonrpc: '2.0', method: 'irn_subscription', params }))
  }
}

/** Client id in the token of a socket: tabs of one page are one client. */
function clientOf({ url }: FakeSocket): unknown {
  const [, claims = ''] = new URL(url).searchParams.get('auth')?.split('.') ?? []
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).iss
}
