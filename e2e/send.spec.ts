import { describe, expect, it } from 'vitest'
import { ACCOUNT, connect, openAccount } from './pages/journey.ts'
import { fill, openSend, review } from './pages/send.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

const ETHER = 10n ** 18n
/** Addresses without an owner; each test has its own, so that its balance is what the test sent. */
const RECEIVERS = {
  send: '0x00000000000000000000000000000000000C0d01',
  refused: '0x00000000000000000000000000000000000c0d02',
  max: '0x00000000000000000000000000000000000c0D03',
  again: '0x00000000000000000000000000000000000c0d04'
}

function giveAccount(ether: bigint): Promise<unknown> {
  return world.one.request('anvil_setBalance', [ACCOUNT, `0x${(ether * ETHER).toString(16)}`])
}

describe('sending the coin of the chain', () => {
  it('spec_1_4_a_visitor_sends_ether_and_both_sides_have_it_on_the_chain', async () => {
    await giveAccount(100n)
    const visit = await world.comeBack()
    await openSend(visit)
    await fill(visit, '1.5', RECEIVERS.send)
    await review(visit)
    await visit.modal.says('1.5')
    await visit.modal.says('Anvil One')
    await world.one.beforeTheNextBlock(async () => {
      await visit.modal.sendButton.click()
      await visit.wallet.approve('send')
      await visit.modal.says('On its way')
      // The receipt says it, so no snack covers it.
      expect(await visit.modal.snack.count()).toBe(0)
      await visit.modal.part('send-done').click()
      await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
      await visit.modal.says('Transaction pending')
      expect(await world.one.balance(RECEIVERS.send)).toBe(0n)
    })
    await visit.modal.confirmed()
    expect(await world.one.balance(RECEIVERS.send)).toBe((3n * ETHER) / 2n)
    await expect.poll(() => visit.modal.accountButton.textContent()).toMatch(/98\.(4|5)\d\d ETH/)
    expect(await world.one.balance(ACCOUNT)).toBeLessThan(99n * ETHER)
  })

  it('a refused transaction says so and can be confirmed again', async () => {
    const visit = await world.comeBack()
    await openSend(visit)
    await fill(visit, '0.25', RECEIVERS.refused)
    await review(visit)
    await visit.modal.sendButton.click()
    await visit.wallet.refuse('send')
    await visit.modal.says('You declined the transaction. Nothing was sent.')
    expect(await world.one.balance(RECEIVERS.refused)).toBe(0n)
    await visit.modal.sendButton.click()
    await visit.wallet.approve('send')
    await expect.poll(() => world.one.balance(RECEIVERS.refused)).toBe(ETHER / 4n)
  })

  it('who was paid stands below an empty receiver afterwards, and the receipt has the hash to copy', async () => {
    const visit = await world.comeBack('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    await openSend(visit)
    await fill(visit, '0.125', RECEIVERS.again)
    await review(visit)
    await visit.modal.sendButton.click()
    await visit.wallet.approve('send')
    await visit.modal.says('Network fee')
    const result = await visit.modal.card.getByRole('heading', { name: 'Sent', exact: true }).boundingBox()
    expect(result?.height).toBeGreaterThan(12)
    await visit.modal.part('send-copy').click()
    await visit.modal.card.locator('[data-testid=send-copy][data-done=true]').waitFor()
    expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^0x[0-9a-f]{64}$/)
    await visit.modal.part('send-done').click()
    await visit.modal.part('wallet-features-send-button').click()
    await visit.modal.part('send-suggestion').first().click()
    expect((await visit.modal.receiver.inputValue()).toLowerCase()).toBe(RECEIVERS.again.toLowerCase())
  })

  it('max leaves enough for the fee', async () => {
    await giveAccount(5n)
    const visit = await world.comeBack()
    await openSend(visit)
    await visit.modal.receiver.fill(RECEIVERS.max)
    await visit.modal.button('Max').click()
    await expect.poll(() => visit.modal.amount.inputValue()).toMatch(/^4\.99\d+$/)
    await review(visit)
    await visit.modal.sendButton.click()
    await visit.wallet.approve('send')
    await expect.poll(() => world.one.balance(RECEIVERS.max)).toBeGreaterThan((499n * ETHER) / 100n)
    await giveAccount(10_000n)
  })

  it('spec_5_10_what_is_wrong_with_the_form_is_said_in_words', async () => {
    await giveAccount(10n)
    const visit = await world.comeBack()
    await openSend(visit)
    const amount = visit.modal.amount
    const receiver = visit.modal.receiver
    const faults: [string, string, string][] = [
      ['11', RECEIVERS.send, 'More than your balance'],
      ['10', RECEIVERS.send, 'Not enough for the network fee'],
      ['0', RECEIVERS.send, 'Enter more than zero'],
      ['one', RECEIVERS.send, 'Enter a number, such as 0.5'],
      ['1e3', RECEIVERS.send, 'Enter the full number: 1000'],
      ['-1', RECEIVERS.send, 'Enter a number without a sign, such as 0.5'],
      ['1,000', RECEIVERS.send, 'Enter 1000 or 1'],
      ['9'.repeat(80), RECEIVERS.send, 'More than your balance'],
      ['0.0000000000000000001', RECEIVERS.send, 'Use at most 18 decimals'],
      ['1', '0x123', 'Not a valid address or name'],
      ['1', '0x00000000000000000000000000000000000c0D01', "Checksum doesn't match. Paste the address again."],
      ['1', '0x0000000000000000000000000000000000000000', 'No one controls this address. Coins sent to it are lost.'],
      ['1', ACCOUNT, 'This is your own address']
    ]
    for (const [wei, to, words] of faults) {
      await amount.fill(wei)
      await receiver.fill(to)
      await visit.modal.says(words)
      expect(await visit.modal.title.textContent()).toBe('Send')
    }
    await giveAccount(10_000n)
  })

  it('the host opens the form filled in and gets the hash', async () => {
    const visit = await world.comeBack()
    const hash = visit.page.evaluate((to) => {
      const { kit } = window as unknown as { kit: { open(options: object): Promise<{ hash: string }> } }
      return kit.open({ view: 'WalletSend', arguments: { amount: '0.125', to } })
    }, RECEIVERS.send)
    await expect.poll(() => visit.modal.amount.inputValue()).toBe('0.125')
    await review(visit)
    await visit.modal.sendButton.click()
    await visit.wallet.approve('send')
    expect(await hash).toMatchObject({ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  })
})

describe('a chain out of reach', () => {
  it('spec_8_1_an_unreachable_chain_is_told_and_the_balance_comes_back_with_it', async () => {
    const visit = await world.visit()
    world.one.line.cut()
    try {
      await connect(visit)
      await visit.modal.snacks('Token Balance Unavailable')
      await openAccount(visit)
      await visit.modal.says('Balance unavailable')
    } finally {
      world.one.line.mend()
    }
    // The balance may be back by itself before a visitor presses.
    await visit.modal.tryAgain.evaluateAll(([button]) => (button as HTMLElement | undefined)?.click())
    await expect.poll(() => visit.modal.balance.textContent()).toMatch(/\d ETH/)
    await expect.poll(() => visit.modal.accountButton.textContent()).toMatch(/\d ETH/)
  })
})
