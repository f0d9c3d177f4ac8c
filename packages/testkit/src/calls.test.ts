import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { callIn } from './calls.ts'

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

it('reads the calls of tokens and of the shop by name', () => {
  const approve = callIn(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [TO, 5n] }))
  expect(approve?.name).toBe('approve')
  expect(approve?.args).toEqual([
    { name: 'spender', type: 'address', value: TO },
    { name: 'amount', type: 'uint256', value: '5' }
  ])
  const abi = parseAbi(['function mint(address to, uint256 id, string uri)'])
  const mint = callIn(encodeFunctionData({ abi, functionName: 'mint', args: [TO, 7n, 'x'.repeat(500)] }))
  expect(mint?.name).toBe('mint')
  expect(mint?.args[2]?.value).toBe(`${'x'.repeat(120)}…`)
})

it('leaves other data unread', () => {
  for (const data of [undefined, '0x', '0x12345678', '0x095ea7b3', '0x1'] as const) expect(callIn(data)).toBeUndefined()
})
