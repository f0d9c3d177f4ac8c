import { describe, expect, it } from 'vitest'
import { connect, connected, disconnected, openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import { STRICT_CSP } from './world/server.ts'

const RECEIVER = '0x00000000000000000000000000000000000c0d04'

describe('a strict policy', () => {
  const world = useWorld()

  it('lets the whole journey run without one report and without one request to a stranger', async () => {
    const visit = await world.visit()
    const { modal, page, wallet } = visit
    const headers = (await page.request.get(`${world.origin}/`)).headers()
    expect(headers['content-security-policy']).toBe(STRICT_CSP)

    await connect(visit)
    await openAccount(visit)
    await modal.card.getByRole('tab', { name: 'Activity' }).click()
    await modal.part('w3m-account-select-network').click()
    await modal.network('Anvil Two').click()
    await wallet.approve('switchChain')
    await expect.poll(() => visit.fact('network-caip-id')).toBe('eip155:31338')
    await modal.part('wallet-features-send-button').click()
    await modal.amount.fill('0.5')
    await modal.receiver.fill(RECEIVER)
    await modal.reviewButton.click()
    await modal.sendButton.click()
    await wallet.approve('send')
    await expect.poll(() => world.two.balance(RECEIVER)).toBe(5n * 10n ** 17n)
    await page.reload()
    await connected(visit)
    await openAccount(visit)
    await modal.part('disconnect-button').click()
    await disconnected(visit)

    expect(visit.reports).toEqual([])
    expect(visit.strangers()).toEqual([])
  })

  it('lets every theme and direction be drawn without one report', async () => {
    for (const path of ['/?theme=light', '/?dir=rtl&locale=ar', '/?embedded', '/vanilla.html']) {
      const visit = await world.visit(path)
      await visit.modal.connectButton.click()
      await visit.modal.wallet().waitFor()
      expect(visit.reports, path).toEqual([])
    }
  })
})

describe('a policy that forbids WebAssembly', () => {
  const world = useWorld({ csp: STRICT_CSP.replace(" 'wasm-unsafe-eval'", '') })

  it('leads to one alert that says what to change', async () => {
    const visit = await world.visit()
    await visit.modal.connectButton.click()
    const alert = visit.modal.card.getByRole('alert')
    await expect.poll(() => alert.textContent()).toContain('Wallet Widget Blocked')
    expect(await alert.textContent()).toContain("'wasm-unsafe-eval'")
    expect(await visit.page.getByRole('alert').count()).toBe(1)
    await visit.page.keyboard.press('Escape')
    await visit.modal.gone()
    expect(visit.errors).toEqual([])
  })
})
