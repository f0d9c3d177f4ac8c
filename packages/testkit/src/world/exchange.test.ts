import { readFileSync } from 'node:fs'
import { type Address, createPublicClient, createWalletClient, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { TEST_PRIVATE_KEYS } from '../demo-wallet/accounts.ts'
import { storedWorld } from './stored.ts'

const ETHER = 10n ** 18n
const DOLLAR = 10n ** 6n
const NEVER = 10_000_000_000n
const POOL_FEE = 3_000
const TOKEN = parseAbi([
  'function approve(address spender, uint256 coins)',
  'function balanceOf(address account) view returns (uint256)',
  'function mint(address to, uint256 coins)'
])
const V2 = parseAbi([
  'function getAmountsOut(uint256 amount, address[] path) view returns (uint256[])',
  'function swapExactETHForTokens(uint256 least, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETH(uint256 amount, uint256 least, address[] path, address to, uint256 deadline)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 least, address[] path, address to, uint256 deadline) payable'
])
const QUOTER = parseAbi([
  'struct Question { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 limit; }',
  'function quoteExactInputSingle(Question question) view returns (uint256 amountOut, uint160 price, uint32 ticks, uint256 gas)'
])
const ROUTER = parseAbi([
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address to; uint256 amountIn; uint256 least; uint160 limit; }',
  'function exactInputSingle(Swap swap) payable returns (uint256)'
])

const { state, addresses, swap } = storedWorld()
const account = privateKeyToAccount(TEST_PRIVATE_KEYS[0] as Hex)
let anvil: Anvil

const at = (name: string): Address => {
  const address = addresses.contracts[name]
  if (!address) throw new Error(`There is no ${name}`)
  return address as Address
}
const connection = () => ({ chain: foundry, transport: http(anvil.rpcUrl), pollingInterval: 10 })
const reader = () => createPublicClient(connection())
const writer = () => createWalletClient({ ...connection(), account })
const path = (...names: string[]) => names.map(at)

async function mined(hash: Promise<Hex>): Promise<void> {
  const { status } = await reader().waitForTransactionReceipt({ hash: await hash })
  expect(status).toBe('success')
}

const balance = (token: string) =>
  reader().readContract({ address: at(token), abi: TOKEN, functionName: 'balanceOf', args: [account.address] })

async function quoteV2(amount: bigint, ...names: string[]): Promise<bigint> {
  const args = [amount, path(...names)] as const
  const amounts = await reader().readContract({
    address: at('uniswapV2Router'),
    abi: V2,
    functionName: 'getAmountsOut',
    args
  })
  return amounts.at(-1) ?? 0n
}

async function quoteV3(amountIn: bigint, tokenIn: string, tokenOut: string): Promise<bigint> {
  const question = { tokenIn: at(tokenIn), tokenOut: at(tokenOut), amountIn, fee: POOL_FEE, limit: 0n }
  const [amount] = await reader().readContract({
    address: at('uniswapV3Quoter'),
    abi: QUOTER,
    functionName: 'quoteExactInputSingle',
    args: [question]
  })
  return amount
}

beforeAll(async () => {
  anvil = await startAnvil({ chainId: addresses.chainId, state })
})
afterAll(() => anvil?.stop())

describe('the exchange of the stored world', () => {
  it('is told to a server by the contracts that it needs', () => {
    const settings = readFileSync(swap, 'utf8')
    expect(settings).toContain('[swap.onchain."eip155:31337"]')
    for (const name of ['weth', 'uniswapV2Router', 'uniswapV3Quoter', 'uniswapV3Router', 'usdc']) {
      expect(settings).toContain(at(name))
    }
  })

  it('has no price where there is no pool', async () => {
    await expect(quoteV2(ETHER, 'weth', 'ticket')).rejects.toThrow()
    await expect(quoteV3(ETHER, 'weth', 'dai')).rejects.toThrow()
  })

  it('has a price for a token that nobody can sell', async () => {
    const stuck = { address: at('stuck'), abi: TOKEN } as const
    await mined(writer().writeContract({ ...stuck, functionName: 'mint', args: [account.address, ETHER] }))
    await mined(writer().writeContract({ ...stuck, functionName: 'approve', args: [at('uniswapV2Router'), ETHER] }))
    expect(await quoteV2(ETHER, 'stuck', 'weth')).toBeGreaterThan(0n)
    const sale = reader().simulateContract({
      account,
      address: at('uniswapV2Router'),
      abi: V2,
      functionName: 'swapExactTokensForETH',
      args: [ETHER, 0n, path('stuck', 'weth'), account.address, NEVER]
    })
    await expect(sale).rejects.toThrow('TRANSFER_FROM_FAILED')
  })

  it('gives a twentieth less than quoted of a token that takes a tax', async () => {
    const quoted = await quoteV2(ETHER, 'weth', 'taxed')
    const buy = {
      address: at('uniswapV2Router'),
      abi: V2,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [0n, path('weth', 'taxed'), account.address, NEVER],
      value: ETHER
    } as const
    await mined(writer().writeContract(buy))
    expect(await balance('taxed')).toBe(quoted - quoted / 20n)
  })

  it('pays more for ether at V3, takes less for it at V2, and both do as quoted', async () => {
    const dollars = await quoteV3(ETHER, 'weth', 'usdc')
    expect(dollars).toBeGreaterThan(await quoteV2(ETHER, 'weth', 'usdc'))
    const ether = await quoteV2(2_000n * DOLLAR, 'usdc', 'weth')
    expect(ether).toBeGreaterThan(await quoteV3(2_000n * DOLLAR, 'usdc', 'weth'))

    const before = await balance('usdc')
    const swap = {
      ...{ tokenIn: at('weth'), tokenOut: at('usdc'), fee: POOL_FEE, to: account.address },
      ...{ amountIn: ETHER, least: dollars, limit: 0n }
    }
    const v3 = { address: at('uniswapV3Router'), abi: ROUTER, functionName: 'exactInputSingle', args: [swap] } as const
    await mined(writer().writeContract({ ...v3, value: ETHER }))
    expect(await balance('usdc')).toBe(before + dollars)

    const approval = [at('uniswapV2Router'), 2_000n * DOLLAR] as const
    await mined(writer().writeContract({ address: at('usdc'), abi: TOKEN, functionName: 'approve', args: approval }))
    const v2 = {
      address: at('uniswapV2Router'),
      abi: V2,
      functionName: 'swapExactTokensForETH',
      args: [2_000n * DOLLAR, ether, path('usdc', 'weth'), account.address, NEVER]
    } as const
    await mined(writer().writeContract(v2))
    expect(await balance('usdc')).toBe(before + dollars - 2_000n * DOLLAR)
  })

  it('takes dollars to dollars better over ether than directly', async () => {
    for (const dollars of [DOLLAR, 500n * DOLLAR]) {
      const over = await quoteV2(dollars, 'usdc', 'weth', 'dai')
      expect(over).toBeGreaterThan(await quoteV2(dollars, 'usdc', 'dai'))
      expect(over).toBeLessThan((dollars * ETHER) / DOLLAR)
    }
  })
})
