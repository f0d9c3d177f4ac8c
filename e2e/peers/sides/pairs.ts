//! Combinations of dapps and wallets to test.

import { ourDapp, ourSigningDapp, ourWallet } from './ours.ts'
import type { Dapp, SigningDapp, StartDapp, StartWallet } from './side.ts'
import { signClient, signClient217, walletKit, walletKit10 } from './theirs.ts'

type Pair<One extends Dapp> = readonly [name: string, StartDapp<One>, StartWallet]

function pairs<One extends Dapp>(ours: StartDapp<One>, theirs: StartDapp<One>, older: StartDapp<One>): Pair<One>[] {
  return [
    ['our dapp and our wallet', ours, ourWallet],
    ['our dapp and WalletKit 1.2.10', ours, walletKit],
    ['our dapp and WalletKit 1.0.0', ours, walletKit10],
    ['sign-client 2.21.8 and our wallet', theirs, ourWallet],
    ['sign-client 2.17.0 and our wallet', older, ourWallet],
    ['sign-client 2.21.8 and WalletKit 1.2.10', theirs, walletKit],
    ['sign-client 2.17.0 and WalletKit 1.0.0', older, walletKit10]
  ]
}

export const PAIRS = pairs<Dapp>(ourDapp, signClient, signClient217)
export const SIGNING_PAIRS = pairs<SigningDapp>(ourSigningDapp, signClient, signClient217)
