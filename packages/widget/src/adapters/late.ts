//! Providers whose code is fetched when their wallet is asked for the first time: most visitors of a page choose one wallet, many none.

import type { Eip1193Provider } from './eip155/provider.ts'

type Listener = (payload: never) => void

interface Late extends Eip1193Provider {
  readonly name: string
  on(event: string, listener: Listener): unknown
  removeListener(event: string, listener: Listener): unknown
}

/** Names of the methods of a provider that answer later, whose code may as well come later. */
type Answering<P> = { [K in keyof P]: P[K] extends (...given: never[]) => Promise<unknown> ? K : never }[keyof P]

/**
 * Provider that fetches its code with `load`, once its first method is called. `methods` are all that it has, besides `on` and
 * `removeListener`. After a failure the next call tries again, which in some browsers fails until the page is loaded anew.
 */
export function lateProvider<P extends Late>(
  name: string,
  methods: readonly Answering<P>[],
  load: () => Promise<P>
): P {
  let loaded: P | undefined
  let loading: Promise<P> | undefined
  /** Listeners of the time before the code is there. */
  const early: [event: string, listener: Listener][] = []

  async function fetched(): Promise<P> {
    try {
      const provider = await load()
      for (const [event, listener] of early.splice(0)) provider.on(event, listener)
      loaded = provider
      return provider
    } catch (cause) {
      loading = undefined
      throw new Error(`The code for ${name} did not load. Check the connection, then try again or reload the page.`, {
        cause
      })
    }
  }

  const answering = methods.map((method) => [
    method,
    async (...given: readonly never[]) => {
      loading ??= fetched()
      const provider = await loading
      return (provider[method] as (...given: readonly never[]) => unknown).apply(provider, given as never)
    }
  ])
  const provider = {
    name,
    ...Object.fromEntries(answering),
    on(event: string, listener: Listener) {
      if (loaded) loaded.on(event, listener)
      else if (!early.some((one) => one[0] === event && one[1] === listener)) early.push([event, listener])
      return provider
    },
    removeListener(event: string, listener: Listener) {
      loaded?.removeListener(event, listener)
      const index = early.findIndex((one) => one[0] === event && one[1] === listener)
      if (index >= 0) early.splice(index, 1)
      return provider
    }
  }
  return provider as P
}

/** Events that come before the choice of a row: the pointer, a finger or the focus reaches it. */
const SIGNS = ['pointerover', 'focusin']

/**
 * Fetches the code of wallets once the visitor reaches the row of one of them in the modal; their ids begin with `ids`. It does nothing for
 * other visitors. A failure is left to the provider, which tries again when its wallet is asked.
 */
export function fetchAhead(ids: string, load: () => Promise<unknown>): void {
  const ended = new AbortController()
  const listen = (place: EventTarget) => {
    for (const sign of SIGNS) place.addEventListener(sign, reached, { passive: true, signal: ended.signal })
  }
  const isRow = (one: EventTarget) => (one as HTMLElement).dataset?.testid?.startsWith(`wallet-selector-${ids}`)
  function reached(event: Event): void {
    const { localName, shadowRoot } = event.target as Element
    // From one element of a shadow tree to another, these events stay in the tree; only the way into the modal is heard outside.
    if (localName === 'w3m-modal' && shadowRoot) listen(shadowRoot)
    if (!event.composedPath().some(isRow)) return
    ended.abort()
    load().catch(() => {})
  }
  listen(window)
}
