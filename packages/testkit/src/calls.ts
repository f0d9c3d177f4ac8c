//! Calls that the demo's wallets can read: those of tokens, of the demo's shop and of its exchange.

import { decodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'

const ABI = [
  ...erc20Abi,
  ...parseAbi([
    'function mint(address to, uint256 id, string uri)',
    'function deposit() payable',
    'function withdraw(uint256 amount)',
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
      value: shortened(String(values[at]))
    }))
    return { name, args, values }
  } catch {
    return undefined
  }
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
