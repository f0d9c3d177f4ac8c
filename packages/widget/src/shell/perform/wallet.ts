import type { Eip1193Provider, Provider } from '../../adapters/eip155/provider.ts'
import { ahead, type walletEvents } from '../../generated/constants.ts'
import type { CoreEvent, Outcome } from '../../generated/core.ts'
import { thrownToJson, toJson } from '../json.ts'
import type { Page } from '../page.ts'

/** EIP-1193 code: the provider is disconnected from all chains. */
const DISCONNECTED = 4900

/** Request to a wallet. */
export interface WalletRequest {
  readonly provider: Eip1193Provider
  readonly method: string
  readonly params: unknown
  /** Reverse domain of the wallet, or its id. */
  readonly wallet: string | undefined
}

/**
 * Asks a wallet to connect and sign in at once, if the request is one to connect. Answers `undefined` if the request is to be sent as it is.
 */
export type ConnectSigned = (request: WalletRequest) => Promise<unknown> | undefined

/** Sends a request to a wallet. The wallet may throw before it returns a promise, return something else, or never answer. */
export async function requestWallet(
  page: Page,
  handle: string,
  method: string,
  params: unknown,
  connectSigned?: ConnectSigned
): Promise<Outcome> {
  const provider = page.providers.get(handle)
  if (!provider) {
    return {
      type: 'failed',
      error: { code: DISCONNECTED, message: 'This wallet is no longer in the page. Reload the page.' }
    }
  }
  try {
    const early = method === ahead.method && adopt(page, provider)
    const signing = !early && connectSigned?.({ provider, method, params, wallet: page.domains.get(handle) })
    // Without a sign-in the request is sent within the visitor's own click.
    const signed = signing && (await signing)
    const value: unknown = await (early ||
      signed ||
      provider.request(params === null ? { method } : { method, params }))
    return { type: 'answered', value: toJson(value) }
  } catch (error) {
    return { type: 'failed', error: thrownToJson(error) }
  }
}

/** Calls the provider's own `disconnect()`, if it has one: SDKs hold connections that no request ends. */
export async function disconnectWallet(page: Page, handle: string): Promise<Outcome> {
  try {
    await (page.providers.get(handle) as Provider | undefined)?.disconnect?.()
    return { type: 'done' }
  } catch (error) {
    return { type: 'failed', error: thrownToJson(error) }
  }
}

/** Account request that was sent before the core had loaded, if this attempt may use it. */
function adopt(page: Page, provider: Eip1193Provider): Promise<unknown> | undefined {
  const shared = page.unanswered.get(provider)
  const request = page.handed ?? (shared && !page.adopted.has(shared) ? shared : undefined)
  if (!request) return undefined
  page.adopted.add(request)
  // The accounts may have changed since an older request was answered: read them again.
  return request === shared ? request : request.then(() => provider.request({ method: 'eth_accounts' }))
}

/** Listens to a wallet's events, if it has any. */
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

/** Ignores all further events of a wallet, even if it has no way to unsubscribe. */
export function unwatchWallet(page: Page, handle: string): Outcome {
  page.watches.get(handle)?.()
  page.watches.delete(handle)
  return { type: 'done' }
}

/** Wallet events of the contract (spec 9.20), and `disconnect`. */
type WalletEvent = (typeof walletEvents)[number] | 'disconnect'

function listen(provider: Eip1193Provider, event: WalletEvent, tell: (payload: unknown) => void): () => void {
  let heard = true
  const listener = (payload: unknown) => {
    if (heard) tell(payload)
  }
  try {
    provider.on?.(event, listener)
  } catch {
    // The wallet does not support this event.
  }
  return () => {
    heard = false
    try {
      provider.removeListener?.(event, listener)
    } catch {
      // Unsubscribing failed; the flag above already ignores the events.
    }
  }
}
