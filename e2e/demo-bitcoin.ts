//! Network of Bitcoin for `cargo xtask demo`: gives the accounts of the page's test wallets coins, prints its chain and its node's URL, and runs
//! until it is stopped.

import { BITCOIN_TEST_KEYS, bitcoinKeysOf } from '@portico/testkit'
import { startBitcoin } from './world/bitcoin.ts'

const SATOSHIS = 50_000_000

/** Milliseconds after which payments are confirmed. */
const BLOCKS = 10_000

const bitcoin = await startBitcoin()
for (const key of BITCOIN_TEST_KEYS) {
  const [payment] = bitcoinKeysOf(key, 'regtest')
  if (payment) await bitcoin.fund(payment.address, SATOSHIS, { confirmed: false })
}
await bitcoin.mine()
console.log(`Bitcoin ${bitcoin.id} at ${bitcoin.url}`)
setInterval(() => {
  if (bitcoin.unconfirmed > 0) void bitcoin.mine()
}, BLOCKS)
