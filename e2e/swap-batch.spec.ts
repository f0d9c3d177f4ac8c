import { decodeFunctionData, erc20Abi, type Hex, parseAbi, parseUnits } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT, connected } from './pages/journey.ts'
import { Swap } from './pages/swap.ts'
import { useWorld } from './use-world.ts'
import { coinOf, contractOf } from './world/coins.ts'
import type { Visit } from './world/visit.ts'

// Own file, and so a chain of its own: the demo wallet sets code on the account, which stays.
const world = useWorld()

const ROUTERS = ['uniswapV2Router', 'uniswapV3Router'].map((name) => contractOf(name).toLowerCase())
const TOGETHER = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3Value[] calls) payable'
])
const usdc = () => coinOf(world.one, 'usdc')
const dai = () => coinOf(world.one, 'dai')

beforeAll(async () => {
  await usdc().mint(ACCOUNT, parseUnits('1000', 6))
})

/** Goes to the preview of a swap of USDC for DAI, in a wallet with batched calls. Returns the expected amount too. */
async function preview(amount: string): Promise<[Visit, Swap, bigint]> {
  const visit = await world.comeBack('/?wallet=normal,batches')
  const swap = new Swap(visit)
  await swap.open()
  await swap.choose('sourceToken', 'USDC')
  await swap.choose('toToken', 'DAI')
  const quoted = await swap.quote(amount, 18)
  await swap.review()
  await visit.modal.says('Demo Wallet approves this exact amount and swaps it in one step.')
  expect(await swap.action.textContent()).toBe('Approve and swap')
  return [visit, swap, quoted]
}

/** Calls of the batch that the wallet shows to its user. */
async function asked(visit: Visit) {
  await visit.wallet.asks('send').waitFor()
  const data = await visit.control(({ pending }) => {
    const [question] = pending
    if (pending.length !== 1 || question?.kind !== 'send') throw new Error('The wallet does not ask for one thing')
    return String(question.data)
  })
  const [calls] = decodeFunctionData({ abi: TOGETHER, data: data as Hex }).args
  return calls
}

async function holdings() {
  const allowed = await Promise.all(ROUTERS.map((router) => usdc().allowance(ACCOUNT, router)))
  return { dollars: await usdc().balance(ACCOUNT), others: await dai().balance(ACCOUNT), allowed }
}

describe('approve and swap in one step (EIP-5792)', () => {
  it('what the wallet refuses moves nothing and leaves nothing approved, and can be confirmed again', async () => {
    const before = await holdings()
    const [visit, swap] = await preview('100')
    await swap.action.click()
    await visit.wallet.refuse('send')
    await visit.modal.says('You declined. Nothing was swapped.')
    expect(await holdings()).toEqual(before)
    await swap.action.click()
    expect(await asked(visit)).toHaveLength(2)
    await visit.wallet.refuse('send')
    expect(await holdings()).toEqual(before)
  })

  it('a token is approved for exactly what is paid and swapped as quoted, in one question of the wallet', async () => {
    const before = await holdings()
    const [visit, swap, quoted] = await preview('120.5')
    const paid = parseUnits('120.5', 6)
    await swap.action.click()
    const [approval, call, ...others] = await asked(visit)
    if (!approval || !call) throw new Error('The wallet is asked for two calls')
    expect(others).toEqual([])
    expect(approval.target.toLowerCase()).toBe(usdc().address.toLowerCase())
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: approval.callData })
    const [spender, allowed] = args as [string, bigint]
    expect([functionName, allowed, approval.value, call.value]).toEqual(['approve', paid, 0n, 0n])
    expect(ROUTERS).toContain(spender.toLowerCase())
    expect(call.target.toLowerCase()).toBe(spender.toLowerCase())
    await visit.wallet.approve('send')
    await visit.modal.confirmed()
    const after = await holdings()
    expect(before.dollars - after.dollars).toBe(paid)
    expect(after.others - before.others).toBe(quoted)
    expect(after.allowed).toEqual([0n, 0n])
  })

  it('what is on its way is followed when the page is loaded anew, by what the wallet says of it', async () => {
    const before = await holdings()
    const [visit, swap, quoted] = await preview('80')
    await world.one.beforeTheNextBlock(async () => {
      await swap.action.click()
      await visit.wallet.approve('send')
      await visit.modal.says('On its way')
      await visit.page.reload()
      await connected(visit)
      await visit.modal.accountButton.click()
      expect(await holdings()).toEqual(before)
    })
    await visit.modal.confirmed()
    expect((await dai().balance(ACCOUNT)) - before.others).toBe(quoted)
  })
})
