//! Test wallets for visitors without a wallet: `?wallet=slow:2000,name=Snail` and the like set their behaviour, `?testkit=off`
//! turns them off, `?walletChains=31337` limits them to that chain, `?bitcoinPayment=p2sh` or `p2tr` sets the kind of address to which those of
//! Bitcoin are paid.

import {
  type BitcoinNetworkName,
  type BitcoinWallet,
  createBitcoinWallet,
  createSolanaWallet,
  type DemoWallet,
  type PaymentKind,
  type SolanaWallet,
  startDemoWallets
} from '@portico/testkit'
import type { PolkadotWallet } from '@portico/testkit/polkadot'
import { bitcoinRegtest, networks, rpcUrlOf, solanaAt } from './networks.ts'

/** Name and picture of the demo's Polkadot extension. */
export const DEMO_POLKADOT = { name: 'Demo Polkadot Wallet', color: '#701a75', mark: 'wave' } as const

declare global {
  interface Window {
    /** Test wallets, for tests and experiments in the console: each wallet's `controls` act as its user. */
    demoWallets: DemoWallet[]
    /** Test wallet of Solana, on a page with that network. */
    demoSolana?: SolanaWallet
    /** Test wallets of Bitcoin, on a page with one of its networks: one of the Wallet Standard, one of sats-connect. */
    demoBitcoin?: BitcoinWallet
    demoSats?: BitcoinWallet
    /** Test extension of Polkadot, on a page with one of its networks. */
    demoPolkadot?: PolkadotWallet
  }
}

export async function announceDemoWallets(url: string): Promise<void> {
  const parameters = new URL(url).searchParams
  const wanted = parameters.get('walletChains')?.split(',').map(Number)
  const known = networks.filter(({ id }) => !wanted || wanted.includes(Number(id)))
  const chains = known.map((network) => ({
    chainId: Number(network.id),
    name: network.name,
    rpcUrl: rpcUrlOf(network)
  }))
  window.demoWallets = parameters.get('testkit') === 'off' ? [] : startDemoWallets(url, { chains })
  if (parameters.get('testkit') === 'off') return
  const sharesAll = parameters.get('shares') === 'all'
  const [solana] = parameters.get('solana')?.split(',') ?? []
  if (solana !== undefined) {
    // With the name of another test wallet it is one wallet that serves both namespaces.
    const name = parameters.get('solanaWallet') ?? undefined
    const nodes = { 'solana:localnet': rpcUrlOf(solanaAt(solana)) }
    window.demoSolana = createSolanaWallet({ name, nodes, sharesAll })
    window.demoSolana.register()
  }
  if (parameters.has('polkadot')) {
    // Its libraries are large: other pages of the demo do without them.
    const { createPolkadotWallet } = await import('@portico/testkit/polkadot')
    window.demoPolkadot = createPolkadotWallet({ ...DEMO_POLKADOT, sharesAll })
    window.demoPolkadot.register()
  }
  const [network] = parameters.get('bitcoin')?.split(',') ?? []
  if (network === undefined) return
  const shared = {
    network: network as BitcoinNetworkName,
    payment: (parameters.get('bitcoinPayment') ?? undefined) as PaymentKind | undefined,
    nodes: { regtest: rpcUrlOf(bitcoinRegtest) }
  }
  window.demoBitcoin = createBitcoinWallet(shared)
  window.demoBitcoin.register()
  window.demoSats = createBitcoinWallet({ ...shared, name: 'Demo Sats Wallet', color: '#1e3a8a' })
  window.demoSats.register('satsConnect')
}
