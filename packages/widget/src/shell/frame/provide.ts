//! Puts the provider of the embedded wallet into the page, as part of what is loaded for a host that has one.

import { frame as forms } from '../../generated/constants.ts'
import type { Engine } from '../../host/engine.ts'
import type { Calls } from '../calls.ts'
import { field } from '../json.ts'
import type { Page } from '../page.ts'
import { EmbeddedProvider } from './EmbeddedProvider.ts'

export function provide(engine: Engine, calls: Calls, page: Page): void {
  const { store } = engine
  const address = () => store.get().account.accounts.find(({ connector }) => connector === 'AUTH')?.address ?? undefined
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
}
