//! State before the core has loaded: queues calls until then, and draws the curtain.

import { bothSignIns } from '../generated/constants.ts'
import type { Snapshot } from '../generated/core.ts'
import type { Calls } from '../shell/calls.ts'
import { type LoadError, load, type Refusal, unreachable } from '../shell/load.ts'
import { Store } from '../shell/store.ts'
import type { Labels } from '../text/labels.ts'
import { stillCss } from '../theme/still.css.ts'
import { applyTheme } from '../theme/variables.ts'
import { before } from './before.ts'
import { asCoreNetwork, withCaip } from './caip.ts'
import { type Curtain, drawCurtain } from './curtain.ts'
import { askAhead, type DraftWallet, draftWallets, unanswered } from './draft.ts'
import { type Log, noEvent } from './events.ts'
import { read } from './given.ts'
import type { CaipNetwork, CreateAppKit } from './options.ts'
import { PorticoError } from './PorticoError.ts'
import { createStage, type Stage } from './stage.ts'
import { isNew, remembered, signsOut } from './stored.ts'

/** Call that is queued until the core has loaded. */
export interface Waiting {
  readonly name: CallName
  readonly given: readonly unknown[]
  /** Whether it opens the modal, so that closing the curtain cancels it. */
  readonly opens: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
}

export type CallName = keyof Calls
type Answer<Name extends CallName> = Calls[Name] extends (...given: never) => infer Result ? Result : never

const BROKEN: Refusal = {
  title: 'Stopped',
  text: 'The widget stopped after an error. Reload the page.',
  again: ''
}

export class Engine {
  readonly store = new Store(before)
  readonly log: Log = (...what) => {
    if (this.options.logLevel !== 'silent') console.error(...what)
  }
  readonly events = new Store(noEvent)
  /** Snapshot for server rendering: from the options alone. */
  readonly initial: Snapshot
  /** The host's own network objects, by CAIP-2 id. */
  readonly networks = new Map<string, CaipNetwork>()
  options: CreateAppKit
  /** Labels of the buttons; `preload.ts` sets those of another language. */
  labels: Labels = {
    connect: 'Connect Wallet',
    connecting: 'Connecting...',
    select: 'Select Network',
    change: 'Switch Network',
    unknown: 'Unknown Network',
    wrong: 'Wrong Network'
  }
  /** What a load without a connection says; `preload.ts` sets that of another language. */
  unreachable: Refusal = unreachable
  /** Methods that need the core, once it has loaded. */
  calls: Calls | undefined
  /** The modal's place in the page, created when first needed. */
  stage: Stage | undefined
  /** Account requests sent before the core had loaded; the core takes them over. */
  readonly unanswered = unanswered
  #waiting: Waiting[] = []
  #loading: Promise<void> | undefined
  #refusal: Refusal | undefined
  #broken = false
  #restoring = false
  #curtain: Curtain | undefined

  constructor(given: CreateAppKit) {
    const options = read(given, true)
    if (options.siwx && options.siweConfig) throw new Error(bothSignIns)
    this.options = options
    for (const network of Object.values(read(options.networks))) this.remember(network)
    this.initial = this.#seed(withCaip(options.defaultNetwork))
    this.store.set(this.initial)
    if (typeof document === 'undefined') return
    const { connected, network } = remembered()
    this.#restoring = connected && options.enableReconnect !== false
    if (network !== undefined && this.networks.has(network)) this.store.set(this.#seed(this.networks.get(network)))
    if (this.#restoring) this.#seedConnecting()
    const leaves = (options.siwx || options.siweConfig) && signsOut()
    if (this.#restoring || options.enableEmbedded || leaves || (options.features?.multiWallet && !isNew()))
      void this.load()
    if (options.preload === 'idle' || !/^(en|$)/.test(options.locale || document.documentElement.lang))
      import('./preload.ts').then(({ preload }) => preload(this)).catch(this.log)
  }

  /** Stores the host's object of a new network. Returns its CAIP-2 id, or `undefined` for an invalid or known one. */
  remember(network: Parameters<typeof withCaip>[0]): string | undefined {
    const whole = withCaip(network)
    if (!whole || this.networks.has(whole.caipNetworkId)) return undefined
    this.networks.set(whole.caipNetworkId, whole)
    return whole.caipNetworkId
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
      themeVariables: read(themeVariables),
      embedded: enableEmbedded === true
    }
    return { ...before, config, network }
  }

  /** Shows the stored connection as being restored (spec 4.2). */
  #seedConnecting(): void {
    const { network, connect } = this.store.get()
    const namespace = network.activeNamespace ?? 'eip155'
    this.store.set({ connect: { ...connect, statuses: [{ namespace, status: 'connecting' }] } })
  }

  /** Whether the stored connection is restored or has failed; true where there was none. */
  get initialized(): boolean {
    if (!this.#restoring) return true
    const waits = (status: string) => status === 'connecting' || status === 'reconnecting'
    if (!this.store.get().connect.statuses.some((one) => waits(one.status))) this.#restoring = false
    return !this.#restoring
  }

  /** Whether the core stopped after an error: only a page reload gives a new one. */
  get stopped(): boolean {
    return this.#broken
  }

  /** Whether nothing is connected or about to be. */
  get idle(): boolean {
    return !this.calls && !this.#restoring && this.#waiting.length === 0
  }

  /** Fetches the code of the modal, once. It never rejects: the curtain shows the failure. */
  load(): Promise<void> {
    if (this.#broken || typeof document === 'undefined') return Promise.resolve()
    this.#refusal = undefined
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined
      this.#refuse(error)
    })
    return this.#loading
  }

  /** The visitor is likely to open the modal next. */
  intend(): void {
    if (this.options.preload !== 'none') void this.load()
  }

  /** Fetches the code and module that `load` starts. */
  fetch(priority?: RequestPriority): ReturnType<typeof load> {
    return load(this.options.wasmUrl, this.headless, priority)
  }

  async #load(): Promise<void> {
    const { start, module } = await this.fetch()
    await start({
      engine: this,
      error: PorticoError,
      module,
      stage: () => this.#stand(),
      next: (until) => (this.#waiting[0]?.name === until ? undefined : this.#waiting.shift()),
      stopped: () => this.#stop()
    })
    this.#curtain?.lift()
    this.#curtain = undefined
  }

  #stand(): Stage {
    this.stage ??= createStage(!(this.options.disableAppend || this.options.enableEmbedded))
    return this.stage
  }

  /** Performs a call now, or once the core has loaded. A `quiet` call does not fetch the core and resolves at once. */
  call<Name extends CallName>(name: Name, given: readonly unknown[], how: 'quiet' | 'opens' | '' = ''): Answer<Name> {
    const opens = how === 'opens'
    const there = typeof document !== 'undefined'
    if (how) this.stage?.join()
    if (opens && there && !this.calls) {
      // Requests go out before the drawing, so that both run at the same time.
      void this.load()
      this.#draw(given[0])
    }
    if (this.calls) return (this.calls[name] as (...given: readonly unknown[]) => Answer<Name>)(...given)
    const promise = new Promise((resolve, reject) => {
      if (!there) reject(new PorticoError('noBrowser', 'Call this in a browser'))
      else if (this.#broken) reject(new PorticoError('stopped', BROKEN.text))
      else this.#waiting.push({ name, given, opens, resolve, reject })
    }) as Answer<Name> & Promise<unknown>
    if (how !== 'quiet') {
      void this.load()
      return promise
    }
    promise.catch(() => {})
    return Promise.resolve() as Answer<Name>
  }

  close(): void {
    if (this.#curtain) this.#curtain.shut()
    else this.calls?.close()
  }

  /** Passes changed options to the core; before it has loaded they are stored for its start. */
  change(given: Partial<CreateAppKit>): void {
    const options = read(given, true)
    const features = { ...this.options.features, ...options.features }
    this.options = { ...this.options, ...options, features }
    if (this.calls) this.calls.change(options)
    else this.store.set({ config: this.#seed(undefined).config })
  }

  /** Whether no interface is ever drawn. */
  get headless(): boolean {
    const { headless, features } = this.options
    return (headless ?? features?.headless) === true
  }

  #draw(wanted?: unknown): void {
    if (this.options.enableEmbedded || this.headless) return
    const still = stillCss()
    const wallets = this.#draft(wanted)
    // `#draft` requests announcements: a wallet's listener may have opened the curtain.
    if (!this.#curtain) {
      const stage = this.#stand()
      const { themeMode, themeVariables } = this.store.get().config
      applyTheme(stage.host, themeMode, themeVariables)
      const name = this.options.messages?.titleConnect ?? this.labels.connect
      this.#curtain = drawCurtain(stage, name, still, wallets, {
        meant: (wallet) => this.#mean(wallet),
        chosen: (wallet) => this.#choose(wallet),
        closed: () => this.#dropped(),
        again: () => this.load()
      })
      const refusal = this.#broken ? BROKEN : this.#refusal
      if (refusal) this.#curtain.refuse(refusal)
    }
    this.setModal({ open: true })
  }

  /** Draft list, if the Connect view is the one to open. */
  #draft(wanted: unknown): ReturnType<typeof draftWallets> {
    const connect = Object.values(wanted ?? {}).every((value) => [undefined, 'Connect', 'eip155'].includes(value))
    const { activeNamespace } = this.store.get().network
    return connect && activeNamespace === 'eip155' && !this.#restoring && !this.#curtain
      ? draftWallets(this.options)
      : []
  }

  /** Fetches the WalletConnect client ahead of a choice; one request brings code and module. */
  #mean({ kind }: DraftWallet): void {
    if (kind) import('../shell/relay/relay.ts').catch(() => {})
  }

  #choose(wallet: DraftWallet): void {
    this.call('choose', [wallet, askAhead(this.options, wallet)], 'opens').catch(() => {})
  }

  /** The visitor closed the first frame, which stands until the core is loaded: calls that would open the modal are cancelled. */
  #dropped(): void {
    this.#curtain = undefined
    // The core may refuse to close.
    if (this.calls) this.calls.close()
    else this.setModal({ open: false })
    const dropped = this.#waiting.filter(({ opens }) => opens)
    // A wallet with a pending request may still agree, as when the modal is closed later. Only a choice has a second argument.
    if (dropped.some(({ given }) => given[1]) && !this.#refusal) this.call('close', [], 'quiet')
    else {
      this.#waiting = this.#waiting.filter(({ opens }) => !opens)
      this.#reject(dropped, 'modalClosed', 'The modal was closed before a wallet was connected')
      this.#giveUp()
    }
  }

  /** Rejects all queued calls: there is no way left to try again. */
  #giveUp(): void {
    if (this.#refusal) this.#reject(this.#waiting.splice(0), 'loadFailed', this.#refusal.text)
  }

  #reject(calls: readonly Waiting[], reason: string, message: string): void {
    for (const { reject } of calls) reject(new PorticoError(reason, message))
  }

  /** Updates the modal's state before the core has loaded. */
  setModal(modal: Partial<Snapshot['modal']>): void {
    this.store.set({ modal: { ...this.store.get().modal, ...modal } })
  }

  #refuse(error: unknown): void {
    this.log(error)
    const told = (error as Partial<LoadError>)?.refusal ?? BROKEN
    const refusal = told === unreachable ? this.unreachable : told
    this.#refusal = refusal
    if (this.#restoring) {
      this.#restoring = false
      this.store.set({ connect: before.connect })
    }
    // With the curtain open the visitor can try again; without it there is no way to.
    if (this.#curtain) this.#curtain.refuse(refusal)
    else this.#giveUp()
  }

  #stop(): void {
    const wasOpen = this.store.get().modal.open
    this.#broken = true
    this.calls = undefined
    this.store.set(this.initial)
    if (wasOpen) this.#draw()
  }
}
