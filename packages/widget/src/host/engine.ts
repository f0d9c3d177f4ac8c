//! What stands before the core: it queues what happens until the core is there, and draws the curtain meanwhile.

import { bothSignIns } from '../generated/constants.ts'
import type { CoreEvent, Snapshot } from '../generated/core.ts'
import { LoadError, load, type Refusal } from '../shell/load.ts'
import type { Page } from '../shell/page.ts'
import type { Shell } from '../shell/shell.ts'
import { Store } from '../shell/store.ts'
import { applyTheme } from '../theme/variables.ts'
import { before } from './before.ts'
import { asCoreNetwork, withCaip } from './caip.ts'
import { type Curtain, drawCurtain } from './curtain.ts'
import { Events, type Log } from './events.ts'
import type { CaipNetwork, CreateAppKit, ThemeVariables } from './options.ts'
import { createStage, type Stage } from './stage.ts'
import { remembered } from './stored.ts'
import { Tickets } from './tickets.ts'

/** What happened before the core was there. */
interface Early {
  readonly event: CoreEvent
  /** Whether it opens the modal, so that closing the curtain takes it back. */
  readonly opens: boolean
  cancel(reason: string, message: string): void
}

const BROKEN: Refusal = {
  title: 'Stopped',
  text: 'The wallet widget stopped after an error. Reload the page to use it again.',
  again: false
}

export class Engine {
  readonly store = new Store(before)
  readonly tickets = new Tickets()
  readonly log: Log = (...what) => {
    if (this.options.logLevel !== 'silent') console.error(...what)
  }
  readonly events = new Events(this.log)
  /** What a server renders: of the options alone. */
  readonly initial: Snapshot
  /** The host's own network objects, by CAIP-2 id. */
  readonly networks = new Map<string, CaipNetwork>()
  options: CreateAppKit
  #early: Early[] = []
  #loading: Promise<void> | undefined
  #refusal: Refusal | undefined
  #broken = false
  #restoring = false
  #stage: Stage | undefined
  #curtain: Curtain | undefined
  #shell: Shell | undefined
  #page: Page | undefined

  constructor(options: CreateAppKit) {
    if (options.siwx && options.siweConfig) throw new Error(bothSignIns)
    this.options = options
    for (const network of Array.isArray(options.networks) ? options.networks : []) this.remember(network)
    this.initial = this.#seed(withCaip(options.defaultNetwork))
    this.store.set(this.initial)
    if (typeof document === 'undefined') return
    const { connected, network } = remembered()
    this.#restoring = connected && options.enableReconnect !== false
    if (network !== undefined && this.networks.has(network)) this.store.set(this.#seed(this.networks.get(network)))
    if (this.#restoring) this.#seedConnecting()
    if (this.#restoring || options.enableEmbedded) void this.load()
  }

  remember(network: Parameters<typeof withCaip>[0]): void {
    const whole = withCaip(network)
    if (whole) this.networks.set(whole.caipNetworkId, whole)
  }

  #seed(wanted: CaipNetwork | undefined): Snapshot {
    const all = [...this.networks.values()]
    const active = wanted ?? all[0]
    const { themeMode, themeVariables, enableEmbedded } = this.options
    const mode = themeMode === 'light' ? themeMode : before.config.themeMode
    const network = {
      ...before.network,
      activeNamespace: active?.chainNamespace ?? null,
      active: active ? asCoreNetwork(active) : null,
      networks: all.map(asCoreNetwork)
    }
    const config = {
      ...before.config,
      themeMode: mode,
      themeVariables: flat(themeVariables),
      embedded: enableEmbedded === true
    }
    return { ...before, config, network }
  }

  /** A stored connection is being restored (spec 4.2). */
  #seedConnecting(): void {
    const { network, connect } = this.store.get()
    const namespace = network.activeNamespace ?? 'eip155'
    this.store.set({ connect: { ...connect, statuses: [{ namespace, status: 'connecting' }] } })
  }

  /** Whether the restored connection is known. */
  get initialized(): boolean {
    if (!this.#restoring) return true
    const waits = (status: string) => status === 'connecting' || status === 'reconnecting'
    if (!this.store.get().connect.statuses.some((one) => waits(one.status))) this.#restoring = false
    return !this.#restoring
  }

  /** Whether nothing was connected, nor is about to be. */
  get idle(): boolean {
    return !this.#shell && !this.#restoring && !this.#early.some(({ event }) => event.feature === 'connect')
  }

  get page(): Page | undefined {
    return this.#page
  }

  /** Fetches what the modal is made of, once. It never rejects: the curtain says what went wrong. */
  load(): Promise<void> {
    if (this.#broken || typeof document === 'undefined') return Promise.resolve()
    this.#refusal = undefined
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined
      this.#refuse(error)
    })
    return this.#loading
  }

  async #load(): Promise<void> {
    const { start, module } = await load(this.options.wasmUrl)
    await start({
      module,
      stage: this.#stand(),
      store: this.store,
      host: { settle: (...answer) => this.tickets.settle(...answer), publish: this.events.publish },
      options: () => this.options,
      early: () => this.#early.splice(0).map(({ event }) => event),
      arrived: (shell, page) => {
        this.#shell = shell
        this.#page = page
      },
      log: this.log,
      lost: () => this.tickets.rejectAll('restarted', 'The wallet widget was started again after an error'),
      stopped: () => this.#stop()
    })
    this.#curtain?.lift()
    this.#curtain = undefined
  }

  #stand(): Stage {
    this.#stage ??= createStage(!this.options.disableAppend)
    return this.#stage
  }

  /** Tells the core what happened, now or once it is there. */
  dispatch(event: CoreEvent, how: Partial<Omit<Early, 'event'>> & { readonly quiet?: boolean } = {}): void {
    const { opens = false, cancel = () => {}, quiet = false } = how
    const there = typeof document !== 'undefined'
    if (opens) this.#stage?.join()
    if (opens && there && !this.#shell) {
      // The requests leave first: drawing takes as long as a request's way.
      void this.load()
      this.#draw()
    }
    if (this.#shell) {
      this.#shell.dispatch(event)
    } else if (this.#broken || !there) {
      cancel(there ? 'stopped' : 'noBrowser', there ? BROKEN.text : 'There is no browser here')
    } else if (event.feature !== 'notice') {
      // Only the last word on it counts.
      if (event.event.type === 'loadingSet')
        this.#early = this.#early.filter((one) => one.event.event.type !== 'loadingSet')
      this.#early.push({ event, opens, cancel })
      if (!quiet) void this.load()
    }
  }

  /** Tells the core what the host asked for; the promise is settled by the core. */
  ask<T>(event: (ticket: number) => CoreEvent, opens = false): Promise<T> {
    const { ticket, promise } = this.tickets.take<T>()
    const cancel: Early['cancel'] = (reason, message) =>
      this.tickets.settle(ticket, { type: 'rejected', error: { reason, message, code: null } })
    this.dispatch(event(ticket), { opens, cancel })
    return promise
  }

  close(): void {
    if (this.#curtain) this.#curtain.shut()
    else this.#shell?.dispatch({ feature: 'modal', event: { type: 'closeAsked' } })
  }

  /** Tells the core, if it is there, of a changed option; before, it reads the options at its boot. */
  change(options: Partial<CreateAppKit>, event: CoreEvent): void {
    this.options = { ...this.options, ...options }
    if (this.#shell) this.#shell.dispatch(event)
    else this.store.set({ config: this.#seed(undefined).config })
  }

  #draw(): void {
    if (this.#curtain || this.options.enableEmbedded) return
    const stage = this.#stand()
    const { themeMode, themeVariables } = this.store.get().config
    applyTheme(stage.host, themeMode, themeVariables)
    this.#curtain = drawCurtain(stage, {
      closed: () => this.#dropped(),
      again: () => void this.load()
    })
    this.#setOpen(true)
    const refusal = this.#broken ? BROKEN : this.#refusal
    if (refusal) this.#curtain.refuse(refusal)
  }

  /** The visitor closed the curtain: what was to open behind it is taken back. */
  #dropped(): void {
    this.#curtain = undefined
    this.#setOpen(false)
    const dropped = this.#early.filter(({ opens }) => opens)
    this.#early = this.#early.filter(({ opens }) => !opens)
    for (const { cancel } of dropped) cancel('modalClosed', 'The modal was closed before a wallet was connected')
  }

  #setOpen(open: boolean): void {
    this.store.set({ modal: { ...this.store.get().modal, open } })
  }

  #refuse(error: unknown): void {
    this.log(error)
    const refusal = error instanceof LoadError ? error.refusal : BROKEN
    this.#refusal = refusal
    if (this.#restoring) {
      this.#restoring = false
      this.store.set({ connect: before.connect })
    }
    this.#curtain?.refuse(refusal)
    // With the curtain up the visitor may try again; without it nobody can.
    if (!this.#curtain) for (const { cancel } of this.#early.splice(0)) cancel('loadFailed', refusal.text)
  }

  #stop(): void {
    const wasOpen = this.store.get().modal.open
    this.#broken = true
    this.#shell = undefined
    this.store.set({ ...this.initial })
    if (wasOpen) this.#draw()
  }
}

/** A host's theme as it is now: its object may change later, or throw. */
export function flat(variables: object | undefined): ThemeVariables {
  const names = Object.keys(variables ?? {})
  return Object.fromEntries(
    names.flatMap((name) => {
      try {
        const value = (variables as Record<string, unknown>)[name]
        return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
      } catch {
        return []
      }
    })
  )
}
