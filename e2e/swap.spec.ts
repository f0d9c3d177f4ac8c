import { decodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT, openAccount } from './pages/journey.ts'
import { Swap } from './pages/swap.ts'
import { useWorld } from './use-world.ts'
import { type Coin, coinOf, contractOf } from './world/coins.ts'
import { lastFee } from './world/market.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const DAY = 86_400
const ROUTERS = ['uniswapV2Router', 'uniswapV3Router'].map((name) => contractOf(name).toLowerCase())
const usdc = (): Coin => coinOf(world.one, 'usdc')
const ether = () => world.one.balance(ACCOUNT)

beforeAll(async () => {
  await usdc().mint(ACCOUNT, parseUnits('10000', 6))
})

async function form(): Promise<[Visit, Swap]> {
  const visit = await world.comeBack()
  const swap = new Swap(visit)
  await swap.open()
  return [visit, swap]
}

/** Transaction that the wallet shows to its user. */
async function asked(visit: Visit): Promise<{ to: string; value: bigint; data: Hex }> {
  await visit.wallet.asks('send').waitFor()
  const told = await visit.control(({ pending: [question] }) => {
    if (question?.kind !== 'send') throw new Error('The wallet asks for no transaction')
    return { to: String(question.to).toLowerCase(), value: String(question.value), data: String(question.data) }
  })
  return { to: told.to, value: BigInt(told.value), data: told.data as Hex }
}

/** Balances that the account could lose. */
async function holdings() {
  return { ether: await ether(), dollars: await usdc().balance(ACCOUNT) }
}

describe('a swap that is not done', () => {
  it('one that the wallet refuses moves nothing, and can be confirmed again', async () => {
    const before = await holdings()
    const [visit, swap] = await form()
    await swap.choose('toToken', 'USDC')
    await swap.quote('0.5', 6)
    await swap.review()
    await swap.action.click()
    await visit.wallet.refuse('send')
    await visit.modal.says('You declined. Nothing was swapped.')
    expect(await holdings()).toEqual(before)
    await swap.action.click()
    expect((await asked(visit)).value).toBe(parseEther('0.5'))
    await visit.wallet.refuse('send')
    await visit.modal.says('You declined. Nothing was swapped.')
    expect(await holdings()).toEqual(before)
  })

  it('an approval that the wallet refuses leaves nothing approved', async () => {
    const [visit, swap] = await form()
    await swap.choose('sourceToken', 'USDC')
    await swap.choose('toToken', 'ETH')
    await swap.quote('100', 18)
    await swap.review()
    await swap.action.click()
    await visit.wallet.refuse('send')
    await visit.modal.says('You declined. Nothing was swapped.')
    for (const router of ROUTERS) expect(await usdc().allowance(ACCOUNT, router)).toBe(0n)
  })

  it('one whose approval is mined after a reload wears no sign of success, and can be gone on with', async () => {
    const before = await holdings()
    const [visit, swap] = await form()
    await swap.choose('sourceToken', 'USDC')
    await swap.choose('toToken', 'ETH')
    await swap.quote('100', 18)
    await swap.review()
    await world.one.beforeTheNextBlock(async () => {
      await swap.action.click()
      await visit.wallet.approve('send')
      await visit.modal.says('Waiting for the approval to confirm')
      await visit.page.reload()
      await openAccount(visit)
    })
    await visit.page.getByRole('alert').filter({ hasText: "Your swap isn't finished" }).waitFor()
    expect((await holdings()).dollars).toBe(before.dollars)
    await visit.modal.part('wallet-features-swaps-button').click()
    await swap.there()
    await swap.quoted(18)
    await swap.review()
    await swap.action.click()
    expect(ROUTERS).toContain((await asked(visit)).to)
    await visit.wallet.approve('send')
    await visit.modal.confirmed()
    expect((await holdings()).dollars).toBe(before.dollars - parseUnits('100', 6))
  })

  it('what is wrong with the form is said, and leads nowhere', async () => {
    const [visit, swap] = await form()
    await expect.poll(() => swap.action.textContent()).toBe('Select token')
    await swap.choose('toToken', 'USDC')
    await expect.poll(() => swap.action.textContent()).toBe('Enter an amount')
    const faults: [string, string][] = [
      ['0', 'Enter more than zero'],
      ['-1', 'Enter a number without a sign, such as 0.5'],
      ['1e3', 'Enter the full number: 1000'],
      ['1,000', 'Enter 1000 or 1'],
      ['0.0000000000000000001', 'Use at most 18 decimals'],
      ['9'.repeat(80), 'Not enough ETH']
    ]
    for (const [amount, words] of faults) {
      await swap.amount('sourceToken').fill(amount)
      await visit.modal.says(words)
    }
    expect(visit.requests.filter((url) => url.includes('/v1/convert/quotes'))).toEqual([])
    expect(await visit.modal.title.textContent()).toBe('Swap')
  })

  it('what is received stands where it stood once a token was looked for', async () => {
    const [visit, swap] = await form()
    const shown = swap.amount('toToken')
    // Within the card, whose upper edge stays where the list had it.
    const places = () =>
      shown.evaluate((element) => {
        const { top = 0 } = element.closest('.card')?.getBoundingClientRect() ?? {}
        const { left, right, ...own } = element.getBoundingClientRect().toJSON()
        const cut = element.scrollHeight > element.clientHeight + 1
        return { top: own.top - top, bottom: own.bottom - top, left, right, cut }
      })
    const before = await places()
    await swap.token('toToken').click()
    await visit.modal.part('swap-select-token-search-input').fill('no such token')
    await expect.poll(() => visit.modal.card.locator('.unmatched').textContent()).not.toBe('')
    await visit.modal.part('header-back').click()
    await swap.there()
    await expect.poll(places).toEqual(before)
    expect(before.cut).toBe(false)
  })

  it('spec_4_15_another_network_under_an_open_form_starts_it_anew', async () => {
    const before = await holdings()
    const [visit, swap] = await form()
    await swap.choose('toToken', 'USDC')
    await swap.quote('0.5', 6)
    await visit.control(({ switchChain }) => switchChain(31338))
    await visit.modal.snacks('Network changed. The swap was reset.')
    await visit.modal.says('No swaps on Anvil Two')
    await visit.control(({ switchChain }) => switchChain(31337))
    await expect.poll(() => swap.amount('sourceToken').inputValue()).toBe('')
    expect(await holdings()).toEqual(before)
  })
})

describe('a swap on the exchange of the chain', () => {
  it('spec_1_4_a_visitor_swaps_ether_and_has_what_was_quoted', async () => {
    const before = await holdings()
    const [visit, swap] = await form()
    await swap.choose('toToken', 'USDC')
    const quoted = await swap.quote('0.75', 6)
    expect(visit.requests.filter((url) => url.includes('/v1/convert/quotes'))).toHaveLength(1)
    await swap.review()
    await swap.action.click()
    const transaction = await asked(visit)
    expect(ROUTERS).toContain(transaction.to)
    expect(transaction.value).toBe(parseEther('0.75'))
    await visit.wallet.approve('send')
    await visit.modal.confirmed()
    await visit.modal.says('Swapped')
    await visit.modal.says('Network fee')
    const after = await holdings()
    expect(after.dollars - before.dollars).toBe(quoted)
    expect(before.ether - after.ether).toBe(parseEther('0.75') + (await lastFee(world.one, ACCOUNT)))
  })

  it('spec_9_7_the_visitor_chooses_how_far_the_price_may_move', async () => {
    const [visit, swap] = await form()
    await swap.choose('toToken', 'USDC')
    const quoted = await swap.quote('0.25', 6)
    await visit.modal.part('swap-slippage').click()
    await visit.modal.button('0.5%').click()
    await swap.review()
    const exact = visit.modal.card.locator('dd bdi[title$=" USDC"]').first()
    const [least = ''] = ((await exact.getAttribute('title')) ?? '').split(' ')
    expect(parseUnits(least.replaceAll(',', ''), 6)).toBe(quoted - (quoted * 5n) / 1000n)
    const before = await holdings()
    await swap.action.click()
    await visit.wallet.approve('send')
    await visit.modal.says('Swapped')
    expect((await holdings()).dollars - before.dollars).toBe(quoted)
    await visit.page.reload()
    await openAccount(visit)
    await visit.modal.part('wallet-features-swaps-button').click()
    await expect.poll(() => visit.modal.part('swap-slippage').textContent()).toContain('0.5%')
  })

  it('spec_9_7_a_token_is_swapped_with_an_approval_of_exactly_what_is_paid', async () => {
    const [visit, swap] = await form()
    await swap.choose('sourceToken', 'USDC')
    await swap.choose('toToken', 'ETH')
    const quoted = await swap.quote('1250.5', 18)
    const paid = parseUnits('1250.5', 6)
    await swap.review()
    await visit.modal.says('Step 1: approve this exact amount')
    await swap.action.click()
    const approval = await asked(visit)
    expect(approval.to).toBe(usdc().address.toLowerCase())
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: approval.data })
    const [spender, allowed] = args as [string, bigint]
    expect([functionName, allowed, ROUTERS.includes(spender.toLowerCase())]).toEqual(['approve', paid, true])
    await visit.wallet.approve('send')
    await expect.poll(async () => (await asked(visit)).to).toBe(spender.toLowerCase())
    const before = await holdings()
    expect((await asked(visit)).value).toBe(0n)
    await visit.wallet.approve('send')
    await visit.modal.confirmed()
    const after = await holdings()
    expect(before.dollars - after.dollars).toBe(paid)
    expect(after.ether - before.ether).toBe(quoted - (await lastFee(world.one, ACCOUNT)))
    expect(await usdc().allowance(ACCOUNT, spender)).toBe(0n)
  })

  it('spec_9_7_the_visitor_types_what_to_receive_and_exactly_that_arrives', async () => {
    const [visit, swap] = await form()
    await swap.choose('sourceToken', 'USDC')
    await swap.choose('toToken', 'ETH')
    await swap.amount('toToken').fill('0.2')
    const quoted = await swap.exact('sourceToken', 6)
    await swap.review()
    await visit.modal.says('You pay at most')
    await swap.action.click()
    const approval = await asked(visit)
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: approval.data })
    expect([approval.to, functionName]).toEqual([usdc().address.toLowerCase(), 'approve'])
    expect((args as [string, bigint])[1]).toBe(quoted + quoted / 100n)
    await visit.wallet.approve('send')
    await expect.poll(async () => ROUTERS.includes((await asked(visit)).to)).toBe(true)
    const before = await holdings()
    await visit.wallet.approve('send')
    await visit.modal.confirmed()
    const after = await holdings()
    expect(after.ether - before.ether).toBe(parseEther('0.2') - (await lastFee(world.one, ACCOUNT)))
    expect(before.dollars - after.dollars).toBe(quoted)
  })

  it('the host opens the form filled in', async () => {
    const visit = await world.comeBack()
    const swap = new Swap(visit)
    await swap.ask({ amount: '0.1', fromToken: 'ETH', toToken: 'USDC' })
    await swap.there()
    expect(await swap.amount('sourceToken').inputValue()).toBe('0.1')
    expect(await swap.quoted(6)).toBeGreaterThan(parseUnits('100', 6))
  })
})

describe('a price that is looked at', () => {
  it('a quote refresh makes exactly one request', async () => {
    const visit = await world.comeBack('/', { clock: true })
    const swap = new Swap(visit)
    await swap.open()
    await swap.choose('toToken', 'USDC')
    await swap.quote('0.5', 6)
    await visit.page.waitForLoadState('networkidle')
    const before = visit.requests.length
    const answered = visit.page.waitForResponse((response) => response.url().includes('/v1/convert/quotes'))
    await visit.page.clock.fastForward(15_000)
    await (await answered).finished()
    // Requests that the response could cause, such as for prices or balances, would have been sent by now.
    await visit.page.waitForLoadState('networkidle')
    const asked = visit.requests.slice(before).map((url) => new URL(url).pathname)
    expect(asked).toEqual(['/v1/convert/quotes'])
  })
})

describe('a price that moves', () => {
  it('while the wallet asks: a quote that expires there moves nothing', async () => {
    const [visit, swap] = await form()
    await swap.choose('toToken', 'USDC')
    await swap.quote('0.5', 6)
    await swap.review()
    await swap.action.click()
    await asked(visit)
    const before = await usdc().balance(ACCOUNT)
    await world.one.request('evm_increaseTime', [DAY])
    await world.one.request('evm_mine')
    await visit.wallet.approve('send')
    await visit.modal.says("The swap didn't go through.")
    expect(await usdc().balance(ACCOUNT)).toBe(before)
  })
})
