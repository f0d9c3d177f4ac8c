import { describe, expect, it } from 'vitest'
import { ACCOUNT, connect, connected, disconnected, open } from './pages/journey.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

describe('connecting', () => {
  it('spec_1_2_a_visitor_connects_an_announced_wallet_and_the_host_sees_the_account', async () => {
    const visit = await world.visit()
    await open(visit)
    expect(await visit.modal.title.textContent()).toBe('Connect Wallet')
    await visit.modal.wallet().click()
    await visit.wallet.approve('connect')
    await visit.modal.gone()
    await connected(visit)
    expect(await visit.fact('account-address')).toBe(ACCOUNT)
    expect(await visit.fact('account-caip-address')).toBe(`eip155:31337:${ACCOUNT}`)
    expect(await visit.fact('account-wallet')).toBe('Demo Wallet')
    expect(await visit.fact('network-name')).toBe('Anvil One')
  })

  it('await connect() resolves with the account', async () => {
    const visit = await world.visit()
    await visit.press('connect')
    await visit.modal.wallet().click()
    await visit.wallet.approve('connect')
    await expect.poll(() => visit.fact('action-result')).toContain('"caipAddress"')
    const account = JSON.parse(await visit.fact('action-result'))
    expect(account).toMatchObject({ caipNetworkId: 'eip155:31337', connectorId: 'test.portico.demo' })
    expect(account.address).toBe(ACCOUNT)
  })

  it('await connect() rejects with a typed reason when the visitor closes the modal', async () => {
    const visit = await world.visit()
    await visit.press('connect')
    await visit.modal.shown()
    await visit.modal.close()
    await expect.poll(() => visit.fact('action-result')).toMatch(/^modalClosed: /)
  })

  it('spec_4_1_the_status_goes_from_disconnected_over_connecting_to_connected', async () => {
    const visit = await world.visit()
    await disconnected(visit)
    await open(visit)
    await visit.modal.wallet().click()
    await visit.wallet.asks('connect').waitFor()
    await expect.poll(() => visit.fact('account-status')).toBe('connecting')
    await visit.wallet.approve('connect')
    await connected(visit)
  })

  it('a visitor who refuses reads so, and tries again', async () => {
    const visit = await world.visit()
    await open(visit)
    await visit.modal.wallet().click()
    await visit.wallet.refuse('connect')
    await visit.modal.says('Request declined')
    await disconnected(visit)
    await visit.modal.tryAgain.click()
    await visit.wallet.approve('connect')
    await connected(visit)
  })

  it('an account chosen in the wallet is the account shown', async () => {
    const visit = await world.visit()
    await open(visit)
    await visit.modal.wallet().click()
    await visit.wallet.asks('connect').getByTestId('demo-wallet-account-1').check()
    await visit.wallet.approve('connect')
    await connected(visit)
    expect((await visit.fact('account-address')).toLowerCase()).toBe('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
  })

  it('the host without a framework connects and disconnects', async () => {
    const visit = await world.visit('/vanilla.html')
    await connect(visit)
    expect(await visit.fact('network-caip-id')).toBe('eip155:31337')
    await visit.press('disconnect')
    await disconnected(visit)
  })
})

describe('wallets that take their time', () => {
  it('a slow wallet gets a hint where to look, and still connects', async () => {
    const visit = await world.visit('/?wallet=slow:60000@eth_requestAccounts,approval=auto', { clock: true })
    await open(visit)
    await visit.modal.wallet().click()
    await visit.modal.says('Continue in Demo Wallet')
    await visit.page.clock.fastForward(30_000)
    await visit.modal.says('Still waiting')
    await visit.page.clock.fastForward(30_000)
    await connected(visit)
  })

  it('a visitor goes back from a silent wallet and connects another', async () => {
    const visit = await world.visit('/?wallet=silent&wallet=normal')
    await open(visit)
    await visit.modal.wallet().click()
    await expect.poll(() => visit.modal.title.textContent()).toBe('Demo Wallet')
    await visit.modal.backButton.click()
    await expect.poll(() => visit.modal.title.textContent()).toBe('Connect Wallet')
    await disconnected(visit)
    await visit.modal.wallet('test.portico.demo.teal').click()
    await visit.wallet.approve('connect')
    await connected(visit)
    expect(await visit.fact('account-wallet')).toBe('Demo Wallet Teal')
  })

  it('a wallet announced while the modal is open appears in the list', async () => {
    const visit = await world.visit('/?wallet=normal&wallet=normal,late=manual')
    await open(visit)
    await visit.modal.wallet().waitFor()
    expect(await visit.modal.wallet('test.portico.demo.teal').count()).toBe(0)
    await visit.control((controls) => controls.announce(), 1)
    await visit.modal.wallet('test.portico.demo.teal').click()
    await visit.wallet.approve('connect')
    await connected(visit)
  })

  it('an open modal without any wallet recommends some, and gives way when one announces itself', async () => {
    const visit = await world.visit('/?wallet=normal,late=manual')
    await open(visit)
    const recommended = visit.modal.card.getByRole('list', { name: 'Recommended' })
    await recommended.waitFor()
    await visit.control((controls) => controls.announce())
    await visit.modal.wallet().waitFor()
    await recommended.waitFor({ state: 'detached' })
  })
})

describe('several wallets', () => {
  it('spec_2_15_two_wallets_stand_side_by_side_and_the_chosen_one_connects', async () => {
    const visit = await world.visit('/?wallets=2')
    await open(visit)
    await visit.modal.wallet().waitFor()
    await visit.modal.wallet('test.portico.demo.teal').click()
    await visit.wallet.approve('connect')
    await connected(visit)
    expect(await visit.fact('account-wallet')).toBe('Demo Wallet Teal')
    expect(await visit.control(({ requests }) => requests.map(({ method }) => method))).not.toContain(
      'eth_requestAccounts'
    )
  })

  it('spec_3_20_a_wallet_used_before_comes_first_the_next_time', async () => {
    const visit = await world.visit('/?wallets=2')
    await connect(visit, 'test.portico.demo.teal')
    await visit.press('disconnect')
    await disconnected(visit)
    await open(visit)
    await visit.modal.wallet().waitFor()
    const names = await visit.modal.card.locator('[data-testid^="wallet-selector-"]').allTextContents()
    // Remote wallets are listed before all others (spec 2.15).
    expect(names[1]).toContain('Demo Wallet Teal')
  })
})

describe('wallets that answer wrongly', () => {
  it('a wallet that asks already is told of as such, and can be asked again', async () => {
    const visit = await world.visit()
    await open(visit)
    await visit.page.evaluate(() => {
      // The page itself requested accounts earlier, and that popup is still open.
      const { demoWallets } = window as unknown as {
        demoWallets: { provider: { request(args: object): Promise<unknown> } }[]
      }
      demoWallets[0]?.provider.request({ method: 'eth_requestAccounts' }).catch(() => {})
    })
    await visit.wallet.asks('connect').waitFor()
    // The popup covers the page, as a wallet's window does, so the row is clicked by an event and not with the pointer.
    await visit.modal.wallet().dispatchEvent('click')
    await visit.modal.says('A request is already open in Demo Wallet')
    await visit.wallet.refuse('connect')
    await visit.modal.tryAgain.click()
    await visit.wallet.approve('connect')
    await connected(visit)
  })

  for (const mode of [
    'nonsense:object',
    'nonsense:number',
    'nonsense:null',
    'nonsense:string',
    'nonsense:bare',
    'nonsense:empty',
    'nonsense:address',
    'nonsense:chainId',
    'throws:sync',
    'throws:string',
    'throws:codeless',
    'throws:undefined'
  ]) {
    it(`the answer of ${mode} becomes a typed error and a visible message`, async () => {
      const visit = await world.visit(`/?wallet=${mode},approval=auto`)
      await visit.press('connect')
      await visit.modal.wallet().click()
      await visit.modal.tryAgain.waitFor()
      expect(((await visit.modal.card.textContent()) ?? '').length).toBeGreaterThan(20)
      await disconnected(visit)
      await visit.modal.close()
      await expect.poll(() => visit.fact('action-result')).toMatch(/^\w+: .+/)
    })
  }

  it('a wallet that tells everything twice connects once', async () => {
    const visit = await world.visit('/?wallet=twice')
    await connect(visit)
    await visit.control((controls) => controls.switchChain(31338))
    await expect.poll(() => visit.fact('network-chain-id')).toBe('31338')
  })
})
