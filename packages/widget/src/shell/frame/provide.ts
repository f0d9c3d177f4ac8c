//! Puts the provider of the embedded wallet into the page, as part of what is loaded for a host that has one.

import type { ChainAdapter } from '../../adapters/adapter.ts'
import { frame as forms } from '../../generated/constants.ts'
import type { Engine } from '../../host/engine.ts'
import { read } from '../../host/given.ts'
import type { Calls } from '../calls.ts'
import { field } from '../json.ts'
import type { Page } from '../page.ts'
import { EmbeddedProvider } from './EmbeddedProvider.ts'

export function provide(engine: Engine, calls: Calls, page: Page): void {
  const { store } = engine
  const address = () => {
    const { accounts } = store.get().account
    const ours = accounts.find(({ connector, namespace }) => connector === 'AUTH' && namespace !== 'solana')
    return ours?.address ?? undefined
  }
  const provider = new EmbeddedProvider({
    request: (method, params, chain) =>
      calls.askEmbedded((ticket) => ({ type: 'requestAsked', method, params, chain, ticket })),
    call: (method, payload) => calls.askEmbedded((ticket) => ({ type: 'methodCalled', method, payload, ticket })),
    address,
    chains() {
      const { networks } = store.get().network
      return networks.flatMap(({ chainNamespace, id }) => (chainNamespace === 'eip155' ? Number(id) : []))
    },
    change: (options) => engine.change(options),
    disconnect: () => calls.disconnect({ id: 'AUTH' }),
    log: engine.log
  })
  /** Stops waiting for the account of a login. */
  let stop: (() => void) | undefined
  calls.tickets.listen((told) => {
    const event = String(field(told, 0))
    const tell = () => provider.tell(event, field(told, 1))
    if (event === 'connect' || event === 'notConnected') stop?.()
    // A login is told once the page has its account.
    if (event !== 'connect' || address()) return tell()
    stop = store.subscribe(() => {
      if (!address()) return
      stop?.()
      tell()
    })
  })
  page.providers.set(forms.handle, provider)
  followOnSolana(engine, calls, page, provider, address)
}

/** Fetches the account on Solana with the first login, for a host with an adapter that makes providers there. */
function followOnSolana(
  engine: Engine,
  calls: Calls,
  page: Page,
  provider: EmbeddedProvider,
  address: () => string | undefined
): void {
  const { store, log, options } = engine
  const adapters = Object.values(read(options.adapters)) as readonly ChainAdapter[]
  const adapter = adapters.find((one) => field(one, 'namespace') === 'solana')
  if (typeof field(adapter, 'provide') !== 'function') return
  const stop = store.subscribe(() => {
    if (!address()) return
    stop()
    import('./solanaAccount.ts')
      .then(({ followLogin }) =>
        followLogin({
          engine,
          page,
          ours: provider,
          provide: (wallet) => (adapter as Required<ChainAdapter>).provide(wallet),
          address,
          tell: (accounts) => calls.tellOnSolana(accounts)
        })
      )
      .catch((error) => {
        log(error)
        // A host may wait for the account.
        calls.tellOnSolana([])
      })
  })
}
