import { describe, expect, it } from 'vitest'
import { connected, disconnected, openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

describe('switching the network', () => {
  it('spec_4_13_a_visitor_switches_in_the_modal_and_the_wallet_follows', async () => {
    const visit = await world.comeBack()
    await openAccount(visit)
    await visit.modal.part('w3m-account-select-network').click()
    await visit.modal.network('Anvil Two').click()
    await visit.wallet.approve('switchChain')
    await expect.poll(() => visit.fact('network-caip-id')).toBe('eip155:31338')
    expect(await visit.fact('account-caip-address')).toMatch(/^eip155:31338:/)
    // The modal is back on the previous view, on the other network.
    await expect.poll(() => visit.modal.part('w3m-account-select-network').textContent()).toContain('Anvil Two')
  })

  it('the network button of the page says the whole name of a network that has no picture', async () => {
    const visit = await world.visit()
    const name = visit.modal.networkButton.getByTestId('wui-network-button')
    await expect.poll(() => name.textContent()).toBe('Anvil One')
    expect(await name.evaluate((span) => span.scrollWidth <= span.clientWidth)).toBe(true)
  })

  it('the network button of the page opens the networks, and a chosen one closes the modal', async () => {
    const visit = await world.comeBack()
    await visit.modal.networkButton.click()
    await expect.poll(() => visit.modal.title.textContent()).toBe('Choose Network')
    await visit.modal.network('Anvil Two').click()
    await visit.wallet.approve('switchChain')
    await visit.modal.gone()
    await expect.poll(() => visit.fact('network-chain-id')).toBe('31338')
  })

  it('the host switches without a view, and its promise resolves', async () => {
    const visit = await world.comeBack()
    await visit.press('switch-to-31338')
    await visit.wallet.approve('switchChain')
    await expect.poll(() => visit.fact('switch-result')).toBe('Switched to Anvil Two')
    expect(await visit.fact('network-chain-id')).toBe('31338')
  })

  it('a refused switch says so, stays where it was, and can be tried again', async () => {
    const visit = await world.comeBack()
    await visit.modal.networkButton.click()
    await visit.modal.network('Anvil Two').click()
    await visit.wallet.refuse('switchChain')
    await visit.modal.says('Switch declined')
    expect(await visit.fact('network-chain-id')).toBe('31337')
    await visit.modal.tryAgain.click()
    await visit.wallet.approve('switchChain')
    await expect.poll(() => visit.fact('network-chain-id')).toBe('31338')
  })

  it('the promise of a refused switch rejects with 4001', async () => {
    const visit = await world.comeBack()
    await visit.press('switch-to-31338')
    await visit.wallet.refuse('switchChain')
    await expect.poll(() => visit.fact('switch-result')).toMatch(/^userRejected: /)
    expect(await visit.fact('network-chain-id')).toBe('31337')
  })

  it('spec_8_51_a_wallet_that_does_not_know_the_network_is_offered_it', async () => {
    const visit = await world.comeBack('/?walletChains=31337')
    await visit.modal.networkButton.click()
    await visit.modal.network('Anvil Two').click()
    await visit.wallet.approve('addChain')
    await expect.poll(() => visit.fact('network-caip-id')).toBe('eip155:31338')
    expect(await visit.control(({ requests }) => requests.map(({ method }) => method))).toContain(
      'wallet_addEthereumChain'
    )
  })

  it('a network the visitor will not add leaves the old one', async () => {
    const visit = await world.comeBack('/?walletChains=31337')
    await visit.modal.networkButton.click()
    await visit.modal.network('Anvil Two').click()
    await visit.wallet.refuse('addChain')
    await visit.modal.tryAgain.waitFor()
    expect(await visit.fact('network-caip-id')).toBe('eip155:31337')
  })

  it('a wallet that switches by itself is followed', async () => {
    const visit = await world.comeBack()
    await visit.control((controls) => controls.switchChain(31338))
    await expect.poll(() => visit.fact('network-caip-id')).toBe('eip155:31338')
    await visit.control((controls) => controls.switchChain(31337))
    await expect.poll(() => visit.fact('network-caip-id')).toBe('eip155:31337')
  })

  it('spec_4_15_the_network_of_last_time_is_the_network_after_a_reload', async () => {
    const visit = await world.comeBack()
    await visit.press('switch-to-31338')
    await visit.wallet.approve('switchChain')
    await expect.poll(() => visit.fact('network-chain-id')).toBe('31338')
    await visit.page.reload()
    await connected(visit)
    await expect.poll(() => visit.fact('network-chain-id')).toBe('31338')
  })

  it('without a wallet the visitor chooses the network the page will read from', async () => {
    const visit = await world.visit()
    await visit.modal.networkButton.click()
    await visit.modal.network('Anvil Two').click()
    await expect.poll(() => visit.fact('network-caip-id')).toBe('eip155:31338')
  })
})

describe('a network the site does not serve', () => {
  it('spec_2_24_the_screen_of_the_unsupported_network_opens_and_a_supported_one_leads_out', async () => {
    const visit = await world.comeBack('/?networks=31337')
    await visit.control((controls) => controls.switchChain(31338))
    await expect.poll(() => visit.modal.title.textContent()).toBe('Switch Network')
    await visit.modal.network('Anvil One').click()
    await visit.wallet.approve('switchChain')
    await visit.modal.gone()
    await expect.poll(() => visit.fact('network-caip-id')).toBe('eip155:31337')
  })

  it('a wallet that stands elsewhere when it connects gets the same screen', async () => {
    const visit = await world.visit('/?networks=31338')
    await visit.modal.connectButton.click()
    await visit.modal.wallet().click()
    await visit.wallet.approve('connect')
    await expect.poll(() => visit.modal.title.textContent()).toBe('Switch Network')
    await visit.modal.network('Anvil Two').click()
    await visit.wallet.approve('switchChain')
    await visit.modal.gone()
    await connected(visit)
  })

  it('a visitor may disconnect there', async () => {
    const visit = await world.comeBack('/?networks=31337')
    await visit.control((controls) => controls.switchChain(31338))
    await visit.modal.part('disconnect-button').click()
    await visit.modal.gone()
    await disconnected(visit)
  })

  it('a host that allows unsupported networks is not interrupted', async () => {
    const visit = await world.comeBack('/?networks=31337&unsupported=allow')
    await visit.control((controls) => controls.switchChain(31338))
    await expect.poll(() => visit.fact('network-chain-id')).not.toBe('31337')
    expect(await visit.modal.card.isVisible()).toBe(false)
  })

  it('spec_4_17_a_host_that_switches_to_a_network_it_never_named_gets_the_alert', async () => {
    const visit = await world.comeBack('/?networks=31337')
    await visit.press('switch-to-31338')
    await expect.poll(() => visit.fact('switch-result')).toMatch(/: /)
    await visit.press('open')
    await visit.modal.warns('Network Not Found')
  })
})
