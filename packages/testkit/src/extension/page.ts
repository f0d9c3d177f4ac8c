//! Script of the extension in the page's own world: wallets of all namespaces over public test keys, which ask in the extension's window.

import { createBitcoinWallet } from '../bitcoin-wallet/bitcoin-wallet.ts'
import type { Approval, Asker } from '../demo-wallet/approval/approval.ts'
import type { Chain } from '../demo-wallet/chain.ts'
import { createDemoWallet } from '../demo-wallet/demo-wallet.ts'
import { createPolkadotWallet } from '../polkadot-wallet/polkadot-wallet.ts'
import { createSolanaWallet } from '../solana-wallet/solana-wallet.ts'
import { type Ask, type Asked, type Decided, MARK } from './messages.ts'

/** Written into the script when the extension is built. */
declare const SETTINGS: {
  readonly name: string
  readonly rdns: string
  readonly chains: readonly Chain[]
  readonly nodes: Readonly<Record<string, string>>
}

const { name, rdns, chains, nodes } = SETTINGS

let last = 0

/** Asks in the extension's window; a closed window refuses. */
const approval: Asker = (approval) =>
  new Promise((resolve) => {
    last += 1
    const ask: Ask = { mark: MARK, ask: last, asked: describe(approval) }
    const listen = ({ source, data }: MessageEvent<Decided | undefined>) => {
      if (source !== window || data?.mark !== MARK || data.decided !== ask.ask) return
      window.removeEventListener('message', listen)
      resolve(data.approved)
    }
    window.addEventListener('message', listen)
    window.postMessage(ask, location.origin)
  })

function describe({ kind, origin: _, ...rest }: Approval): Asked {
  const rows = Object.entries(rest).map(([label, value]) => [
    label,
    typeof value === 'object' ? json(value) : `${value}`
  ])
  return { kind, rows: rows as [string, string][] }
}

function json(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one))
}

createDemoWallet({ name, rdns, chains, approval }).announce()
createSolanaWallet({ name, nodes, approval }).register()
createBitcoinWallet({ name, approval }).register()
createPolkadotWallet({ name, approval }).register()
