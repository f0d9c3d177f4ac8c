//! The loop in the browser: events in, effects out and answered, one alarm, the snapshot to the store.

import type { Alert, Boot, CoreEvent, Effect, NoticeView, Part } from '../generated/core.ts'
import { idle } from '../generated/idle.ts'
import { drawn } from './drawn.ts'
import { field, toJson, UNREADABLE } from './json.ts'
import { type Hands, perform } from './perform/index.ts'
import type { ShellForViews } from './react.tsx'
import type { Changes, Store } from './store.ts'

/** Core as bound by `wasm/portico.js`. Each method returns its output as JSON text. */
export interface CoreInstance {
  first(): string
  dispatch(event: string, now: number): string
  resolve(id: number, outcome: string, now: number): string
  tick(now: number): string
}

/** Output of the core after each step. */
interface Told {
  readonly effects: readonly Effect[]
  /** Time of the single alarm, in epoch milliseconds. */
  readonly timeout: number | null
  /** Number of list items in the server's answers that did not fit their types so far; the core left them out. */
  readonly skipped: number
  readonly changes: Changes
}

export interface ShellParts extends Omit<Hands, 'dispatch'> {
  readonly store: Store
  boot(boot: string, now: number): CoreInstance
  /** Creates a fresh instance of the module, after the previous one trapped. */
  renew(): void
  /** Resolves once the views follow the store. */
  readonly mounted: Promise<void>
  /** Boot data: the page, the options and the stored entries, as they are now. */
  describe(): Boot
  now(): number
  /** Writes to the console, unless the host turned that off. */
  log(...what: readonly unknown[]): void
  /** Called when the core trapped: calls that waited for it have failed. */
  lost(): void
  /** Called when the core trapped twice in a row and will not be restarted. */
  stopped(): void
}

interface Step {
  take(core: CoreInstance, now: number): string
  /** Called when the core could not parse its input. */
  refused?(part: string): void
}

/** Minimum time in milliseconds between two traps; if the second comes earlier, the core is not restarted. */
const RESTART_PAUSE = 60_000
/** Longest delay that `setTimeout` supports; a longer alarm is set again when it rings. */
const LONGEST_ALARM = 2 ** 31 - 1

export class Shell implements ShellForViews {
  readonly store: Store
  /** Whether the core has opened the modal already. */
  opened = false
  readonly #parts: ShellParts
  readonly #hands: Hands
  #core: CoreInstance | null = null
  #steps: Step[] = []
  /** Events from before the core had loaded, dispatched once the effects of its first step are done. */
  #early: CoreEvent[] = []
  #running = false
  /** Modal state of the core; the store may have the curtain's already. */
  #modalOpen = false
  #skipped = 0
  #changes: Changes = {}
  /** Host notifications to send once the store has their snapshot. */
  #afterwards: (() => void)[] = []
  #alarm: { at: number; timer: ReturnType<typeof setTimeout> } | null = null
  #trapped = Number.NEGATIVE_INFINITY
  #alert: Alert | null = null
  #notice: NoticeView | null = null

  constructor(parts: ShellParts) {
    const { store, page, host, near, endpoint, coreParts, relay, frame, connectSigned, signIn } = parts
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
      frame,
      connectSigned,
      signIn,
      dispatch: this.dispatch,
      host: { settle, publish, warn: host.warn, log: host.log }
    }
  }

  /** Boots the core, then dispatches earlier events. Throws if the core stopped meanwhile. */
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

  /** Runs all queued steps, including those that effects and listeners add meanwhile; then notifies all subscribers at once. */
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
      // Not a trap: the core rejected the input and its state is unchanged.
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
    const skipped = told.skipped - this.#skipped
    this.#skipped = told.skipped
    if (skipped > 0) this.#parts.log(`Items left out of the answers of the server because they do not fit: ${skipped}`)
    this.#setAlarm(told.timeout)
    const { open = this.#modalOpen } = told.changes.modal ?? {}
    if (open && !this.#modalOpen) this.#open()
    this.#modalOpen = open
    for (const effect of told.effects) this.#perform(core, effect)
  }

  /** Delays server requests, and the part of the core for connected visitors, until the first paint. */
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
      // The outcome belongs to a core that has been replaced.
      if (this.#core !== core) return
      const answered = (text: string): Step => ({
        take: (core, now) => core.resolve(id, text, now),
        // The effect still needs an answer.
        refused: (part) => {
          this.#parts.log(`Couldn't read the answer to ${operation.type}: ${part}`)
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
    // Events from a host may contain any value.
    const text = asText(toJson(event))
    return {
      take: (core, now) => (text === null ? '!event' : core.dispatch(text, now)),
      refused: (part) => {
        const message = `${event.feature}: couldn't read this call. Check ${part}.`
        this.#parts.log(message)
        const ticket = field(event.event, 'ticket')
        if (typeof ticket !== 'number') return
        const error = { reason: 'invalidArgument', message, code: null }
        this.#hands.host.settle(ticket, { type: 'rejected', error })
      }
    }
  }

  #boot(): void {
    // Snapshot fields of parts that have not loaded yet have their idle values.
    const { name, nfts, activity, pairing, countdown, receive, send, sendTokens } = idle
    const { solana, solanaTokens, bitcoin, onramp, swap, swapTokens, embedded, siwx } = idle
    const parts = {
      name,
      nfts,
      activity,
      pairing,
      countdown,
      receive,
      send,
      sendTokens,
      solana,
      solanaTokens,
      bitcoin,
      onramp,
      swap,
      swapTokens,
      embedded,
      siwx
    }
    this.#changes = { ...this.#changes, ...parts }
    try {
      this.#core = this.#parts.boot(JSON.stringify(this.#parts.describe()), this.#parts.now())
      this.#steps = [{ take: (core) => core.first() }]
    } catch (error) {
      this.#trap(error)
    }
  }

  /** Handles a trap: drops the instance, and starts a fresh one from storage. */
  #trap(error: unknown): void {
    this.#parts.log(error)
    this.#drop()
    const now = this.#parts.now()
    const again = now - this.#trapped < RESTART_PAUSE
    this.#trapped = now
    if (again) {
      // Changes that were not published yet are void.
      this.#changes = {}
      this.#alert = null
      this.#parts.stopped()
      return
    }
    this.#parts.renew()
    this.#bootAgain()
  }

  /** Starts a fresh core after another modal's core trapped: all cores of a page share one memory. */
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
