//! Boots the core and connects it to the page and the host's API.

import initialise, { Core, __wbg_reset_state as renew } from '../../wasm/portico.js'
import { ahead } from '../generated/constants.ts'
import type { CoreEvent } from '../generated/core.ts'
import { alerts } from '../generated/words.ts'
import type { CallName, Engine, Waiting } from '../host/engine.ts'
import type { TrackedEvent } from '../host/events.ts'
import type { PorticoError } from '../host/PorticoError.ts'
import type { Stage } from '../host/stage.ts'
import { remembered } from '../host/stored.ts'
import { Calls } from './calls.ts'
import { steadyClock } from './clock.ts'
import { describe } from './describe.ts'
import { drawn } from './drawn.ts'
import { frameHands } from './frame/hands.ts'
import { field } from './json.ts'
import { externalWallets, listed, listenToAdapters } from './listen/external.ts'
import { discoverWallets } from './listen/providers.ts'
import { listenToVisibility } from './listen/visibility.ts'
import { tellTimeZone } from './listen/zone.ts'
import type { Refusal } from './load.ts'
import { connectsAtOnce } from './oneClick.ts'
import { Page } from './page.ts'
import { partsOf } from './parts.ts'
import { alertLog } from './perform/alerts.ts'
import { relayHands } from './relay/hands.ts'
import { Shell } from './shell.ts'

/** Dependencies that the host's side passes in. */
export interface StartParts {
  readonly engine: Engine
  /** Error class for rejected calls: hosts compare with the class that they import. */
  readonly error: typeof PorticoError
  readonly module: WebAssembly.Module
  /** The modal's place in the page; called only if there is a modal. */
  stage(): Stage
  /** Next call queued for the core, up to the first one named `until`. */
  next(until?: CallName): Waiting | undefined
  stopped(): void
}

/** All shells of the page. Their cores share one memory, which is dropped as a whole when one of them traps. */
const shells = new Set<Shell>()

function renewAllBut(trapped: Shell): void {
  renew()
  for (const shell of shells) if (shell !== trapped) shell.restart()
}

/**
 * Boots the core, so that from now on a call is one synchronous dispatch. Work that can follow the modal's first frame waits for `mounted`.
 */
export async function begin(
  parts: StartParts,
  near: () => Element,
  stopped: () => void,
  mounted: Promise<void>
): Promise<Shell> {
  const { engine, error } = parts
  const instance = () => initialise({ module_or_path: parts.module })
  const coreParts = partsOf(instance, engine.options.wasmUrl, engine.log)
  // A visitor with a stored connection needs this part in a moment.
  if (remembered().connected) coreParts.fetch('home')
  // Fetched beside the module, and only for a host with an embedded wallet. Without it other wallets still connect.
  const login = engine.options.embeddedWallet
    ? import('./frame/provide.ts').catch((error: unknown) => {
        engine.log(error)
        return undefined
      })
    : undefined
  const several = listed(field(engine.options, 'adapters'))[1] ? import('./multiChain.ts').catch(engine.log) : undefined
  await instance()
  const embedded = await login
  const { MultiChainCalls } = (await several) ?? {}
  const { store, log, events } = engine
  const { endpoints } = engine.options
  const page = new Page()
  page.unanswered = engine.unanswered
  page.external = () => externalWallets(engine.options)
  const early: CoreEvent[] = []
  let dispatch = (event: CoreEvent): void => {
    early.push(event)
  }
  const { networks } = engine
  const relay = relayHands({
    options: () => engine.options,
    networks,
    page,
    dispatch: (event) => dispatch(event),
    read: (...read) => calls.readChain(...read)
  })
  page.universal = relay.universal
  const frame = frameHands({
    options: () => engine.options,
    snapshot: () => store.get(),
    place: () => placeOf(near()),
    dispatch: (event) => dispatch(event)
  })
  const calls = new (MultiChainCalls ?? Calls)(engine, page, error, (event) => dispatch(event))
  embedded?.provide(engine, calls, page)
  const shell: Shell = new Shell({
    store,
    page,
    log,
    renew: () => renewAllBut(shell),
    near,
    mounted,
    coreParts,
    relay,
    frame,
    connectSigned: (request) => {
      if (!connectsAtOnce(engine.options, request)) return undefined
      const it = request.method === ahead.method ? import('./evmSignedConnect.ts') : import('./signedConnect.ts')
      const tell = (event: CoreEvent) => dispatch(event)
      return it.then(({ connectSigned }): unknown =>
        connectSigned(request, { options: engine.options, networks, dispatch: tell })
      )
    },
    signIn: async (...asked) => (await import('./signIn.ts')).askSite(engine.options, { store, dispatch }, ...asked),
    host: {
      // A host that awaits `open()` may inspect the modal right after.
      settle: (...answer) => void mounted.then(() => calls.tickets.settle(...answer)),
      publish: (event, properties, address) => {
        const data = { type: 'track', event, properties: properties as TrackedEvent['properties'] } as const
        events.set({ timestamp: Date.now(), data: address === null ? data : { ...data, address } })
      },
      warn: alertLog(log, calls.reportedAlerts),
      log
    },
    lost: () => calls.tickets.rejectAll('restarted', 'The wallet widget restarted. Try again.'),
    boot: (boot, now) => new Core(boot, now),
    describe: () => describe(engine.options),
    now: steadyClock(),
    endpoint: typeof endpoints === 'string' ? endpoints : endpoints?.base,
    stopped() {
      shells.delete(shell)
      renewAllBut(shell)
      stopped()
      parts.stopped()
    }
  })
  shells.add(shell)
  if (store.get().modal.loading) calls.setLoading(true)
  const carryOut = (until?: CallName) => {
    // If the core has stopped meanwhile, the engine rejects the remaining calls.
    const next = () => (engine.stopped ? undefined : parts.next(until))
    for (let call = next(); call; call = next()) {
      const { name, given, resolve, reject } = call
      try {
        resolve((calls[name] as (...given: readonly unknown[]) => unknown)(...given))
      } catch (error) {
        reject(error)
      }
    }
  }
  // A choice of a wallet, and the calls after it, wait until the wallets are known.
  carryOut('choose')
  dispatch = shell.dispatch
  engine.calls = calls
  shell.begin(early)
  carryOut()
  listenToVisibility(store, shell.dispatch)
  // The visitor comes back from an on-ramp provider, or from a social login.
  if (location.search.includes('portico-')) {
    void import('./listen/returned.ts').then(({ tellReturn }) => tellReturn(store, shell.dispatch))
  }
  void mounted.then(drawn).then(() => {
    tellTimeZone(shell.dispatch)
    // The page's developer, and no visitor, pays for the check of the options' names.
    if (/^(localhost|127\.|\[::1)|\.localhost$/.test(location.hostname))
      import('../host/check.ts').then(({ checkOptions }) => checkOptions(engine.options, log)).catch(log)
  })
  listenToAdapters(
    engine.options,
    () => discoverWallets(page, shell.dispatch),
    (namespace) =>
      store.get().network.chains.find((one) => one.namespace === namespace)?.networkState.caipNetwork ?? undefined,
    (namespace) => store.get().account.accounts.find((one) => one.namespace === namespace)?.address ?? undefined
  )
  return shell
}

/** Element of the page whose shadow root has the modal. */
function placeOf(dialog: Element): Element | undefined {
  const root = dialog.getRootNode()
  return root instanceof ShadowRoot ? root.host : undefined
}

/** Something other than the module is at its address: the visitor's connection is fine, and the console has the details. */
const WRONG: Refusal = {
  title: "Couldn't load the widget",
  text: 'Contact the site if this happens again.',
  again: 'Try again'
}

/** Browsers' wordings of a compile error that is caused by the page's CSP, not by the module. */
const POLICY = /refused|blocked|content.security|unsafe-eval|\bCSP\b|disallowed/i

/** Hint for the host, in the console, when the module is not at its address. */
const ELSEWHERE = 'Set wasmUrl to the address of portico_bg.wasm, and serve the other portico_*.wasm files beside it.'

/**
 * Reason why the core could not be compiled, if it is more than an unreachable module; `named` is the address that the host set, if any.
 */
export function refusalOf(error: unknown, named?: unknown): Refusal | undefined {
  const { short, long } = alerts.webAssemblyRefused
  const refused: Refusal = { title: short, text: long, again: '' }
  if (typeof WebAssembly === 'undefined') return refused
  const cause = error instanceof Error && error.cause
  // `fetch` and reading its body reject with a TypeError when the connection fails. So does a build into a single file, which has no
  // address of its own.
  if ((error instanceof TypeError || cause instanceof TypeError) && (named || hasAddress())) return undefined
  if (cause instanceof WebAssembly.CompileError && POLICY.test(cause.message)) return refused
  if (error instanceof Error) error.message += `. ${ELSEWHERE}`
  return WRONG
}

function hasAddress(): boolean {
  try {
    return new URL(import.meta.url) !== undefined
  } catch {
    return false
  }
}
