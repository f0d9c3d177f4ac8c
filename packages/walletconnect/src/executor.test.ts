//! The executor with a scripted machine.

import { beforeEach, expect, describe as group, it, vi } from 'vitest'
import { Executor, type Input } from './executor.ts'
import { Kept, type Records } from './records.ts'
import { FakeSocket } from './testing/FakeSocket.ts'
import type { ClientEvent } from './types.ts'
import { WalletConnectError } from './WalletConnectError.ts'

const NOW = 1_790_000_000_000

let inputs: Input[]
let say: (input: Input) => string
let boots: string[]
let sockets: FakeSocket[]
let told: ClientEvent[]
let open: (url: string) => FakeSocket

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  inputs = []
  boots = []
  sockets = []
  told = []
  say = () => turn([])
  open = (url) => {
    const socket = new FakeSocket(url)
    sockets.push(socket)
    return socket
  }
  return () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  }
})

const turn = (outputs: readonly object[], timeout: number | null = null) => JSON.stringify({ outputs, timeout })

function executor(storage?: Records): Executor {
  const one = new Executor({
    boot(stored) {
      boots.push(stored)
      return {
        handle(text) {
          const input = JSON.parse(text)
          inputs.push(input)
          return say(input)
        },
        drop: () => undefined
      }
    },
    records: new Kept(storage, () => undefined),
    open: (url) => open(url),
    now: Date.now,
    tell: (event) => told.push(event)
  })
  one.start()
  return one
}

/** Answers inputs of one type, and returns no outputs for the rest. */
const to = (type: string, answer: (input: Input) => string) => {
  say = (input) => (input.type === type ? answer(input) : turn([]))
}

group('a command', () => {
  it('is refused with what the machine did not understand', async () => {
    const one = executor()
    to('pair', () => '!uri')
    await expect(one.ask({ type: 'pair', uri: 3 })).rejects.toMatchObject({ code: 5, message: 'Not understood: uri' })
  })

  it('is refused with the code and the words of the other side', async () => {
    const one = executor()
    to('request', ({ ticket }) => turn([{ type: 'refused', ticket, code: 5000, message: 'User rejected.' }]))
    const refused = one.ask({ type: 'request' })
    await expect(refused).rejects.toBeInstanceOf(WalletConnectError)
    await expect(refused).rejects.toMatchObject({ code: 5000, message: 'User rejected.' })
  })

  it('is answered once, by its own ticket', async () => {
    const one = executor()
    const first = one.ask({ type: 'request' })
    const second = one.ask({ type: 'request' })
    const [a, b] = inputs.slice(-2).map(({ ticket }) => ticket)
    to('wake', () =>
      turn([
        { type: 'answered', ticket: b, value: 'second' },
        { type: 'answered', ticket: b, value: 'again' },
        { type: 'answered', ticket: 999, value: 'nobody' },
        { type: 'answered', ticket: a, value: 'first' }
      ])
    )
    one.turn({ type: 'wake' })
    expect(await Promise.all([first, second])).toEqual(['first', 'second'])
  })

  it('that is answered now is answered in the same call', () => {
    const one = executor()
    to('propose', ({ ticket }) => turn([{ type: 'answered', ticket, value: { uri: 'wc:' } }]))
    expect(one.askNow({ type: 'propose' })).toEqual({ uri: 'wc:' })
    to('propose', ({ ticket }) => turn([{ type: 'refused', ticket, code: 5, message: 'No relay' }]))
    expect(() => one.askNow({ type: 'propose' })).toThrow('No relay')
    to('propose', () => turn([]))
    expect(() => one.askNow({ type: 'propose' })).toThrow('There was no answer')
  })

  it('that is no JSON is refused to its giver, and disturbs nothing', async () => {
    const one = executor()
    await expect(one.ask({ type: 'request', params: [1n] })).rejects.toBeInstanceOf(TypeError)
    expect(boots).toHaveLength(1)
  })

  it('is refused when the client is stopped before or after it', async () => {
    const one = executor()
    const waiting = one.ask({ type: 'ping' })
    one.stop()
    await expect(waiting).rejects.toMatchObject({ code: 1, message: 'The client was stopped' })
    await expect(one.ask({ type: 'ping' })).rejects.toMatchObject({ code: 1 })
    expect(() => one.askNow({ type: 'propose' })).toThrow('The client was stopped')
  })
})

group('a turn', () => {
  it('stores and sends before anybody is told, so that who listens may go on at once', async () => {
    const storage = new Map<string, string>()
    const one = executor(storage)
    const seen: unknown[] = []
    to('wake', () =>
      turn([
        { type: 'told', event: { type: 'expired', topic: 'a' } },
        { type: 'store', key: 'wc/session/a', value: '{}' }
      ])
    )
    told.push = (event) => seen.push([event.type, storage.get('wc/session/a')])
    one.turn({ type: 'wake' })
    expect(seen).toEqual([['expired', '{}']])
  })

  it('is not disturbed by a socket that fails while it is opened', () => {
    const one = executor()
    to('wake', () =>
      turn([
        { type: 'open', socket: 1, url: 'no address' },
        { type: 'store', key: 'a', value: 'b' }
      ])
    )
    open = () => {
      throw new SyntaxError('no address')
    }
    one.turn({ type: 'wake' })
    expect(inputs.slice(-2)).toEqual([
      { type: 'wake' },
      { type: 'closed', socket: 1, code: 1006, reason: 'SyntaxError: no address' }
    ])
  })

  it('sets one alarm, and says so when the machine slept through it', () => {
    const one = executor()
    to('wake', () => turn([], Date.now() + 1000))
    one.turn({ type: 'wake' })
    inputs.length = 0
    say = () => turn([])
    vi.advanceTimersByTime(999)
    expect(inputs).toEqual([])
    vi.advanceTimersByTime(1)
    expect(inputs).toEqual([{ type: 'tick' }])
    expect(vi.getTimerCount()).toBe(0)

    to('wake', () => turn([], Date.now() + 1000))
    one.turn({ type: 'wake' })
    inputs.length = 0
    say = () => turn([])
    vi.setSystemTime(Date.now() + 60_000)
    vi.advanceTimersByTime(1000)
    expect(inputs).toEqual([{ type: 'wake' }, { type: 'tick' }])
  })

  it('rings late rather than early where the wait is longer than a timer can be', () => {
    const one = executor()
    to('wake', () => turn([], Date.now() + 30 * 86_400_000))
    one.turn({ type: 'wake' })
    inputs.length = 0
    say = () => turn([], NOW + 30 * 86_400_000)
    vi.advanceTimersByTime(30 * 86_400_000 - 1)
    expect(inputs).toEqual([{ type: 'tick' }])
    vi.advanceTimersByTime(1)
    expect(inputs).toHaveLength(2)
  })
})

group('a machine that traps', () => {
  it('is started anew from what is stored, its sockets are closed, and nobody waits in vain', async () => {
    const storage = new Map([['wc/key', 'k']])
    const one = executor(storage)
    to('wake', () => turn([{ type: 'open', socket: 1, url: 'wss://relay.example' }]))
    one.turn({ type: 'wake' })
    const waiting = one.ask({ type: 'ping' })
    say = (input) => {
      if (input.type === 'message') throw new WebAssembly.RuntimeError('unreachable')
      return turn([])
    }
    sockets[0]?.receive('garbage')
    await expect(waiting).rejects.toMatchObject({ code: 1 })
    expect(sockets[0]?.closed).toBe(true)
    expect(boots).toEqual(['{"wc/key":"k"}', '{"wc/key":"k"}'])
    expect(inputs.at(-1)).toEqual({ type: 'tick' })
  })

  it('again and again is left alone, and says no to everybody', async () => {
    const one = executor()
    say = (input) => {
      if (input.type === 'wake') throw new Error('trap')
      return turn([])
    }
    for (let times = 0; times < 10; times += 1) one.turn({ type: 'wake' })
    expect(boots).toHaveLength(4)
    await expect(one.ask({ type: 'ping' })).rejects.toMatchObject({ code: 1 })
  })

  it('at its start says so to who started it', () => {
    say = () => '!relays'
    expect(() => executor()).toThrow('Not understood: relays')
  })
})

group('what is given while a turn is being done', () => {
  /** Starts an executor whose store throws; `act` runs then, in the middle of a turn. */
  const amid = (act: () => void) => {
    const refusing = () => {
      throw new Error('full')
    }
    const storage = { entries: () => [], set: refusing, delete: refusing }
    const one = new Executor({
      boot: () => ({ handle: (text) => say(JSON.parse(text)), drop: () => undefined }),
      records: new Kept(storage, act),
      open: (url) => open(url),
      now: Date.now,
      tell: (event) => told.push(event)
    })
    one.start()
    return one
  }
  const storing = turn([{ type: 'store', key: 'a', value: '1' }])

  it('is refused where the machine does not understand it, and the next is heard', async () => {
    const given: Promise<unknown>[] = []
    const one = amid(() => {
      if (given.length === 0) given.push(one.ask({ type: 'pair' }), one.ask({ type: 'request' }))
    })
    say = ({ type, ticket }) => {
      if (type === 'wake') return storing
      return type === 'pair' ? '!uri' : turn([{ type: 'answered', ticket, value: 1 }])
    }
    one.turn({ type: 'wake' })
    await expect(given[0]).rejects.toMatchObject({ code: 5 })
    await expect(given[1]).resolves.toBe(1)
  })

  it('and must be answered at once is refused before it happens', () => {
    let refusal: unknown
    const one = amid(() => {
      try {
        one.askNow({ type: 'propose' })
      } catch (error) {
        refusal = error
      }
    })
    const heard: string[] = []
    say = ({ type }) => {
      heard.push(type)
      return type === 'wake' ? storing : turn([])
    }
    one.turn({ type: 'wake' })
    expect(refusal).toBeInstanceOf(WalletConnectError)
    expect(heard).toEqual(['wake'])
  })
})

it('a socket that cannot even be made does not keep the rest from being done', () => {
  const one = executor()
  open = () => undefined as unknown as FakeSocket
  to('wake', () =>
    turn([
      { type: 'open', socket: 1, url: 'wss://a' },
      { type: 'told', event: { type: 'expired', topic: 'a' } }
    ])
  )
  one.turn({ type: 'wake' })
  expect(told).toHaveLength(1)
  one.turn({ type: 'tick' })
  expect(inputs.at(-1)?.type).toBe('tick')
})
