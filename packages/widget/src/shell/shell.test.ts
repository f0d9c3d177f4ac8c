// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CoreEvent, Effect, Outcome } from '../generated/core.ts'
import { idle } from '../generated/idle.ts'
import { Page } from './page.ts'
import { type CoreInstance, Shell, type ShellParts } from './shell.ts'
import { type Changes, Store } from './store.ts'

interface Told {
  effects?: Effect[]
  timeout?: number | null
  skipped?: number
  changes?: Changes
}

/** Scripted core that records its input. */
class FakeCore implements CoreInstance {
  readonly heard: string[] = []
  onFirst: () => Told = () => ({})
  onDispatch: (event: CoreEvent) => Told = () => ({})
  onResolve: (id: number, outcome: Outcome) => Told = () => ({})
  onTick: (now: number) => Told = () => ({})

  first = () => this.tell('first', this.onFirst)
  dispatch = (event: string) => this.tell(JSON.parse(event).event.type, () => this.onDispatch(JSON.parse(event)))
  resolve = (id: number, outcome: string) => {
    const read: Outcome = JSON.parse(outcome)
    return this.tell(`${id} ${read.type}`, () => this.onResolve(id, read))
  }
  tick = (now: number) => this.tell('tick', () => this.onTick(now))

  private tell(what: string, say: () => Told): string {
    this.heard.push(what)
    const { effects = [], timeout = null, skipped = 0, changes = {} } = say()
    return JSON.stringify({ effects, timeout, skipped, changes })
  }
}

const closeAsked: CoreEvent = { feature: 'modal', event: { type: 'closeAsked' } }
const backAsked: CoreEvent = { feature: 'modal', event: { type: 'backAsked' } }
const open = (open: boolean) => ({ modal: { ...idle.modal, open } })
const write: Effect = { id: 7, operation: { type: 'writeStorage', area: 'local', key: 'k', value: 'v' } }

let cores: FakeCore[]
let parts: ShellParts
let happened: string[]
let logged: string[]

function shellOf(...given: FakeCore[]): Shell {
  cores = given
  let next = 0
  parts = {
    store: new Store(idle),
    page: new Page(),
    host: {
      settle: (ticket, answer) =>
        happened.push([ticket, answer.type, ...(answer.type === 'rejected' ? [answer.error.reason] : [])].join(' ')),
      publish: (event) => happened.push(`${event} ${parts.store.get().modal.open}`),
      warn: () => {},
      log: () => {}
    },
    near: () => document.body,
    mounted: Promise.resolve(),
    relay: {
      open: async () => ({ type: 'done' }),
      there: () => undefined as never,
      universal: async () => undefined
    },
    frame: {
      open: async () => ({ type: 'done' }),
      ask: async () => ({ type: 'done' }),
      lead: async () => ({ type: 'done' })
    },
    connectSigned: () => undefined,
    signIn: async () => ({ type: 'done' }),
    coreParts: { fetch: (part) => happened.push(`${part} fetched`), open: async () => ({ type: 'done' }) },
    boot: () => cores[next++] as FakeCore,
    renew: () => happened.push('renewed'),
    describe: () => ({
      environment: {
        mobile: false,
        ios: false,
        android: false,
        mac: false,
        safari: false,
        telegram: false,
        origin: '',
        page: '',
        seed: ''
      },
      options: {},
      stored: []
    }),
    now: Date.now,
    log: (what) => logged.push(String(what)),
    lost: () => happened.push('lost'),
    stopped: () => happened.push('stopped')
  }
  return new Shell(parts)
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  happened = []
  logged = []
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a turn', () => {
  it('tells what happened early only after all that the first step asked for is done', () => {
    const core = new FakeCore()
    core.onFirst = () => ({ effects: [write] })
    shellOf(core).begin([closeAsked, backAsked])
    expect(core.heard).toEqual(['first', '7 done', 'closeAsked', 'backAsked'])
  })

  it('changes the store once, and only in the features that changed', () => {
    const core = new FakeCore()
    const shell = shellOf(core)
    shell.begin([])
    core.onDispatch = () => ({ effects: [write], changes: open(true) })
    core.onResolve = () => ({ changes: open(false) })
    const seen: boolean[] = []
    shell.store.subscribe(() => seen.push(shell.store.get().modal.open))
    shell.dispatch(backAsked)
    expect(seen).toEqual([false])
    expect(shell.store.get().network).toBe(idle.network)
  })

  it('queues an event that is dispatched from inside an effect or a listener', () => {
    const core = new FakeCore()
    const shell = shellOf(core)
    shell.begin([])
    core.onDispatch = ({ event }) => (event.type === 'backAsked' ? { effects: [write], changes: open(true) } : {})
    const setItem = () => shell.dispatch(closeAsked)
    vi.spyOn(window, 'localStorage', 'get').mockReturnValue({ setItem } as unknown as Storage)
    const stop = shell.store.subscribe(() => {
      stop()
      shell.dispatch(closeAsked)
    })
    shell.dispatch(backAsked)
    expect(core.heard).toEqual(['first', 'backAsked', 'closeAsked', '7 done', 'closeAsked'])
  })

  it('asks servers, and fetches home, only after the modal that opens has been drawn', async () => {
    const fetch = vi.fn(async () => new Response('{}'))
    vi.stubGlobal('fetch', fetch)
    const frames: (() => void)[] = []
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
    const core = new FakeCore()
    const shell = shellOf(core)
    // The curtain is already shown.
    parts.store.set(open(true))
    shell.begin([])
    const ask: Effect = {
      id: 1,
      operation: { type: 'sendHttp', method: 'GET', url: 'https://server.example/x', body: null, timeout: 1000 }
    }
    core.onDispatch = () => ({ effects: [ask], changes: open(true) })
    shell.dispatch(backAsked)
    await Promise.resolve()
    expect(fetch).not.toHaveBeenCalled()
    expect(happened).toEqual([])
    for (const frame of frames) frame()
    await vi.waitFor(() => expect(core.heard).toContain('1 httpAnswered'))
    expect(happened).toEqual(['home fetched'])
    core.onDispatch = () => ({ effects: [ask] })
    shell.dispatch(backAsked)
    expect(fetch).toHaveBeenCalledTimes(2)
    vi.unstubAllGlobals()
  })

  it('begins an effect in the stack of the one who dispatched', () => {
    const core = new FakeCore()
    const shell = shellOf(core)
    shell.begin([])
    const request = vi.fn(() => new Promise(() => {}))
    parts.page.providers.set('w', { request })
    core.onDispatch = () => ({
      effects: [{ id: 1, operation: { type: 'requestWallet', handle: 'w', method: 'm', params: null } }]
    })
    shell.dispatch(backAsked)
    expect(request).toHaveBeenCalledOnce()
  })

  it('publishes an event once the store has the snapshot that it is about', () => {
    const core = new FakeCore()
    const publish: Effect = {
      id: 1,
      operation: { type: 'publishEvent', event: 'MODAL_OPEN', properties: {}, address: null }
    }
    core.onFirst = () => ({ effects: [publish], changes: open(true) })
    shellOf(core).begin([])
    expect(happened).toEqual(['MODAL_OPEN true'])
  })

  it('takes whatever a host puts into an event', () => {
    const core = new FakeCore()
    const shell = shellOf(core)
    shell.begin([])
    const heard: CoreEvent[] = []
    core.onDispatch = (event) => {
      heard.push(event)
      return {}
    }
    const circle: Record<string, unknown> = { big: 5n, work: () => {} }
    circle.self = circle
    shell.dispatch({ feature: 'network', event: { type: 'switchAsked', network: circle, ticket: null } })
    expect(heard[0]).toEqual({ feature: 'network', event: { type: 'switchAsked', network: { big: 5 }, ticket: null } })
  })
})

describe('what the core left out of the answers of the server', () => {
  it('is told in the console once, and anew after a restart', () => {
    const [core, fresh] = [new FakeCore(), new FakeCore()]
    const shell = shellOf(core, fresh)
    shell.begin([])
    let skipped = 2
    core.onDispatch = () => ({ skipped })
    shell.dispatch(backAsked)
    shell.dispatch(backAsked)
    expect(logged).toEqual(['Items left out of the answers of the server because they do not fit: 2'])
    skipped = 3
    shell.dispatch(backAsked)
    expect(logged.at(-1)).toMatch(/fit: 1$/)
    core.onDispatch = () => {
      throw new Error('trap')
    }
    shell.dispatch(backAsked)
    fresh.onDispatch = () => ({ skipped: 1 })
    shell.dispatch(backAsked)
    expect(logged.filter((line) => line.endsWith('fit: 1'))).toHaveLength(2)
  })
})

describe('what the core cannot read', () => {
  it('is no trap: an event is left out, and who asked for it is told', () => {
    const core = new FakeCore()
    const shell = shellOf(core)
    shell.begin([])
    core.dispatch = () => '!ticket'
    shell.dispatch({
      feature: 'connect',
      event: { type: 'connectAsked', connector: null, namespace: null, ticket: 9 }
    })
    shell.dispatch(backAsked)
    expect(happened).toEqual(['9 rejected invalidArgument'])
    expect(logged).toHaveLength(2)
    expect(logged[0]).toContain('ticket')
    expect(shell.store.get().notice.alert).toBeNull()
  })

  it('is answered all the same where it was an answer', () => {
    const core = new FakeCore()
    const shell = shellOf(core)
    const { resolve } = core
    const heard: unknown[] = []
    core.resolve = (id, outcome) => {
      heard.push(JSON.parse(outcome))
      return heard.length === 1 ? '!value' : resolve(id, outcome)
    }
    core.onFirst = () => ({ effects: [write] })
    shell.begin([closeAsked])
    const unreadable = { code: -32603, message: "Couldn't read the wallet's answer. Try again." }
    expect(heard).toEqual([{ type: 'done' }, { type: 'failed', error: unreadable }])
    expect(core.heard).toEqual(['first', '7 failed', 'closeAsked'])
    expect(happened).toEqual([])
  })

  it('is a trap where it is the boot, for then there is no core', () => {
    const core = () => Object.assign(new FakeCore(), { first: () => '!options' })
    expect(() => shellOf(core(), core()).begin([])).toThrow('stopped')
    expect(happened).toEqual(['lost', 'renewed', 'lost', 'stopped'])
  })

  it('is nothing that JSON cannot say: the wallet is told to have answered nonsense', async () => {
    const core = new FakeCore()
    const shell = shellOf(core)
    core.onFirst = () => ({
      effects: [{ id: 3, operation: { type: 'requestWallet', handle: 'w', method: 'm', params: null } }]
    })
    const stringify = vi.spyOn(JSON, 'stringify')
    parts.page.providers.set('w', {
      request: async () => {
        stringify.mockImplementationOnce(() => {
          throw new RangeError('Invalid string length')
        })
        return 'x'
      }
    })
    shell.begin([])
    await vi.waitFor(() => expect(core.heard).toEqual(['first', '3 failed']))
    expect(happened).toEqual([])
  })
})

describe('the alarm', () => {
  it('is one timer, and none where the core waits for nothing', () => {
    const core = new FakeCore()
    const shell = shellOf(core)
    shell.begin([])
    expect(vi.getTimerCount()).toBe(0)
    core.onDispatch = () => ({ timeout: Date.now() + 500 })
    shell.dispatch(backAsked)
    core.onDispatch = () => ({ timeout: Date.now() + 200 })
    shell.dispatch(backAsked)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(199)
    expect(core.heard).not.toContain('tick')
    vi.advanceTimersByTime(1)
    expect(core.heard.filter((one) => one === 'tick')).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that lies further away than a timer can hold does not ring at once', () => {
    const core = new FakeCore()
    core.onFirst = () => ({ timeout: Date.now() + 2 ** 40 })
    shellOf(core).begin([])
    vi.advanceTimersByTime(1_000)
    expect(core.heard).toEqual(['first'])
  })
})

describe('a trap', () => {
  const trapping = () => {
    const core = new FakeCore()
    core.onDispatch = () => {
      throw new WebAssembly.RuntimeError('unreachable')
    }
    return core
  }

  it('drops the instance, starts a fresh one, ends the calls that waited, and raises one alert', () => {
    const [first, second] = [trapping(), new FakeCore()]
    second.onFirst = () => ({ changes: { notice: { snack: null, alert: null, overPage: false } } })
    const shell = shellOf(first, second)
    shell.begin([])
    shell.dispatch(backAsked)
    shell.dispatch(closeAsked)
    expect(first.heard).toEqual(['first', 'backAsked'])
    expect(second.heard).toEqual(['first', 'closeAsked'])
    expect(happened).toEqual(['lost', 'renewed'])
    expect(shell.store.get().notice.alert).toEqual({ key: 'restarted', detail: '' })
    shell.dispatch({ feature: 'notice', event: { type: 'alertDismissed' } })
    expect(shell.store.get().notice.alert).toBeNull()
    expect(second.heard).toHaveLength(2)
  })

  it('in an open modal opens it again', () => {
    const [first, second] = [trapping(), new FakeCore()]
    first.onFirst = () => ({ changes: open(true) })
    const shell = shellOf(first, second)
    shell.begin([])
    shell.dispatch(backAsked)
    expect(second.heard).toEqual(['first', 'openAsked'])
  })

  it('leaves answers to the old instance to nobody', async () => {
    const [first, second] = [trapping(), new FakeCore()]
    let answer: (value: unknown) => void = () => {}
    first.onFirst = () => ({
      effects: [{ id: 3, operation: { type: 'requestWallet', handle: 'w', method: 'm', params: null } }]
    })
    const shell = shellOf(first, second)
    parts.page.providers.set('w', { request: () => new Promise((resolve) => (answer = resolve)) })
    shell.begin([])
    shell.dispatch(backAsked)
    answer('late')
    await vi.advanceTimersByTimeAsync(10)
    expect(second.heard).toEqual(['first'])
  })

  it('a second time within a minute stops, and says so', () => {
    const shell = shellOf(trapping(), trapping(), new FakeCore())
    shell.begin([])
    shell.dispatch(backAsked)
    vi.advanceTimersByTime(59_000)
    shell.dispatch(backAsked)
    shell.dispatch(backAsked)
    expect(happened).toEqual(['lost', 'renewed', 'lost', 'stopped'])
    expect(cores[2]?.heard).toEqual([])
  })

  it('a second time after that starts again', () => {
    const shell = shellOf(trapping(), trapping(), new FakeCore())
    shell.begin([])
    shell.dispatch(backAsked)
    vi.advanceTimersByTime(61_000)
    shell.dispatch(backAsked)
    expect(happened).toEqual(['lost', 'renewed', 'lost', 'renewed'])
    expect(cores[2]?.heard).toEqual(['first'])
  })

  it('of another modal of the page is no trap of this one, which starts again in the fresh memory', () => {
    const [first, second] = [new FakeCore(), new FakeCore()]
    const shell = shellOf(first, second, new FakeCore(), new FakeCore())
    shell.begin([])
    shell.restart()
    expect(happened).toEqual(['lost'])
    expect(second.heard).toEqual(['first'])
    expect(shell.store.get().notice.alert).toEqual({ key: 'restarted', detail: '' })
    shell.restart()
    shell.restart()
    expect(happened).not.toContain('stopped')
  })

  it('at boot is a trap as any other', () => {
    const shell = shellOf()
    parts = {
      ...parts,
      boot: () => {
        throw new Error('no memory')
      }
    }
    const stopped = new Shell(parts)
    // The caller must learn that the core stopped.
    expect(() => stopped.begin([closeAsked])).toThrow('The core stopped')
    expect(happened).toEqual(['lost', 'renewed', 'lost', 'stopped'])
    expect(stopped.store.get().notice.alert).toBeNull()
    shell.dispatch(backAsked)
  })
})
