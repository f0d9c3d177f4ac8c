import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { expect, it } from 'vitest'
import type { Question } from './demo-wallet/approval/approval.ts'
import { inWords } from './demo-wallet/approval/words.ts'

const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const SPENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

function rowsOf(amount: bigint, token: (Question & { kind: 'send' })['token']) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [SPENDER, amount] })
  const question = { kind: 'send', account: OWNER, to: TOKEN, value: 0n, data, token, network: 'Local' } as const
  return new Map(inWords({ origin: 'https://shop.example', method: 'eth_sendTransaction', ...question }).rows)
}

it('an amount of tokens is said in whole tokens, and without the token as the call has it', () => {
  expect(rowsOf(20_500_000n, { symbol: 'USDC', decimals: 6 }).get('amount')).toBe('20.5 USDC')
  expect(rowsOf(maxUint256, { symbol: 'USDC', decimals: 6 }).get('amount')).toBe('Unlimited USDC')
  expect(rowsOf(20_500_000n, undefined).get('amount')).toBe('20500000')
})
