import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseEther } from 'viem'
import { expect, it } from 'vitest'
import type { Tokens } from './demo-wallet/approval/approval.ts'
import { inWords } from './demo-wallet/approval/words.ts'

const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const USDC: Tokens = { [TOKEN]: { symbol: 'USDC', decimals: 6 } }

function shown(data: `0x${string}`, tokens: Tokens | undefined, value = 0n) {
  const question = {
    kind: 'send',
    account: OWNER,
    to: TOKEN,
    value,
    data,
    tokens,
    network: 'Local',
    fee: 21_000_000_336_000n
  } as const
  const { title, rows } = inWords({ origin: 'https://shop.example', method: 'eth_sendTransaction', ...question })
  return { title, rows: Object.fromEntries(rows) }
}

it('an amount of tokens is said in whole tokens, and without the token as the call has it', () => {
  const approve = (amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [OTHER, amount] })
  expect(shown(approve(1_020_500_000n), USDC).rows).toMatchObject({ Spender: OTHER, Amount: '1,020.5 USDC' })
  expect(shown(approve(maxUint256), USDC).rows.Amount).toBe('Unlimited USDC')
  expect(shown(approve(20_500_000n), undefined).rows.Amount).toBe('20500000')
})

it('a swap says what is paid and what is received, also as one of several calls', () => {
  const abi = parseAbi([
    'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
    'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }',
    'function exactOutputSingle(Single params) payable',
    'function multicall(uint256 deadline, bytes[] data) payable'
  ])
  const functionName = 'swapExactETHForTokensSupportingFeeOnTransferTokens'
  const two = encodeFunctionData({ abi, functionName, args: [3_000_000n, [OTHER, TOKEN], OWNER, 9n] })
  expect(shown(two, USDC, parseEther('1234.5'))).toMatchObject({
    title: 'Swap',
    rows: { Pay: '1,234.5 ETH', 'Receive at least': '3 USDC', 'Network fee': '~0.00002101 ETH' }
  })
  const single = {
    tokenIn: TOKEN,
    tokenOut: OTHER,
    fee: 500,
    recipient: OWNER,
    amountOut: 7n,
    amountInMaximum: 5_000_000n,
    sqrtPriceLimitX96: 0n
  } as const
  const inner = encodeFunctionData({ abi, functionName: 'exactOutputSingle', args: [single] })
  const three = encodeFunctionData({ abi, functionName: 'multicall', args: [9n, [inner]] })
  expect(shown(three, USDC).rows).toMatchObject({ 'Pay at most': '5 USDC', Receive: `7 units of ${OTHER}` })
  const paths = parseAbi([
    'struct Path { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
    'function exactInput(Path params) payable'
  ])
  const path = `0x${OTHER.slice(2)}0001f4${TOKEN.slice(2)}` as const
  const params = { path, recipient: OWNER, amountIn: 9n, amountOutMinimum: 2_500_000n } as const
  const far = encodeFunctionData({ abi: paths, functionName: 'exactInput', args: [params] })
  expect(shown(far, USDC).rows).toMatchObject({ Pay: `9 units of ${OTHER}`, 'Receive at least': '2.5 USDC' })
})

it('a swap shows no more digits than the widget, and a limit never better than it is', () => {
  const abi = parseAbi([
    'function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
    'function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable'
  ])
  const args = [5_000_000n, 1_250_250_614_123_456_789n, [TOKEN, OTHER], OWNER, 9n] as const
  const least = encodeFunctionData({ abi, functionName: 'swapExactTokensForETH', args })
  expect(shown(least, USDC).rows).toMatchObject({ Pay: '5 USDC', 'Receive at least': '1.25025 ETH' })
  const exact = [3_899_218_407n, [OTHER, TOKEN], OWNER, 9n] as const
  const most = encodeFunctionData({ abi, functionName: 'swapETHForExactTokens', args: exact })
  expect(shown(most, USDC, 1_250_250_614_123_456_789n).rows).toMatchObject({
    'Pay at most': '1.25026 ETH',
    Receive: '3,899.218407 USDC'
  })
})

it('a swap through a router of V3 says the coin where the transaction pays it, or the router unwraps it', () => {
  const abi = parseAbi([
    'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
    'function exactInputSingle(Single params) payable',
    'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
    'function multicall(uint256 deadline, bytes[] data) payable'
  ])
  const tokens: Tokens = { ...USDC, [OTHER]: { symbol: 'WETH', decimals: 18 } }
  const single = (tokenIn: `0x${string}`, tokenOut: `0x${string}`, amountIn: bigint, amountOutMinimum: bigint) => {
    const order = { tokenIn, tokenOut, fee: 500, recipient: OWNER, amountIn, amountOutMinimum, sqrtPriceLimitX96: 0n }
    return encodeFunctionData({ abi, functionName: 'exactInputSingle', args: [order as never] })
  }
  const all = (...calls: `0x${string}`[]) =>
    encodeFunctionData({ abi, functionName: 'multicall', args: [9n, calls] as never })
  const sold = single(OTHER, TOKEN, parseEther('500'), 3_000_000n)
  expect(shown(all(sold), tokens, parseEther('500')).rows).toMatchObject({ Pay: '500 ETH' })
  expect(shown(all(sold), tokens).rows).toMatchObject({ Pay: '500 WETH' })
  const bought = single(TOKEN, OTHER, 3_000_000n, parseEther('2'))
  const unwrap = encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [0n, OWNER] })
  expect(shown(all(bought, unwrap), tokens).rows).toMatchObject({ Pay: '3 USDC', 'Receive at least': '2 ETH' })
  expect(shown(all(bought), tokens, 7n).rows).toMatchObject({
    Amount: '0.000000000000000007 ETH',
    Pay: '3 USDC',
    'Receive at least': '2 WETH'
  })
})
