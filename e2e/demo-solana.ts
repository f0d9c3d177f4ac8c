//! Network of Solana for `cargo xtask demo`: gives the accounts of the page's test wallet coins and a token, prints its chain and its node's
//! URLs, and runs until it is stopped.

import { ed25519 } from '@noble/curves/ed25519'
import { SOLANA_TEST_KEYS } from '@portico/testkit'
import { base58 } from '@scure/base'
import { giveToken, startSolana } from './world/solana.ts'

const LAMPORTS = 10_000_000_000

const solana = await startSolana()
for (const key of SOLANA_TEST_KEYS) {
  const address = base58.encode(ed25519.getPublicKey(key))
  await solana.rpc('requestAirdrop', address, LAMPORTS)
  await giveToken(solana, address)
}
console.log(`Solana ${solana.id} at ${solana.url} and ${solana.socket}`)
