//! Two tabs of one page, in which the visitor is asked to sign in or is signed in.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { connected, open } from './pages/journey.ts'
import { Modal } from './pages/modal.ts'
import { WalletDialog } from './pages/wallet-dialog.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const sign = ({ modal, page }: Pick<Visit, 'modal' | 'page'>) =>
  modal.part('w3m-connecting-siwe-sign').and(page.locator(':not([aria-busy])'))

async function signIn(tab: Pick<Visit, 'modal' | 'page' | 'wallet'>): Promise<void> {
  await sign(tab).click()
  await tab.wallet.approve('sign')
  await tab.modal.gone()
}

const stored = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('@appkit/siwx') ?? '[]'))

/** The first tab, in which the visitor is asked to sign in. */
async function asked(siwx: string): Promise<Visit> {
  const visit = await world.visit(`/?siwx=${siwx}`, { alone: true, clock: true })
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await sign(visit).waitFor()
  return visit
}

/** Another tab of the page. */
async function another({ context, page }: Visit) {
  const other = await context.newPage()
  await other.goto(page.url())
  return { page: other, modal: new Modal(other), wallet: new WalletDialog(other) }
}

/** The visitor comes back to a tab. Without a window manager both tabs are always visible: the page is told as the browser would. */
async function back({ page }: Visit): Promise<void> {
  await page.bringToFront()
  await page.clock.fastForward(60_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

type Tab = Awaited<ReturnType<typeof another>>

const disconnect = ({ page }: Tab) => page.evaluate(() => window.kit?.disconnect())

async function cancel({ modal }: Tab): Promise<void> {
  await modal.part('w3m-connecting-siwe-cancel').click()
  await modal.wallet().waitFor()
  await modal.close()
}

describe('a tab that asks the visitor', () => {
  it.each([
    ['cancels', cancel],
    ['disconnects', disconnect]
  ] as const)('spec_4_25_and_4_28_can_still_be_signed_in_after_the_visitor_%s_in_another_tab', async (_, leave) => {
    const first = await asked('required')
    const second = await another(first)
    await sign(second).waitFor()
    await leave(second)
    await second.modal.connectButton.waitFor()
    await back(first)
    await signIn(first)
    await connected(first)
    expect(await stored(first.page)).toHaveLength(1)
  })

  it('spec_2_25_and_2_28_is_closed_by_nothing_in_another_tab', async () => {
    const second = await another(await asked('required'))
    await sign(second).waitFor()
    for (const leave of [
      () => second.page.keyboard.press('Escape'),
      () => second.modal.closeButton.click(),
      () => second.page.evaluate(() => window.kit?.close()),
      () => second.page.evaluate(() => window.kit?.open({ view: 'Networks' }).catch(() => undefined))
    ]) {
      await leave()
      expect(await second.modal.title.textContent()).toBe('Sign In')
    }
    expect(await stored(second.page)).toEqual([])
  })

  it('spec_4_28_still_asks_after_the_visitor_cancels_an_optional_sign_in_in_another_tab', async () => {
    const first = await asked('optional')
    const second = await another(first)
    await sign(second).waitFor()
    await second.modal.part('w3m-connecting-siwe-cancel').click()
    await second.modal.gone()
    await second.modal.accountButton.waitFor()
    await back(first)
    await signIn(first)
    await connected(first)
    expect(await stored(first.page)).toHaveLength(1)
  })
})

describe('a tab in which the visitor is signed in', () => {
  it.each([
    ['disconnects', disconnect],
    ['signs out', ({ page }: Tab) => page.evaluate(() => window.kit?.getSIWX()?.setSessions([]))],
    [
      'signs out and cancels',
      async (tab: Tab) => {
        await tab.page.evaluate(() => window.kit?.getSIWX()?.setSessions([]))
        await tab.page.reload()
        await cancel(tab)
      }
    ]
  ] as const)('spec_4_25_asks_again_after_the_visitor_%s_in_another_tab', async (_, leave) => {
    const first = await asked('required')
    await signIn(first)
    const second = await another(first)
    await second.modal.accountButton.waitFor()
    await expect.poll(() => second.page.evaluate(() => window.kit?.getIsConnectedState())).toBe(true)
    await leave(second)
    await expect.poll(() => stored(first.page)).toEqual([])
    await back(first)
    await first.modal.says("You're signed out. Sign again to continue.")
    await signIn(first)
    await connected(first)
    expect(await stored(first.page)).toHaveLength(1)
  })
})
