//! Puts the provider of the embedded wallet's account on Solana into the page, for as long as the visitor is logged in.

import type { ChainAdapter } from '../../adapters/adapter.ts'
import type { Snapshot } from '../../generated/core.ts'
import type { Engine } from '../../host/engine.ts'
import type { Page } from '../page.ts'
import type { EmbeddedProvider } from './EmbeddedProvider.ts'
import { EmbeddedSolanaWallet } from './EmbeddedSolanaWallet.ts'

/** Handle of the provider in the page. */
const HANDLE = 'embedded:solana'

/** Follows the login, whose EVM account is at `address`, and the page's Solana networks. */
export function followLogin(
  { store, log }: Engine,
  page: Page,
  ours: EmbeddedProvider,
  provide: NonNullable<ChainAdapter['provide']>,
  address: () => string | undefined
): void {
  const wallet = new EmbeddedSolanaWallet({
    request: (method, params, network) => ours.request({ method, params }, network),
    // Without a network the core would take the EVM account.
    address: async (network) => (await ours.getUser({ chainId: network ?? 'solana:' })).address
  })
  const provider = provide(wallet)
  page.providers.set(HANDLE, provider)
  let known: string | undefined

  /** Shows or hides the provider. The store's listeners before this one have read the page as it was. */
  const show = (shown: boolean) => {
    if (shown === (page.solana !== undefined)) return
    page.solana = shown ? { handle: HANDLE, type: 'AUTH' } : undefined
    store.set({ account: store.get().account })
  }

  const look = () => {
    const networks = networksOf(store.get())
    // The adapter may have been removed.
    const now = networks.length > 0 ? address() : undefined
    if (networks.length > 0) wallet.serve(networks)
    if (now === known) return
    known = now
    wallet.leave()
    show(false)
    if (now === undefined) return
    // If the frame does not answer, the host connects later by the same method.
    const connected = provider.request({ method: 'standard:connect', params: { silent: true } })
    void connected.catch(log).then(() => {
      if (known === now) show(true)
    })
  }
  store.subscribe(look)
  look()
}

/** CAIP-2 ids of the page's Solana networks, the active one first. */
function networksOf({ network: { networks, chains } }: Snapshot): string[] {
  const active = chains.find(({ namespace }) => namespace === 'solana')?.networkState.caipNetwork
  const ids = networks.flatMap((one) => (one.chainNamespace === 'solana' ? one.caipNetworkId : []))
  return ids.sort((one, other) => Number(other === active) - Number(one === active))
}
