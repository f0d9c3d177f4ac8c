//! Calls that the demo's wallets can read: those of tokens, of the demo's shop and of its exchange.

import { decodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'

const ABI = [
  ...erc20Abi,
  ...parseAbi([
    'function mint(address to, uint256 id, string uri)',
    'function deposit() payable',
    'function withdraw(uint256 amount)',
    // SwapRouter02.
    'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
    'struct SingleOut { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }',
    'function exactInputSingle(Single params) payable',
    'function exactOutputSingle(SingleOut params) payable',
    'function multicall(uint256 deadline, bytes[] data) payable',
    'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable',
    'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to) payable',
    // Uniswap V2.
    'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
    'function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable',
    'function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
    'function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)',
    'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
    'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)'
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
