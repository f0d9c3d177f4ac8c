import { describe, expect, it } from 'vitest'
import { open } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** Visit of somebody without a wallet, at the complete list of wallets. */
async function allWallets(path = '/?testkit=off'): Promise<Visit> {
  const visit = await world.visit(path)
  await open(visit)
  await visit.modal.part('all-wallets').click()
  await visit.modal.part('wallet-list').waitFor()
  return visit
}

function names({ modal }: Visit): Promise<string[]> {
  return modal.part('wallet-list').getByRole('listitem').allTextContents()
}

function asked(visit: Visit, path: string): string[] {
  return visit.requests.filter((url) => new URL(url).pathname === path)
}

describe('the wallets of the directory', () => {
  it('a search with a typo finds the wallet in the server', async () => {
    const visit = await allWallets()
    await visit.modal.part('wui-input-text').fill('metamsk')
    await expect.poll(async () => (await names(visit))[0]).toBe('MetaMask')
    expect(asked(visit, '/getWallets').some((url) => url.includes('search=metamsk'))).toBe(true)
  })

  it('the card keeps its height and place while names are typed, and a button clears them', async () => {
    const visit = await allWallets()
    await visit.modal.part('wallet-list').waitFor()
    const place = () => visit.modal.card.boundingBox()
    const before = await place()
    await visit.modal.part('wui-input-text').fill('zzqqxx')
    await visit.modal.part('no-wallet-found-text').waitFor()
    expect(await place()).toEqual(before)
    await visit.modal.part('search-clear').click()
    await visit.modal.part('wallet-list').waitFor()
    expect(await visit.modal.part('wui-input-text').inputValue()).toBe('')
    await expect.poll(place).toEqual(before)
  })

  it('what nobody calls a wallet is said in words', async () => {
    const visit = await allWallets()
    await visit.modal.part('wui-input-text').fill('zzqqxx')
    await visit.modal.part('no-wallet-found-text').waitFor()
  })

  it('the list grows by scrolling, and pictures come in one request a screen', async () => {
    const visit = await allWallets()
    const before = (await names(visit)).length
    await visit.modal.part('wallet-list').getByRole('listitem').last().scrollIntoViewIfNeeded()
    await expect.poll(async () => (await names(visit)).length).toBeGreaterThan(before)
    const all = await names(visit)
    expect(new Set(all).size).toBe(all.length)
    expect(asked(visit, '/getWalletImages').length).toBeLessThanOrEqual(asked(visit, '/getWallets').length)
    expect(visit.requests.filter((url) => url.includes('/getWalletImage/'))).toEqual([])
    expect(visit.reports).toEqual([])
  })

  it('a wallet that is not there says where to get it, and the links lead away alone', async () => {
    const visit = await allWallets()
    await visit.modal.part('wui-input-text').fill('rainbow')
    await expect.poll(async () => (await names(visit))[0]).toBe('Rainbow')
    await visit.modal.part('wallet-list').getByRole('button').first().click()
    const links = visit.modal.card.getByRole('link')
    await expect.poll(() => links.count()).toBeGreaterThan(0)
    for (const link of await links.all()) {
      expect(await link.getAttribute('rel')).toMatch(/noopener|noreferrer/)
      expect(await link.getAttribute('href')).toMatch(/^https:/)
    }
  })
})
