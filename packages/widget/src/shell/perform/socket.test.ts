// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CoreEvent, Outcome } from '../../generated/core.ts'
import { Page } from '../page.ts'
import { sendMessage } from './socket.ts'

/** WebSocket without a network. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readonly sent: string[] = []
  readyState = 0
  readonly url: string

  constructor(url: URL) {
    super()
    this.url = url.href
    FakeSocket.all.push(this)
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.readyState = 2
  }

  opens(): void {
    this.readyState = FakeSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }

  tells(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }

  ends(): void {
    this.readyState = 3
    this.dispatchEvent(new Event('close'))
  }
}

const URL_OF_CORE = 'https://host.example/v1/ws?chainId=solana:1&projectId=abc'

let page: Page
let heard: CoreEvent[]
let outcomes: Outcome[]

/** Sends a message as the core orders it. */
function send(text: string | null, url = URL_OF_CORE): void {
  void Promise.resolve(sendMessage(page, url, text, (event) => heard.push(event))).then((outcome) =>
    outcomes.push(outcome)
  )
}

const socket = (at = 0) => FakeSocket.all[at] as FakeSocket
const answered = () => vi.waitFor(() => expect(outcomes).not.toEqual([]))

beforeEach(() => {
  page = new Page()
  heard = []
  outcomes = []
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
})

afterEach(() => vi.unstubAllGlobals())

describe('a message to the server', () => {
  it('goes through a socket in the scheme of the URL', () => {
    send('a', 'http://host.example/v1/ws?b=c')
    send('a', 'https://host.example/v1/ws?b=c')
    send('a', '/v1/ws?b=c')
    expect(FakeSocket.all.map(({ url }) => url)).toEqual([
      'ws://host.example/v1/ws?b=c',
      'wss://host.example/v1/ws?b=c',
      `${location.origin.replace('http', 'ws')}/v1/ws?b=c`
    ])
  })

  it('waits until the socket is open, and shares it with later ones', () => {
    send('a')
    send('b')
    expect(socket().sent).toEqual([])
    socket().opens()
    send('c')
    expect(socket().sent).toEqual(['a', 'b', 'c'])
    expect(FakeSocket.all).toHaveLength(1)
  })

  it('is answered once the socket was refused, and the next one opens another', async () => {
    send('a')
    socket().ends()
    await answered()
    expect(outcomes).toEqual([{ type: 'failed', error: null }])
    send('b')
    socket(1).opens()
    expect([socket().sent, socket(1).sent]).toEqual([[], ['b']])
  })

  it('is answered once the socket has ended, as are all others', async () => {
    send('a')
    socket().opens()
    send('b')
    await Promise.resolve()
    expect(outcomes).toEqual([])
    socket().ends()
    await vi.waitFor(() => expect(outcomes).toHaveLength(2))
    expect(page.watches.size).toBe(0)
  })

  it('throws where the browser allows no socket, which is an answer too', () => {
    vi.stubGlobal(
      'WebSocket',
      class {
        constructor() {
          throw new DOMException('insecure', 'SecurityError')
        }
      }
    )
    expect(() => send('a')).toThrow('insecure')
    expect(page.watches.size).toBe(0)
  })
})

describe('a message of the server', () => {
  it('is told to the core as it is', () => {
    send('a')
    socket().opens()
    socket().tells('{"id":1}')
    expect(heard).toEqual([
      { feature: 'solana', event: { type: 'messageReceived', url: URL_OF_CORE, text: '{"id":1}' } }
    ])
  })

  it.each([
    ['is too long', 'x'.repeat(65_537)],
    ['is binary', new ArrayBuffer(8)]
  ])('that %s closes the socket and is not told', (_, data) => {
    send('a')
    socket().opens()
    socket().tells(data)
    socket().tells('{}')
    expect([heard, socket().readyState]).toEqual([[], 2])
    send('b')
    expect(FakeSocket.all).toHaveLength(2)
  })
})

describe('a socket', () => {
  it('is closed by the core, and tells nothing from then on', async () => {
    send('a')
    socket().opens()
    send(null)
    await answered()
    expect([outcomes, socket().readyState]).toEqual([[{ type: 'done' }], 2])
    socket().tells('{}')
    expect(heard).toEqual([])
    send('b')
    // The end of the first socket leaves the second one open.
    socket().ends()
    socket(1).opens()
    socket(1).tells('{}')
    expect([socket(1).sent, heard.length]).toEqual([['b'], 1])
  })

  it('that is not there is closed already', () => {
    send(null)
    expect(FakeSocket.all).toEqual([])
  })

  it('is closed with the core, which stops all that it listens to', () => {
    send('a')
    for (const stop of page.watches.values()) stop()
    expect(socket().readyState).toBe(2)
    socket().opens()
    socket().tells('{}')
    expect(heard).toEqual([])
  })

  it('of another page is another socket', () => {
    send('a')
    page = new Page()
    send('b')
    expect(FakeSocket.all).toHaveLength(2)
  })
})
