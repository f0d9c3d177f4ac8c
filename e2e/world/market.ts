//! Trades of others on the test chain's exchanges, and the fees of transactions.

import { storedWorld } from '@portico/testkit/world'
import { encodeFunctionData, type Hex, parseAbi, parseEther, toHex } from 'viem'
import { contractOf } from './coins.ts'
import type { Chain } from './world.ts'

const NEVER = 10_000_000_000n
const POOL_FEE = 3_000
const V2 = parseAbi(['function swapExactETHForTokens(uint256 least, address[] path, address to, uint256 deadline)'])
const V3 = parseAbi([
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address to; uint256 amountIn; uint256 least; uint160 limit; }',
  'function exactInputSingle(Swap swap)'
])

/** Another account buys so many dollars on each exchange that the price of ether falls by a sixth. */
export async function sellMuchEther(chain: Chain): Promise<void> {
  const somebody = storedWorld().addresses.accounts[5] as Hex
  const [weth, usdc] = [contractOf('weth'), contractOf('usdc')]
  const amountIn = parseEther('20')
  const send = (router: string, data: Hex) => {
    const transaction = { from: somebody, to: contractOf(router), value: toHex(amountIn), data }
    return chain.request('eth_sendTransactionSync', [transaction])
  }
  const args = [0n, [weth, usdc], somebody, NEVER] as const
  await send('uniswapV2Router', encodeFunctionData({ abi: V2, functionName: 'swapExactETHForTokens', args }))
  const swap = { tokenIn: weth, tokenOut: usdc, fee: POOL_FEE, to: somebody, amountIn, least: 0n, limit: 0n }
  await send('uniswapV3Router', encodeFunctionData({ abi: V3, functionName: 'exactInputSingle', args: [swap] }))
}

interface Receipt {
  readonly from: string
  readonly status: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
}

/** Fee of an account's last transaction, in wei. */
export async function lastFee(chain: Chain, account: string): Promise<bigint> {
  const receipts = (await chain.request('eth_getBlockReceipts', ['latest'])) as Receipt[]
  const own = receipts.find(({ from }) => from.toLowerCase() === account.toLowerCase())
  if (!own) throw new Error('The account did nothing in the last block')
  return BigInt(own.gasUsed) * BigInt(own.effectiveGasPrice)
}
