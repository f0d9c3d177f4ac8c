import { parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { ACCOUNT } from './pages/journey.ts'
import { Swap } from './pages/swap.ts'
import { useWorld } from './use-world.ts'
import { coinOf } from './world/coins.ts'
import { sellMuchEther } from './world/market.ts'

// Own file, and so a chain of its own: after other swaps another route may be the best one, whose price would not change here.
const world = useWorld()

describe('a price that moves', () => {
  it('spec_9_7_by_more_than_was_agreed_to_is_asked_about_again_before_the_wallet_is', async () => {
    const usdc = coinOf(world.one, 'usdc')
    const holdings = async () => [await world.one.balance(ACCOUNT), await usdc.balance(ACCOUNT)] as const
    const before = await holdings()
    const visit = await world.comeBack()
    const swap = new Swap(visit)
    await swap.open()
    await swap.choose('toToken', 'USDC')
    await swap.quote('1', 6)
    await swap.review()
    await sellMuchEther(world.one)
    const asked = () => visit.requests.filter((url) => url.includes('/v1/convert/quotes')).length
    const once = asked()
    // The server queries the chain for the same swap at most every ten seconds, and the form queries the server every fifteen.
    await visit.modal.card.getByText("The price changed. You'd now receive at least").waitFor({ timeout: 40_000 })
    expect(asked()).toBeGreaterThan(once)
    expect(await visit.control(({ pending }) => pending.length)).toBe(0)
    expect(await holdings()).toEqual(before)
    await swap.action.filter({ hasText: 'Accept new price' }).click()
    await swap.action.filter({ hasText: 'Swap' }).click()
    // The exchange now pays far less than ether is worth.
    await visit.modal.says('of your value. Swap anyway?')
    await swap.action.filter({ hasText: 'Swap anyway' }).click()
    await visit.wallet.approve('send')
    await visit.modal.confirmed()
    expect((await usdc.balance(ACCOUNT)) - before[1]).toBeGreaterThan(parseUnits('1900', 6))
  })
})
