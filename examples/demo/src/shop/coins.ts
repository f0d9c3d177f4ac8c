//! Test coins of the local chains, from a test wallet whose key is publicly known. They have no value anywhere else.

import { TEST_PRIVATE_KEYS } from '@portico/testkit'
import type { AppKitNetwork } from '@portico/widget/networks'
import { rpcUrlOf } from '../networks.ts'

/** Whole ETH that a visitor gets. */
export const GIFT = '10'

/** Balance in wei below which an account can do next to nothing: 0.01 ETH. */
const LEAST = 10n ** 16n

/** Whether the account has too little to try anything; rejects if the node doesn't answer with a balance. */
export async function isEmpty(network: AppKitNetwork, address: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] })
  const headers = { 'content-type': 'application/json' }
  const answer: unknown = await (await fetch(rpcUrlOf(network), { method: 'POST', headers, body })).json()
  const balance = answer instanceof Object && 'result' in answer ? answer.result : undefined
  if (typeof balance !== 'string' || !/^0x[\da-f]+$/i.test(balance)) throw new Error('The node sent no balance')
  return BigInt(balance) < LEAST
}

/** Sends test coins to the account, and returns once they are in a block. */
export async function giveCoins(network: AppKitNetwork, to: `0x${string}`): Promise<void> {
  const [{ createPublicClient, createWalletClient, http, parseEther }, { privateKeyToAccount }] = await Promise.all([
    import('viem'),
    import('viem/accounts')
  ])
  // The demo's wallets offer the first two accounts first, so the third one pays.
  const key = TEST_PRIVATE_KEYS[2]
  if (!key) throw new Error('No test wallet has coins to give')
  const transport = http(rpcUrlOf(network), { retryCount: 0 })
  const client = createPublicClient({ transport })
  const account = privateKeyToAccount(key)
  const hash = await createWalletClient({ account, transport }).sendTransaction({
    chain: null,
    to,
    value: parseEther(GIFT)
  })
  const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 500, timeout: 30_000 })
  if (status !== 'success') throw new Error('The transfer of test coins was reverted')
}
