//! The part of the shell that is fetched on the visitor's first sign of interest.

import initialise, { Core, __wbg_reset_state as renew } from '../../wasm/portico.js'
import type { CoreEvent } from '../generated/core.ts'
import { idle } from '../generated/idle.ts'
import { alerts } from '../generated/words.ts'
import type { CreateAppKit } from '../host/options.ts'
import type { Stage } from '../host/stage.ts'
import { mountModal } from '../modal/mount.tsx'
import { steadyClock } from './clock.ts'
import { describe } from './describe.ts'
import { logAlerts } from './listen/alerts.ts'
import { externalWallets } from './listen/external.ts'
import { listenToVisibility } from './listen/visibility.ts'
import type { Refusal } from './load.ts'
import { Page } from './page.ts'
import type { HostHands } from './perform/host.ts'
import { Shell } from './shell.ts'
import type { Store } from './store.ts'

/** What the host's side hands over. */
export interface StartParts {
  readonly module: WebAssembly.Module
  readonly stage: Stage
  readonly store: Store
  readonly host: HostHands
  options(): CreateAppKit
  /** The events so far; asked for once, when the core is there. */
  early(): readonly CoreEvent[]
  /** From now on events go to the shell. */
  arrived(shell: Shell, page: Page): void
  /** Writes to the console, where the host wants to read it. */
  log(...what: readonly unknown[]): void
  lost(): void
  stopped(): void
}

/** Boots the core and mounts the modal, so that from now on a click is one synchronous dispatch. */
export async function start(parts: StartParts): Promise<void> {
  await initialise({ module_or_path: parts.module })
  const { stage, store, host, options, log, lost } = parts
  const { endpoints } = options()
  const page = new Page()
  page.external = externalWallets(options())
  let unmount = () => {}
  const shell = new Shell({
    store,
    page,
    host,
    log,
    lost,
    renew,
    boot: (boot, now) => new Core(boot, now),
    describe: () => describe(options()),
    now: steadyClock(),
    near: () => stage.dialog,
    endpoint: typeof endpoints === 'string' ? endpoints : endpoints?.base,
    stopped() {
      unmount()
      parts.stopped()
    }
  })
  logAlerts(store, log)
  parts.arrived(shell, page)
  shell.begin(parts.early())
  listenToVisibility(store, shell.dispatch)
  unmount = mountModal(stage, shell)
}

/**
 * Draws once, into nothing, what will be drawn. Called while the module is still on its way: the browser has nothing else to do,
 * and the first frame with wallets does not wait for it to compile React's way through the views.
 */
export function rehearse(): void {
  const host = document.createElement('div')
  const shadow = host.attachShadow({ mode: 'open' })
  const dialog = shadow.appendChild(document.createElement('dialog'))
  const item = { id: '', name: '', handle: '', icon: false, imageUrl: null, installed: true, recent: false }
  const wallets = { groups: [{ kind: 'injected', items: [item] }] } as const
  const snapshot = { ...idle, connect: { ...idle.connect, discovered: true }, wallets }
  const store = { get: () => snapshot, subscribe: () => () => {} }
  mountModal({ host, shadow, dialog }, { store, dispatch() {}, icon: () => undefined })
}

/** The words in which browsers say that the page's policy, not the module, is why it was not compiled. */
const POLICY = /refused|blocked|content.security|unsafe-eval|\bCSP\b|disallowed/i

/** Why the core could not be compiled, where more is known than that it is not there. */
export function refusalOf(error: unknown): Refusal | undefined {
  const compiled = typeof WebAssembly !== 'undefined'
  const refused = !compiled || (error instanceof WebAssembly.CompileError && POLICY.test(error.message))
  const { short, long } = alerts.webAssemblyRefused
  return refused ? { title: short, text: long, again: false } : undefined
}
