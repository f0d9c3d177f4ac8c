//! Uniswap V2 and V3 as on most chains, with liquidity from the deployer: swaps are quoted and executed here.

import { type Address, keccak256 } from 'viem'
import type { Builder, Deployed } from './builder.ts'
import { type Creation, uniswapArtefact } from './compile.ts'
import { amount, owner, type Tokens } from './tokens.ts'

export interface Exchange {
  readonly uniswapV2Factory: Deployed
  readonly uniswapV2Router: Deployed
  readonly uniswapV3Factory: Deployed
  /** `NonfungiblePositionManager`, which holds V3 liquidity for others. */
  readonly uniswapV3Positions: Deployed
  /** QuoterV2. */
  readonly uniswapV3Quoter: Deployed
  /** SwapRouter02. */
  readonly uniswapV3Router: Deployed
}

const ETHER = 10n ** 18n
/** Deadline in seconds, later than any test. */
const NEVER = 10_000_000_000n
/** Pool fee in hundredths of a basis point, and the widest tick range at its tick spacing. */
const POOL_FEE = 3_000
const WHOLE_RANGE = 887_220

export async function deployExchange(builder: Builder, tokens: Tokens): Promise<Exchange> {
  const v2 = await deployV2(builder, tokens)
  const exchange = { ...v2, ...(await deployV3(builder, tokens, v2.uniswapV2Factory)) }
  await fillV2(builder, exchange, tokens)
  await fillV3(builder, exchange, tokens)
  return exchange
}

/** Server configuration for swaps on this chain, appended to a configuration file. */
export function swapSettings(chainId: number, exchange: Exchange, { weth, usdc }: Tokens): string {
  const { uniswapV2Router, uniswapV3Quoter, uniswapV3Router } = exchange
  const lines = [
    `[swap.onchain."eip155:${chainId}"]`,
    `wrapped = "${weth.address}"`,
    `v2_router = "${uniswapV2Router.address}"`,
    `v3_quoter = "${uniswapV3Quoter.address}"`,
    `v3_router = "${uniswapV3Router.address}"`,
    `bases = ["${usdc.address}"]`
  ]
  return `${lines.join('\n')}\n`
}

async function deployV2(builder: Builder, { weth }: Tokens) {
  const pair = uniswapArtefact('v2-core', 'build/UniswapV2Pair')
  const router = uniswapArtefact('v2-periphery', 'build/UniswapV2Router02')
  finds(router, pair)
  const uniswapV2Factory = await builder.deploy(owner, uniswapArtefact('v2-core', 'build/UniswapV2Factory'), [owner])
  const uniswapV2Router = await builder.deploy(owner, router, [uniswapV2Factory.address, weth.address])
  return { uniswapV2Factory, uniswapV2Router }
}

async function deployV3(builder: Builder, { weth }: Tokens, uniswapV2Factory: Deployed) {
  const of = (ofPackage: string, path: string) => {
    const name = path.replace('lens/', '')
    return uniswapArtefact(ofPackage, `artifacts/contracts/${path}.sol/${name}`)
  }
  const pool = of('v3-core', 'UniswapV3Pool')
  const router = of('swap-router-contracts', 'SwapRouter02')
  const quoter = of('v3-periphery', 'lens/QuoterV2')
  const positions = of('v3-periphery', 'NonfungiblePositionManager')
  for (const periphery of [router, quoter, positions]) finds(periphery, pool)
  const uniswapV3Factory = await builder.deploy(owner, of('v3-core', 'UniswapV3Factory'))
  const factory = uniswapV3Factory.address
  // The third argument is the contract that draws positions, which no test uses.
  const uniswapV3Positions = await builder.deploy(owner, positions, [factory, weth.address, weth.address])
  const uniswapV3Quoter = await builder.deploy(owner, quoter, [factory, weth.address])
  const both = [uniswapV2Factory.address, factory, uniswapV3Positions.address, weth.address]
  const uniswapV3Router = await builder.deploy(owner, router, both)
  return { uniswapV3Factory, uniswapV3Positions, uniswapV3Quoter, uniswapV3Router }
}

/** Checks that the periphery contains the code hash of the pair: it computes a pair's address from that hash. */
function finds(periphery: Creation, pair: Creation): void {
  const hash = keccak256(pair.bytecode).slice(2)
  if (!periphery.bytecode.includes(hash))
    throw new Error(`The Uniswap periphery contract does not contain the code hash ${hash}`)
}

/** V2 pools with ether at 2500 dollars. The pool USDC/DAI is so small that the route over ether is better from a few cents on. */
async function fillV2(builder: Builder, { uniswapV2Router: router }: Exchange, tokens: Tokens): Promise<void> {
  const { usdc, dai, taxed, stuck } = tokens
  const withEther = async (token: Deployed, tokens: bigint, ether: bigint) => {
    await give(builder, token, tokens, router)
    await builder.write(owner, router, 'addLiquidityETH', [token.address, tokens, 0n, 0n, owner, NEVER], ether)
  }
  await withEther(usdc, amount(500_000, 6), 200n * ETHER)
  await withEther(dai, amount(500_100, 18), 200n * ETHER)
  await withEther(taxed, amount(10_000, 18), 10n * ETHER)
  await withEther(stuck, amount(10_000, 18), 10n * ETHER)
  const few = [amount(10, 6), amount(10, 18)] as const
  await give(builder, usdc, few[0], router)
  await give(builder, dai, few[1], router)
  const both = [usdc.address, dai.address, ...few, 0n, 0n, owner, NEVER]
  await builder.write(owner, router, 'addLiquidity', both)
}

/** V3 pool with ether at 2512 dollars: selling ether is better here, buying it is better on V2. */
async function fillV3(builder: Builder, { uniswapV3Positions: positions }: Exchange, tokens: Tokens): Promise<void> {
  const { weth, usdc } = tokens
  const ether = 200n * ETHER
  const dollars = amount(502_400, 6)
  await builder.write(owner, weth, 'deposit', [], ether)
  await builder.write(owner, weth, 'approve', [positions.address, ether])
  await give(builder, usdc, dollars, positions)
  const sides: [Address, bigint][] = [
    [weth.address, ether],
    [usdc.address, dollars]
  ]
  const [[token0, amount0], [token1, amount1]] = inOrder(sides)
  const price = squareRoot((amount1 << 192n) / amount0)
  await builder.write(owner, positions, 'createAndInitializePoolIfNecessary', [token0, token1, POOL_FEE, price])
  const position = {
    ...{ token0, token1, fee: POOL_FEE, tickLower: -WHOLE_RANGE, tickUpper: WHOLE_RANGE },
    ...{ amount0Desired: amount0, amount1Desired: amount1, amount0Min: 0n, amount1Min: 0n },
    ...{ recipient: owner, deadline: NEVER }
  }
  await builder.write(owner, positions, 'mint', [position])
}

/** Mints tokens to the deployer and approves them for `spender`. */
async function give(builder: Builder, token: Deployed, coins: bigint, spender: Deployed): Promise<void> {
  await builder.write(owner, token, 'mint', [owner, coins])
  await builder.write(owner, token, 'approve', [spender.address, coins])
}

type Side = readonly [Address, bigint]

/** Sorts the two sides of a pool: the lower address comes first. */
function inOrder([one, other]: readonly Side[]): readonly [Side, Side] {
  if (!one || !other) throw new Error('A pool has two sides')
  return one[0].toLowerCase() < other[0].toLowerCase() ? [one, other] : [other, one]
}

/** Integer square root, rounded down, by Newton's method. */
function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
