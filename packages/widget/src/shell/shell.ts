//! The loop in the browser: events in, effects out and answered, one alarm, the snapshot to the store.

import type { Alert, Boot, CoreEvent, Effect, NoticeView, Part } from '../generated/core.ts'
import { idle } from '../generated/idle.ts'
import { drawn } from './drawn.ts'
import { field, toJson, UNREADABLE } from './json.ts'
import { type Hands, perform } from './perform/index.ts'
import type { ShellForViews } from './react.tsx'
import type { Changes, Store } from './store.ts'

/** The core as `wasm/portico.js` binds it. Each method returns what it told, as JSON text. */
export interface CoreInstance {
  first(): string
  dispatch(event: string, now: number): string
  resolve(id: number, outcome: string, now: number): string
  tick(now: number): string
}

/** What the core tells after each step. */
interface Told {
  readonly effects: readonly Effect[]
  /** When the one alarm is due, in epoch milliseconds. */
  readonly timeout: number | null
  readonly changes: Changes
}

export interface ShellParts extends Omit<Hands, 'dispatch'> {
  readonly store: Store
  boot(boot: string, now: number): CoreInstance
  /** Makes a fresh instance of the module, after the one before it trapped. */
  renew(): void
  /** Resolves once the views follow the store. */
  readonly mounted: Promise<void>
  /** The page, the options and what is stored, as they are now. */
  describe(): Boot
  now(): number
  /** Writes to the console, where the host wants to read it. */
  log(...what: readonly unknown[]): void
  /** The core trapped; calls that waited for it are over. */
  lost(): void
  /** It trapped again at once: nothing of it works any more. */
  stopped(): void
}

interface Step {
  take(core: CoreInstance, now: number): string
  /** The core could not read what it was told. */
  refused?(part: string): void
}

/** A core that traps again within this many milliseconds is not started again. */
const RESTART_PAUSE = 60_000
/** What `setTimeout` can hold; longer alarms are set again when it rings. */
const LONGEST_ALARM = 2 ** 31 - 1

export class Shell implements ShellForViews {
  readonly store: Store
  /** Whether the core opened the modal already. */
  opened = false
  readonly #parts: ShellParts
  readonly #hands: Hands
  #core: CoreInstance | null = null
  #steps: Step[] = []
  /** What happened before the core was there, told once all that its first step asked for is done. */
  #early: CoreEvent[] = []
  #running = false
  /** As the core told it; the store may know of the curtain already. */
  #modalOpen = false
  #changes: Changes = {}
  /** Told to the host once the store has the snapshot that it is about. */
  #afterwards: (() => void)[] = []
  #alarm: { at: number; timer: ReturnType<typeof setTimeout> } | null = null
  #trapped = Number.NEGATIVE_INFINITY
  #alert: Alert | null = null
  #notice: NoticeView | null = null

  constructor(parts: ShellParts) {
    const { store, page, host, near, endpoint, coreParts, relay } = parts
    this.#parts = parts
    this.store = store
    const publish: Hands['host']['publish'] = (...event) => this.#afterwards.push(() => host.publish(...event))
    const settle: Hands['host']['settle'] = (...answer) => host.settle(...answer)
    this.#hands = {
      page,
      near,
      endpoint,
      coreParts,
      relay,
      dispatch: this.dispatch,
      host: { settle, publish, warn: host.warn }
    }
  }

  /** Boots the core, then tells it what happened before it was there. Throws where it stopped over that. */
  begin(events: readonly CoreEvent[]): void {
    this.#early = [...events]
    this.#boot()
    this.#run()
    if (!this.#core) throw new Error('The core stopped')
  }

  readonly dispatch = (event: CoreEvent): void => {
    if (event.feature === 'notice' && event.event.type === 'alertDismissed' && this.#alert) {
      this.#alert = null
      if (this.#notice) this.#changes = { ...this.#changes, notice: this.#notice }
      this.#run()
    } else {
      this.#do(this.#told(event))
    }
  }

  readonly icon = (handle: string): string | undefined => this.#parts.page.icons.get(handle)

  readonly fetchPart = (part: Part): void => this.#parts.coreParts.fetch(part)

  #do(step: Step): void {
    if (!this.#core) return
    this.#steps.push(step)
    this.#run()
  }

  /** One step after the other, also those that effects and listeners ask for meanwhile; then everybody hears of it at once. */
  #run(): void {
    if (this.#running) return
    this.#running = true
    try {
      do {
        for (let step = this.#steps.shift(); step; step = this.#steps.shift()) this.#turn(step)
        if (this.#early.length > 0) this.#steps = this.#early.splice(0).map((event) => this.#told(event))
        else this.#publish()
      } while (this.#steps.length > 0)
    } finally {
      this.#running = false
    }
  }

  #turn(step: Step): void {
    const core = this.#core
    if (!core) return
    let told: Told
    try {
      const said = step.take(core, this.#parts.now())
      // Not a trap: it is as whole as before, and has heard nothing.
      if (said.startsWith('!') && step.refused) {
        step.refused(said.slice(1))
        return
      }
      told = JSON.parse(said)
    } catch (error) {
      this.#trap(error)
      return
    }
    this.#changes = { ...this.#changes, ...told.changes }
    this.#setAlarm(told.timeout)
    const { open = this.#modalOpen } = told.changes.modal ?? {}
    if (open && !this.#modalOpen) this.#open()
    this.#modalOpen = open
    for (const effect of told.effects) this.#perform(core, effect)
  }

  /** What is asked of servers waits for the first paint, and so does the part of the core for who is connected. */
  #open(): void {
    this.opened = true
    const opening = this.#parts.mounted.then(drawn)
    this.#hands.opening = opening
    void opening.then(() => {
      if (this.#hands.opening === opening) this.#hands.opening = undefined
      this.#hands.coreParts.fetch('home')
    })
  }

  #perform(core: CoreInstance, { id, operation }: Effect): void {
    perform(operation, this.#hands, (outcome) => {
      // Answers to a core that is gone are for nobody.
      if (this.#core !== core) return
      const answered = (text: string): Step => ({
        take: (core, now) => core.resolve(id, text, now),
        // The effect still waits for an answer.
        refused: (part) => {
          this.#parts.log(`The core cannot read the answer to ${operation.type}: ${part}`)
          if (text !== UNREADABLE) this.#steps.unshift(answered(UNREADABLE))
        }
      })
      this.#do(answered(asText(outcome) ?? UNREADABLE))
    })
  }

  #publish(): void {
    const changes = this.#changes
    this.#changes = {}
    this.#notice = changes.notice ?? this.#notice
    const notice = this.#alert ? { snack: null, ...this.#notice, alert: this.#alert, overPage: true } : changes.notice
    this.store.set(notice ? { ...changes, notice } : changes)
    for (const tell of this.#afterwards.splice(0)) tell()
  }

  #setAlarm(at: number | null): void {
    if (this.#alarm?.at === at) return
    if (this.#alarm) clearTimeout(this.#alarm.timer)
    this.#alarm = null
    if (at === null) return
    const delay = Math.min(Math.max(0, at - this.#parts.now()), LONGEST_ALARM)
    const timer = setTimeout(() => {
      this.#alarm = null
      this.#do({ take: (core, now) => core.tick(now) })
    }, delay)
    this.#alarm = { at, timer }
  }

  #told(event: CoreEvent): Step {
    // What a host handed over may hold anything.
    const text = asText(toJson(event))
    return {
      take: (core, now) => (text === null ? '!event' : core.dispatch(text, now)),
      refused: (part) => {
        const message = `${event.feature}: this call cannot be understood (${part})`
        this.#parts.log(message)
        const ticket = field(event.event, 'ticket')
        if (typeof ticket !== 'number') return
        const error = { reason: 'invalidArgument', message, code: null }
        this.#hands.host.settle(ticket, { type: 'rejected', error })
      }
    }
  }

  #boot(): void {
    // What a core tells once a part of it is there stands as on an idle page until then.
    const { name, nfts, activity, pairing, countdown, receive, send, sendTokens, onramp, swap, swapTokens } = idle
    const parts = { name, nfts, activity, pairing, countdown, receive, send, sendTokens, onramp, swap, swapTokens }
    this.#changes = { ...this.#changes, ...parts }
    try {
      this.#core = this.#parts.boot(JSON.stringify(this.#parts.describe()), this.#parts.now())
      this.#steps = [{ take: (core) => core.first() }]
    } catch (error) {
      this.#trap(error)
    }
  }

  /** A trap is final: the instance is dropped, and a fresh one starts from what is stored. */
  #trap(error: unknown): void {
    this.#parts.log(error)
    this.#drop()
    const now = this.#parts.now()
    const again = now - this.#trapped < RESTART_PAUSE
    this.#trapped = now
    if (again) {
      // Nothing that it was about to tell holds any more.
      this.#changes = {}
      this.#alert = null
      this.#parts.stopped()
      return
    }
    this.#parts.renew()
    this.#bootAgain()
  }

  /** Starts a fresh core: the one of another modal trapped in the memory that all of a page work in. */
  restart(): void {
    this.#drop()
    this.#bootAgain()
    this.#run()
  }

  #drop(): void {
    this.#core = null
    this.#modalOpen = false
    this.#steps = []
    this.#setAlarm(null)
    for (const stop of this.#parts.page.watches.values()) stop()
    this.#parts.page.watches.clear()
    this.#parts.lost()
  }

  #bootAgain(): void {
    this.#alert = { key: 'restarted', detail: '' }
    this.#parts.host.warn(this.#alert)
    if (this.#early.length === 0 && this.store.get().modal.open) this.#early = [OPEN]
    this.#boot()
  }
}

const OPEN: CoreEvent = {
  feature: 'modal',
  event: { type: 'openAsked', view: null, namespace: null, uri: null, arguments: null, ticket: null }
}

function asText(value: unknown): string | null {
  try {
    return JSON.stringify(value)
  } catch {
    return null
  }
}
