import { describe, expect, it } from 'vitest'
import { ACCOUNT, connect, connected, disconnected } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const FIRST = 'test.portico.demo'
const TEAL = 'test.portico.demo.teal'

function recent({ page }: Visit, connector: string) {
  return page.getByTestId(`recent-${connector}`)
}

/** A visitor of a page with two wallets, who used the first one and then the other one. */
async function afterBoth(): Promise<Visit> {
  const visit = await world.visit('/?wallets=2&several')
  await connect(visit, FIRST)
  await expect.poll(() => visit.fact('connection')).toBe('Demo Wallet')
  await visit.press('disconnect')
  await disconnected(visit)
  await connect(visit, TEAL)
  return visit
}

describe('a host page that offers several wallets', () => {
  it('names the wallet in use and the one before it, and switches back when the visitor approves in it', async () => {
    const visit = await afterBoth()
    expect(await visit.fact('connection')).toBe('Demo Wallet Teal')
    expect(await visit.fact('connections')).toBe('Demo Wallet Teal on Anvil One (1)')
    expect(await recent(visit, FIRST).textContent()).toContain('Demo Wallet on Anvil One (1)')
    await recent(visit, FIRST).getByRole('button', { name: 'Switch' }).click()
    await visit.wallet.asks('connect').waitFor()
    expect(await visit.fact('connection-pending')).toBe('true')
    await visit.wallet.approve('connect')
    await expect.poll(() => visit.fact('connection')).toBe('Demo Wallet')
    await expect.poll(() => visit.fact('connection-pending')).toBe('false')
    expect(JSON.parse(await visit.fact('connection-result'))).toEqual({
      address: ACCOUNT,
      namespace: 'eip155',
      hasSwitchedAccount: false,
      hasSwitchedWallet: true,
      hasDeletedWallet: false
    })
    expect(await visit.fact('account-wallet')).toBe('Demo Wallet')
    // The other wallet still lets the page see its account, so it is not asked again.
    await recent(visit, TEAL).getByRole('button', { name: 'Switch' }).click()
    await expect.poll(() => visit.fact('connection')).toBe('Demo Wallet Teal')
    await visit.page.reload()
    await connected(visit)
    // The code that knows connections comes after the page is connected.
    await expect.poll(() => visit.fact('connection')).toBe('Demo Wallet Teal')
    await recent(visit, FIRST).waitFor()
  })

  it('stays with its wallet when the visitor refuses the other one', async () => {
    const visit = await afterBoth()
    await recent(visit, FIRST).getByRole('button', { name: 'Switch' }).click()
    await visit.wallet.refuse('connect')
    await expect.poll(() => visit.fact('connection-result')).toMatch(/^userRejected: /)
    expect(await visit.fact('connection')).toBe('Demo Wallet Teal')
    expect(await visit.fact('connection-pending')).toBe('false')
  })

  it('names the wallets of an earlier visit before anything is opened, and forgets one for good', async () => {
    const visit = await afterBoth()
    await visit.press('disconnect')
    await disconnected(visit)
    await visit.page.reload()
    await recent(visit, TEAL).waitFor()
    await recent(visit, FIRST).waitFor()
    expect(await visit.fact('account-status')).toBe('disconnected')
    await recent(visit, TEAL).getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => visit.fact('connection-result')).toContain('"hasDeletedWallet":true')
    await recent(visit, TEAL).waitFor({ state: 'detached' })
    await visit.page.reload()
    await recent(visit, FIRST).waitFor()
    expect(await recent(visit, TEAL).count()).toBe(0)
  })
})
