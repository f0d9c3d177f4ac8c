import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { open, openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** Address without an owner. */
const RECEIVER = '0x00000000000000000000000000000000000c0d11'

interface Kit {
  switchNetwork(network: object, options: { throwOnFailure: boolean }): Promise<void>
}

/** Whether two elements do not cover each other. */
async function areApart(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (!a || !b) throw new Error('an element has no box')
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
}

/** Whether the message is in the top layer, and the tag name of the focused element. */
function overPage(visit: Visit): Promise<[lifted: boolean, focus: string | undefined]> {
  return visit.page.evaluate(() => {
    const over = document.querySelector('w3m-modal')?.shadowRoot?.querySelector('.over-page')
    return [over?.matches(':popover-open') === true, document.activeElement?.tagName]
  })
}

describe('a message while the modal is closed', () => {
  it('a transaction that is mined after the modal was closed is told over the page', async () => {
    const visit = await world.comeBack()
    await openAccount(visit)
    await visit.modal.part('wallet-features-send-button').click()
    await visit.modal.amount.fill('0.25')
    await visit.modal.receiver.fill(RECEIVER)
    await visit.modal.reviewButton.click()
    await expect.poll(() => visit.modal.title.textContent()).toBe('Review Send')
    await world.one.beforeTheNextBlock(async () => {
      await visit.modal.sendButton.click()
      await visit.wallet.approve('send')
      await visit.modal.says('On its way')
      await visit.modal.close()
    })
    await visit.modal.snacks('Transaction confirmed')
    expect((await overPage(visit))[0]).toBe(true)
    expect(await visit.modal.card.isVisible()).toBe(false)
    await visit.page.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => visit.modal.snack.count()).toBe(0)
    expect((await overPage(visit))[0]).toBe(false)
  })

  it('spec_8_47_a_host_that_switches_to_an_unknown_network_is_told_over_the_page', async () => {
    const visit = await world.comeBack()
    const [, before] = await overPage(visit)
    const fault = await visit.page.evaluate(() => {
      const { kit } = window as unknown as { kit: Kit }
      const unknown = { id: 424242, name: 'Nowhere', caipNetworkId: 'eip155:424242', chainNamespace: 'eip155' }
      return kit.switchNetwork(unknown, { throwOnFailure: true }).catch((error: Error) => error.message)
    })
    expect(fault).toBe('Network not found')
    await visit.modal.warns('Network Not Found')
    expect(await overPage(visit)).toEqual([true, before])
    // The page beside it stays usable, and Escape is left to the page.
    await visit.page.keyboard.press('Escape')
    await visit.modal.accountButton.click()
    await visit.modal.shown()
    await visit.modal.close()
    await visit.modal.warns('Network Not Found')
    await visit.page.getByTestId('wui-alertbar-close').filter({ visible: true }).click()
    await expect.poll(async () => (await overPage(visit))[0]).toBe(false)
  })
})

describe('where a message is', () => {
  it('on a phone it covers neither the header nor the main button', async () => {
    const visit = await world.comeBack('/', { viewport: { width: 390, height: 844 } })
    await openAccount(visit)
    await visit.modal.part('wallet-features-send-button').click()
    await visit.modal.reviewButton.click()
    await visit.modal.snacks('Please enter a valid amount and receiver address')
    const snack = visit.modal.card.locator('.snack')
    for (const other of [visit.modal.card.locator('.header'), visit.modal.reviewButton])
      await expect.poll(() => areApart(snack, other)).toBe(true)
  })

  it.each([
    [390, 844],
    [1280, 800]
  ])('an alert for developers covers no button of the page in a window of %d × %d', async (width, height) => {
    const visit = await world.comeBack('/', { viewport: { width, height } })
    await visit.page.evaluate(() => {
      const { kit } = window as unknown as { kit: Kit }
      const unknown = { id: 424242, name: 'Nowhere', caipNetworkId: 'eip155:424242', chainNamespace: 'eip155' }
      return kit.switchNetwork(unknown, { throwOnFailure: false })
    })
    await visit.modal.warns('Network Not Found')
    const alert = visit.page.locator('.over-page .alert')
    for (const button of await visit.page.locator('appkit-button,appkit-network-button,main button,main a').all())
      if (await button.isVisible()) await expect.poll(() => areApart(alert, button)).toBe(true)
  })
})

describe('the sheet on a phone', () => {
  it('is drawn down to close it, and a press on its buttons is still a press', async () => {
    const visit = await world.visit('/', { viewport: { width: 390, height: 844 } })
    await open(visit)
    const { mouse } = visit.page
    const box = await visit.modal.title.boundingBox()
    if (!box) throw new Error('there is no sheet')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await expect
      .poll(async () => {
        await mouse.move(x, y)
        await mouse.down()
        await mouse.move(x, y + 40, { steps: 4 })
        const moved = await visit.modal.card.evaluate((card) => (card as HTMLElement).style.transform)
        await mouse.move(x, y, { steps: 4 })
        await mouse.up()
        return moved
      })
      .toBe('translateY(40px)')
    expect(await visit.modal.card.isVisible()).toBe(true)
    await mouse.move(x, y)
    await mouse.down()
    await mouse.move(x, y + 300, { steps: 10 })
    await mouse.up()
    await visit.modal.gone()
    await open(visit)
    await visit.modal.close()
  })
})
