import type { Eip1193Provider } from '../../adapters/eip155/provider.ts'
import { ahead, type walletEvents } from '../../generated/constants.ts'
import type { CoreEvent, Outcome } from '../../generated/core.ts'
import { thrownToJson, toJson } from '../json.ts'
import type { Page } from '../page.ts'

/** EIP-1193: the provider reaches nothing. */
const DISCONNECTED = 4900

/** Asks a wallet. It may throw before it gives a promise, give something else than a promise, or never answer. */
export async function requestWallet(page: Page, handle: string, method: string, params: unknown): Promise<Outcome> {
  const provider = page.providers.get(handle)
  if (!provider) {
    return { type: 'failed', error: { code: DISCONNECTED, message: 'This wallet is not in the page any more' } }
  }
  try {
    const asked = method === ahead.method && adopt(page, provider)
    const value: unknown = await (asked || provider.request(params === null ? { method } : { method, params }))
    return { type: 'answered', value: toJson(value) }
  } catch (error) {
    return { type: 'failed', error: thrownToJson(error) }
  }
}

/** The answer to what the wallet was handed before the core was there, if it is one for this attempt. */
function adopt(page: Page, provider: Eip1193Provider): Promise<unknown> | undefined {
  const shared = page.unanswered.get(provider)
  const request = page.handed ?? (shared && !page.adopted.has(shared) ? shared : undefined)
  if (!request) return undefined
  page.adopted.add(request)
  // An answer of a while ago says who was in use then.
  return request === shared ? request : request.then(() => provider.request({ method: 'eth_accounts' }))
}

/** Listens to a wallet's events, where it has any. */
export function watchWallet(page: Page, handle: string, dispatch: (event: CoreEvent) => void): Outcome {
  unwatchWallet(page, handle)
  const provider = page.providers.get(handle)
  if (!provider) return { type: 'done' }
  const stops = [
    listen(provider, 'accountsChanged', (accounts) =>
      dispatch({ feature: 'connect', event: { type: 'accountsChanged', handle, accounts: toJson(accounts) } })
    ),
    listen(provider, 'chainChanged', (chain) =>
      dispatch({ feature: 'network', event: { type: 'chainChanged', handle, chain: toJson(chain) } })
    ),
    listen(provider, 'disconnect', () =>
      dispatch({ feature: 'connect', event: { type: 'walletDisconnected', handle } })
    )
  ]
  page.watches.set(handle, () => {
    for (const stop of stops) stop()
  })
  return { type: 'done' }
}

/** Hears nothing more of a wallet, even where it cannot be told to stop. */
export function unwatchWallet(page: Page, handle: string): Outcome {
  page.watches.get(handle)?.()
  page.watches.delete(handle)
  return { type: 'done' }
}

/** Those of the contract (spec 9.20), and the one with which a wallet says that it is gone. */
type WalletEvent = (typeof walletEvents)[number] | 'disconnect'

function listen(provider: Eip1193Provider, event: WalletEvent, tell: (payload: unknown) => void): () => void {
  let heard = true
  const listener = (payload: unknown) => {
    if (heard) tell(payload)
  }
  try {
    provider.on?.(event, listener)
  } catch {
    // A wallet without this event never has it to tell.
  }
  return () => {
    heard = false
    try {
      provider.removeListener?.(event, listener)
    } catch {
      // It is not heard any more in any case.
    }
  }
}
