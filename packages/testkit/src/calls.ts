//! Calls that the demo's wallets can read: those of tokens, of the demo's shop and of its exchange.

import { type Address, decodeFunctionData, erc20Abi, getAddress, type Hex, parseAbi } from 'viem'

const ABI = [
  ...erc20Abi,
  ...parseAbi([
    'function mint(address to, uint256 id, string uri)',
    'function deposit() payable',
    'function withdraw(uint256 amount)',
    // SwapRouter02.
    'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
    'struct SingleOut { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }',
    'struct Path { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
    'struct PathOut { bytes path; address recipient; uint256 amountOut; uint256 amountInMaximum; }',
    'function exactInput(Path params) payable',
    'function exactOutput(PathOut params) payable',
    'function exactInputSingle(Single params) payable',
    'function exactOutputSingle(SingleOut params) payable',
    'function multicall(uint256 deadline, bytes[] data) payable',
    'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
    'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable',
    'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to) payable',
    // Uniswap V2.
    'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
    'function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable',
    'function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
    'function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)',
    'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
    'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)',
    'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
    'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
    'function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)'
  ])
]

/** Longest argument that is shown, in characters. */
const LONGEST = 120

export interface Call {
  /** Name of the function. */
  readonly name: string
  readonly args: readonly { readonly name: string; readonly type: string; readonly value: string }[]
  /** First arguments as they are. */
  readonly values: readonly unknown[]
}

/** One side of a swap; without a token it is the network's coin, and without an amount what the transaction pays. */
export interface Side {
  readonly token?: Address | undefined
  readonly amount?: bigint | undefined
}

export interface Swap {
  readonly pays: Side
  readonly gets: Side
  /** Whether what is received is fixed, and what is paid has a limit; otherwise the other way round. */
  readonly exactOut: boolean
}

/** Swap that a call is; of several calls in one, the first that is a swap. */
export function swapIn({ name, values }: Call): Swap | undefined {
  if (name === 'multicall') {
    const calls = (values[1] as readonly Hex[]).map((data) => callIn(data))
    const swap = calls.flatMap((call) => (call && swapIn(call)) ?? [])[0]
    // The router then pays the coin in place of its wrapped token.
    const unwraps = calls.some((call) => call?.name === 'unwrapWETH9')
    return swap && unwraps ? { ...swap, gets: { amount: swap.gets.amount } } : swap
  }
  if (name === 'exactInputSingle' || name === 'exactOutputSingle') {
    const single = values[0] as Record<string, Address & bigint>
    const exactOut = name === 'exactOutputSingle'
    return {
      pays: { token: single.tokenIn, amount: exactOut ? single.amountInMaximum : single.amountIn },
      gets: { token: single.tokenOut, amount: exactOut ? single.amountOut : single.amountOutMinimum },
      exactOut
    }
  }
  if (name === 'exactInput' || name === 'exactOutput') {
    const { path, ...amounts } = values[0] as { readonly path: Hex } & Record<string, bigint>
    // Tokens with the fees of their pools between them; the path of an exact output begins with what is received.
    const ends = [`0x${path.slice(2, 42)}`, `0x${path.slice(-40)}`].map((end) => getAddress(end))
    const exactOut = name === 'exactOutput'
    return exactOut
      ? {
          pays: { token: ends[1], amount: amounts.amountInMaximum },
          gets: { token: ends[0], amount: amounts.amountOut },
          exactOut
        }
      : {
          pays: { token: ends[0], amount: amounts.amountIn },
          gets: { token: ends[1], amount: amounts.amountOutMinimum },
          exactOut
        }
  }
  if (!name.startsWith('swap')) return undefined
  const path = values.find((value) => Array.isArray(value)) as readonly Address[]
  const [first, second] = values as readonly bigint[]
  const exactOut = name.includes('ForExact')
  const paysCoin = /^swap(Exact)?ETH/.test(name)
  const amounts = paysCoin
    ? { in: undefined, out: first }
    : exactOut
      ? { in: second, out: first }
      : { in: first, out: second }
  return {
    pays: { token: paysCoin ? undefined : path[0], amount: amounts.in },
    gets: { token: /For(Exact)?ETH/.test(name) ? undefined : path.at(-1), amount: amounts.out },
    exactOut
  }
}

/** Call in a transaction's data; undefined for functions that the wallets don't know. */
export function callIn(data: Hex | undefined): Call | undefined {
  if (data === undefined || data === '0x') return undefined
  try {
    const { functionName: name, args: values = [] } = decodeFunctionData({ abi: ABI, data })
    const found = ABI.find((one) => one.type === 'function' && one.name === name && one.inputs.length === values.length)
    const inputs = found && 'inputs' in found ? found.inputs : []
    const args = inputs.map((input, at) => ({
      name: ('name' in input && input.name) || String(at + 1),
      type: input.type,
      value: shortened(inWords(values[at]))
    }))
    return { name, args, values }
  } catch {
    return undefined
  }
}

/** Text of an argument; a struct has its fields by name. */
function inWords(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return String(value)
  return Object.entries(value)
    .map(([name, field]) => `${name}: ${field}`)
    .join(', ')
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
