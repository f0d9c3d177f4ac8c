//! A payment from the embedded wallet, from the page's request to the block.

import { type Hex, parseEther } from 'viem'
import { expect } from 'vitest'
import type { Visit } from '../world/visit.ts'
import type { Chain } from '../world/world.ts'
import { frameOf } from './frame.ts'
import { addressOf } from './login.ts'
import { clickInFrame } from './still.ts'

const RECEIVER = '0x00000000000000000000000000000000000c0e03'
const AMOUNT = 100n

/** Gives the account some ether, pays a little of it as the page asks, and waits until the chain has it. */
export async function pay(visit: Visit, chain: Chain): Promise<void> {
  const own = await addressOf(visit)
  await chain.request('anvil_setBalance', [own, `0x${parseEther('3').toString(16)}`])
  const before = await chain.balance(RECEIVER)
  const sent = visit.page.evaluate(paymentOf(own)) as Promise<Hex>
  await clickInFrame(frameOf(visit.page).getByRole('button', { name: 'Approve' }))
  await paid(chain, await sent, before)
}

/** Expression that asks the page's wallet for the payment. */
export const paymentOf = (own: Hex): string => `window.kit.getWalletProvider().request({
  method: 'eth_sendTransaction', params: [{ from: '${own}', to: '${RECEIVER}', value: '0x${AMOUNT.toString(16)}' }]
})`

/** Balance of the receiver before a payment. */
export const balanceBefore = (chain: Chain): Promise<bigint> => chain.balance(RECEIVER)

/** Waits until a payment is in a block. */
export async function paid(chain: Chain, hash: Hex, before: bigint): Promise<void> {
  expect(hash).toMatch(/^0x[\da-f]{64}$/)
  const receipt = () => chain.request('eth_getTransactionReceipt', [hash]) as Promise<{ status: Hex } | null>
  await expect.poll(async () => (await receipt())?.status).toBe('0x1')
  expect(await chain.balance(RECEIVER)).toBe(before + AMOUNT)
}
