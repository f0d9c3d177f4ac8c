//! Boots the core between the page and the host's side.

import initialise, { Core, __wbg_reset_state as renew } from '../../wasm/portico.js'
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
import { externalWallets, listenToAdapters } from './listen/external.ts'
import { discoverWallets } from './listen/providers.ts'
import { listenToVisibility } from './listen/visibility.ts'
import { tellTimeZone } from './listen/zone.ts'
import type { Refusal } from './load.ts'
import { Page } from './page.ts'
import { partsOf } from './parts.ts'
import { alertLog } from './perform/alerts.ts'
import { relayHands } from './relay/hands.ts'
import { Shell } from './shell.ts'

/** What the host's side hands over. */
export interface StartParts {
  readonly engine: Engine
  /** The class of what calls reject with: hosts compare with the one that they import. */
  readonly error: typeof PorticoError
  readonly module: WebAssembly.Module
  /** Where the modal stands; asked for only where there is one. */
  stage(): Stage
  /** The next one of the calls that wait for the core, up to the first of this name. */
  next(until?: CallName): Waiting | undefined
  stopped(): void
}

/** The shells of the page: their cores work in one memory, which is dropped whole when one of them traps. */
const shells = new Set<Shell>()

function renewAllBut(trapped: Shell): void {
  renew()
  for (const shell of shells) if (shell !== trapped) shell.restart()
}

/** Boots the core, so that from now on a call is one synchronous dispatch. What can wait for the modal's first frame waits for `mounted`. */
export async function begin(
  parts: StartParts,
  near: () => Element,
  stopped: () => void,
  mounted: Promise<void>
): Promise<Shell> {
  const { engine, error } = parts
  const instance = () => initialise({ module_or_path: parts.module })
  const coreParts = partsOf(instance, engine.options.wasmUrl, engine.log)
  // Whoever was connected before is again in a moment.
  if (remembered().connected) coreParts.fetch('home')
  await instance()
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
  const relay = relayHands({ options: () => engine.options, networks, page, dispatch: (event) => dispatch(event) })
  page.universal = relay.universal
  const calls = new Calls(engine, page, error, (event) => dispatch(event))
  const shell: Shell = new Shell({
    store,
    page,
    log,
    renew: () => renewAllBut(shell),
    near,
    mounted,
    coreParts,
    relay,
    host: {
      // A host that awaits `open()` may look at the modal right after.
      settle: (...answer) => void mounted.then(() => calls.tickets.settle(...answer)),
      publish: (event, properties, address) => {
        const data = { type: 'track', event, properties: properties as TrackedEvent['properties'] } as const
        events.set({ timestamp: Date.now(), data: address === null ? data : { ...data, address } })
      },
      warn: alertLog(log, calls.reportedAlerts)
    },
    lost: () => calls.tickets.rejectAll('restarted', 'The wallet widget was started again after an error'),
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
    // Where the core stopped meanwhile, the engine refuses what is left.
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
  // A choice and what came after it wait until it is known which wallets there are.
  carryOut('choose')
  dispatch = shell.dispatch
  engine.calls = calls
  shell.begin(early)
  carryOut()
  listenToVisibility(store, shell.dispatch)
  // Back from one who sells coins.
  if (location.search.includes('portico-bought')) {
    void import('./listen/returned.ts').then(({ tellReturn }) => tellReturn(store, shell.dispatch))
  }
  void mounted.then(drawn).then(() => tellTimeZone(shell.dispatch))
  listenToAdapters(engine.options, () => discoverWallets(page, shell.dispatch))
  return shell
}

/** Something else than the module lies at its address: the visitor's line is not to blame, and the console says what came. */
const WRONG: Refusal = {
  title: 'Could not load',
  text: 'The widget did not load. Try again later.',
  again: true
}

/** The words in which browsers say that the page's policy, not the module, is why it was not compiled. */
const POLICY = /refused|blocked|content.security|unsafe-eval|\bCSP\b|disallowed/i

/** What the host can do about a module that is not where it is looked for; the console is where hosts read. */
const ELSEWHERE =
  'Name the address of portico_bg.wasm by the option wasmUrl, and serve the other portico_*.wasm files beside it.'

/** Why the core could not be compiled, where more is known than that it is not there; `named` where the host says where it lies. */
export function refusalOf(error: unknown, named?: unknown): Refusal | undefined {
  const { short, long } = alerts.webAssemblyRefused
  const refused: Refusal = { title: short, text: long, again: false }
  if (typeof WebAssembly === 'undefined') return refused
  const cause = error instanceof Error && error.cause
  // The line broke: `fetch` and the reading of its answer say so with this type. So does a build into a single file, which has no address of its own.
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
