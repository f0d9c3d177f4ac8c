import { getAddress, parseUnits } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT, openAccount } from './pages/journey.ts'
import { askToSend, chooseToken, confirm, fill, openSend, review } from './pages/send.ts'
import { useWorld } from './use-world.ts'
import { type Coin, coinOf, contractOf } from './world/coins.ts'

const world = useWorld()

const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** Address without an owner; each test has its own, so that its balance is what the test sent. */
const receiver = (number: number) => getAddress(`0x${number.toString(16).padStart(40, '0')}`)
const RECEIVERS = {
  refused: receiver(0xc0d11),
  dollars: receiver(0xc0d12),
  max: receiver(0xc0d13),
  taxed: receiver(0xc0d14),
  stuck: receiver(0xc0d15),
  reload: receiver(0xc0d16),
  replaced: receiver(0xc0d17),
  reverted: receiver(0xc0d18)
}

/** Bytecode of a contract that reverts every call. */
const REVERTS = '0x5f5ffd'

const coin = (name: string): Coin => coinOf(world.one, name)

beforeAll(async () => {
  await coin('usdc').mint(ACCOUNT, parseUnits('1000', 6))
  await coin('taxed').mint(ACCOUNT, parseUnits('100', 18))
  await coin('stuck').mint(ACCOUNT, parseUnits('100', 18))
})

describe('sending a token', () => {
  it('a refused one moves nothing, is told to the host, and can be confirmed again', async () => {
    const usdc = coin('usdc')
    const visit = await world.comeBack()
    const told = askToSend(visit, { assetAddress: usdc.address, amount: '1.25', to: RECEIVERS.refused })
    await review(visit)
    await visit.modal.sendButton.click()
    await visit.wallet.refuse('send')
    await visit.modal.says('You declined the transaction. Nothing was sent.')
    expect(await told).toMatchObject({ refused: expect.any(String) })
    expect(await usdc.balance(RECEIVERS.refused)).toBe(0n)
    await confirm(visit)
    await expect.poll(() => usdc.balance(RECEIVERS.refused)).toBe(1_250_000n)
  })

  it('spec_1_4_a_visitor_chooses_a_token_and_both_sides_have_it_on_the_chain', async () => {
    const usdc = coin('usdc')
    const before = await usdc.balance(ACCOUNT)
    const visit = await world.comeBack()
    await openSend(visit)
    await chooseToken(visit, 'USDC', 'USD Coin')
    await fill(visit, '12.5', RECEIVERS.dollars)
    await review(visit)
    await visit.modal.says('12.5')
    await confirm(visit)
    await visit.modal.confirmed()
    expect(await usdc.balance(RECEIVERS.dollars)).toBe(12_500_000n)
    expect(await usdc.balance(ACCOUNT)).toBe(before - 12_500_000n)
  })

  it('max is all of it, for the fee is paid in the coin of the chain', async () => {
    const usdc = coin('usdc')
    const before = await usdc.balance(ACCOUNT)
    const visit = await world.comeBack()
    void askToSend(visit, { assetAddress: usdc.address, to: RECEIVERS.max })
    await visit.modal.button('Max').click()
    await expect.poll(() => visit.modal.amount.inputValue()).not.toBe('')
    await review(visit)
    await confirm(visit)
    await expect.poll(() => usdc.balance(RECEIVERS.max)).toBe(before)
    expect(await usdc.balance(ACCOUNT)).toBe(0n)
    await usdc.mint(ACCOUNT, before)
  })

  it('what is wrong with it is said before anybody pays', async () => {
    const visit = await world.comeBack()
    void askToSend(visit, { assetAddress: contractOf('usdc') })
    const faults: [string, string, string][] = [
      ['99999999', ALICE, 'More than your balance'],
      ['0.0000001', ALICE, 'Use at most 6 decimals'],
      ['1', contractOf('usdc'), "This is the token's own contract"]
    ]
    for (const [amount, to, words] of faults) {
      await fill(visit, amount, to)
      await visit.modal.says(words)
      expect(await visit.modal.title.textContent()).toBe('Send')
    }
  })

  it('one whose contract tells no balance cannot be sent', async () => {
    const visit = await world.comeBack()
    void askToSend(visit, { assetAddress: contractOf('reverting'), amount: '1', to: ALICE })
    await visit.modal.says("Couldn't read your balance from this token")
    await visit.modal.reviewButton.click()
    expect(await visit.modal.title.textContent()).toBe('Send')
    expect(await visit.control(({ pending }) => pending.length)).toBe(0)
  })

  it('one that takes a tax arrives with less, and the sender pays no more than was said', async () => {
    const taxed = coin('taxed')
    const before = await taxed.balance(ACCOUNT)
    const visit = await world.comeBack()
    void askToSend(visit, { assetAddress: taxed.address, amount: '10', to: RECEIVERS.taxed })
    await review(visit)
    await confirm(visit)
    await expect.poll(() => taxed.balance(RECEIVERS.taxed)).toBe(parseUnits('9.5', 18))
    expect(await taxed.balance(ACCOUNT)).toBe(before - parseUnits('10', 18))
  })

  it('one that would revert is not sent, and the form says why', async () => {
    const stuck = coin('stuck')
    const before = await stuck.balance(ACCOUNT)
    const visit = await world.comeBack()
    void askToSend(visit, { assetAddress: stuck.address, amount: '10', to: RECEIVERS.stuck })
    await visit.modal.says('This transfer would fail. Check the recipient.')
    await visit.modal.reviewButton.click()
    expect(await visit.modal.title.textContent()).toBe('Send')
    expect(await visit.control(({ pending }) => pending.length)).toBe(0)
    expect(await stuck.balance(ACCOUNT)).toBe(before)
  })
})

describe('a transaction that is not mined yet', () => {
  it('is followed by the page that comes after a reload, which says that it arrived', async () => {
    const usdc = coin('usdc')
    const visit = await world.comeBack()
    await world.one.beforeTheNextBlock(async () => {
      void askToSend(visit, { assetAddress: usdc.address, amount: '2', to: RECEIVERS.reload })
      await review(visit)
      await confirm(visit)
      await visit.modal.says('On its way')
      await visit.page.reload()
      await openAccount(visit)
      await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
      await visit.modal.says('Transaction pending')
      expect(await usdc.balance(RECEIVERS.reload)).toBe(0n)
    })
    await visit.modal.confirmed()
    expect(await usdc.balance(RECEIVERS.reload)).toBe(2_000_000n)
  })

  it('that reverts is titled failed, not sent', async () => {
    const usdc = coin('usdc')
    const visit = await world.comeBack()
    const code = await world.one.request('eth_getCode', [usdc.address, 'latest'])
    try {
      await world.one.beforeTheNextBlock(async () => {
        void askToSend(visit, { assetAddress: usdc.address, amount: '5', to: RECEIVERS.reverted })
        await review(visit)
        await confirm(visit)
        await expect.poll(() => visit.modal.title.textContent()).toBe('Send')
        await world.one.request('anvil_setCode', [usdc.address, REVERTS])
      })
      await visit.modal.snacks('Failed to send transaction')
      expect(await visit.modal.title.textContent()).toBe('Failed')
    } finally {
      await world.one.request('anvil_setCode', [usdc.address, code])
    }
    expect(await usdc.balance(RECEIVERS.reverted)).toBe(0n)
  })

  it('that the wallet replaced is not told as arrived', async () => {
    const usdc = coin('usdc')
    const visit = await world.comeBack()
    await world.one.beforeTheNextBlock(async () => {
      void askToSend(visit, { assetAddress: usdc.address, amount: '3', to: RECEIVERS.replaced })
      await review(visit)
      await confirm(visit)
      await visit.modal.says('On its way')
      // A node forgets a replaced transaction, so the page must have read its nonce before.
      await visit.page.waitForRequest((request) => request.postData()?.includes('eth_getTransactionCount') ?? false)
      const nonce = await world.one.request('eth_getTransactionCount', [ACCOUNT, 'latest'])
      const fees = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x174876e800' }
      await world.one.request('eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, nonce, ...fees }])
    })
    await visit.modal.says('Replaced by another transaction')
    expect(await usdc.balance(RECEIVERS.replaced)).toBe(0n)
  })
})

describe('a receiver by name', () => {
  it('leads to its account, and one that nobody has leads nowhere', async () => {
    const usdc = coin('usdc')
    const before = await usdc.balance(ALICE)
    const visit = await world.comeBack()
    void askToSend(visit, { assetAddress: usdc.address, amount: '4' })
    await visit.modal.receiver.fill('nobody.eth')
    await visit.modal.says('Name not found')
    await visit.modal.receiver.fill('alice.eth')
    await visit.modal.says('0x7099')
    await review(visit)
    await visit.modal.says('alice.eth')
    await confirm(visit)
    await expect.poll(() => usdc.balance(ALICE)).toBe(before + 4_000_000n)
  })
})
