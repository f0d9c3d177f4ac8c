//! Puts the provider of the embedded wallet's account on Solana into the page, and tells the core the account, for as long as the visitor is logged in.

import type { ChainAdapter } from '../../adapters/adapter.ts'
import { frame as forms } from '../../generated/constants.ts'
import type { Snapshot } from '../../generated/core.ts'
import type { Engine } from '../../host/engine.ts'
import type { Page } from '../page.ts'
import type { EmbeddedProvider } from './EmbeddedProvider.ts'
import { EmbeddedSolanaWallet } from './EmbeddedSolanaWallet.ts'

export interface Login {
  readonly engine: Engine
  readonly page: Page
  readonly ours: EmbeddedProvider
  readonly provide: NonNullable<ChainAdapter['provide']>
  /** Address of the login's EVM account. */
  address(): string | undefined
  /** Tells the core the accounts on Solana; an empty list if the login has none, or if the account left the page. */
  tell(accounts: readonly string[]): void
}

/** Follows the login and the page's Solana networks. */
export function followLogin({ engine: { store, log }, page, ours, provide, address, tell }: Login): void {
  const wallet = new EmbeddedSolanaWallet({
    request: (method, params, network) => ours.request({ method, params }, network),
    // Without a network the core would take the EVM account.
    address: async (network) => (await ours.getUser({ chainId: network ?? 'solana:' })).address
  })
  const provider = provide(wallet)
  page.providers.set(forms.solana, provider)
  /** The login's EVM account that was seen last. */
  let known: string | undefined
  /** Account that the provider has. */
  let account: string | undefined
  let asking = 0
  /** State in which the frame did not tell the account. */
  let failed: string | undefined
  let telling = false

  /** Tells the core the account where it knows of none, also after another Solana wallet left; or that the account left the page. */
  const compare = () => {
    telling = false
    const state = store.get().account.accounts.find(({ namespace }) => namespace === 'solana')
    const handle = state?.connectedWalletInfo?.handle
    if (account === undefined ? handle === forms.solana : !handle) tell(account === undefined ? [] : [account])
  }
  /** The core is told after the change that is heard of now. */
  const compareSoon = () => {
    if (telling) return
    telling = true
    queueMicrotask(compare)
  }

  const connect = async () => {
    asking += 1
    try {
      await provider.request({ method: 'standard:connect', params: { silent: true } })
      account = wallet.accounts[0]?.address
    } catch (error) {
      log(error)
      failed = stateOf(store.get())
    }
    asking -= 1
    // A host may wait for the account.
    if (account === undefined && known !== undefined && asking === 0) tell([])
    compareSoon()
  }

  const look = () => {
    const networks = networksOf(store.get())
    // The adapter may have been removed.
    const now = networks.length > 0 ? address() : undefined
    if (networks.length > 0) wallet.serve(networks)
    if (now !== known) {
      known = now
      failed = undefined
      wallet.leave()
      if (now !== undefined) void connect()
    } else if (failed !== undefined && failed !== stateOf(store.get()) && now !== undefined && asking === 0) {
      failed = undefined
      void connect()
    }
    compareSoon()
  }
  // A library may connect and disconnect the wallet by its features.
  const events = wallet.features['standard:events'] as { on(event: 'change', listener: () => void): unknown }
  events.on('change', () => {
    if (wallet.accounts.length === 0) account = undefined
    else if (account === undefined && asking === 0) void connect()
    compareSoon()
  })
  store.subscribe(look)
  look()
}

/** State after whose change a frame that did not answer is asked again. */
function stateOf(snapshot: Snapshot): string {
  return `${networksOf(snapshot)[0]} ${snapshot.modal.open}`
}

/** CAIP-2 ids of the page's Solana networks, the active one first. */
function networksOf({ network: { networks, chains } }: Snapshot): string[] {
  const active = chains.find(({ namespace }) => namespace === 'solana')?.networkState.caipNetwork
  const ids = networks.flatMap((one) => (one.chainNamespace === 'solana' ? one.caipNetworkId : []))
  return ids.sort((one, other) => Number(other === active) - Number(one === active))
}
