//! The wallets of visitors who have none: `?wallet=slow:2000,name=Snail` and the like choose how they behave, `?testkit=off`
//! leaves them out, `?walletChains=31337` makes them know that chain only.

import { type DemoWallet, startDemoWallets } from '@portico/testkit'
import { networks, rpcUrlOf } from './networks.ts'

declare global {
  interface Window {
    /** For tests and for the curious: each wallet's `controls` do what its user could. */
    demoWallets: DemoWallet[]
  }
}

export function announceDemoWallets(url: string): void {
  const parameters = new URL(url).searchParams
  const wanted = parameters.get('walletChains')?.split(',').map(Number)
  const known = networks.filter(({ id }) => !wanted || wanted.includes(Number(id)))
  const chains = known.map((network) => ({
    chainId: Number(network.id),
    name: network.name,
    rpcUrl: rpcUrlOf(network)
  }))
  window.demoWallets = parameters.get('testkit') === 'off' ? [] : startDemoWallets(url, { chains })
}
