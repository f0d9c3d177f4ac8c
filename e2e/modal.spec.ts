import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { connect, connected, open, openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

/** Address without an owner. */
const RECEIVER = '0x00000000000000000000000000000000000c0d05'

/** Focused element, through all shadow roots. */
function focused(page: Page): Promise<{ testId: string | null; text: string; inCard: boolean }> {
  return page.evaluate(() => {
    let active = document.activeElement
    let inCard = false
    const look = () => {
      inCard ||= Boolean(active?.closest('dialog'))
    }
    look()
    while (active?.shadowRoot?.activeElement) {
      active = active.shadowRoot.activeElement
      look()
    }
    return { testId: active?.getAttribute('data-testid') ?? null, text: active?.textContent ?? '', inCard }
  })
}

describe('closing', () => {
  it('Escape closes', async () => {
    const visit = await world.visit()
    await open(visit)
    await visit.page.keyboard.press('Escape')
    await visit.modal.gone()
    await expect.poll(() => visit.fact('state-open')).toBe('false')
  })

  it('a click beside the card closes, a click on it does not', async () => {
    const visit = await world.visit()
    await open(visit)
    await visit.modal.title.click()
    expect(await visit.modal.card.isVisible()).toBe(true)
    await visit.page.mouse.click(20, 500)
    await visit.modal.gone()
  })

  it('a press that begins on the card and ends beside it closes nothing', async () => {
    const visit = await world.visit()
    await open(visit)
    await visit.modal.title.hover()
    await visit.page.mouse.down()
    await visit.page.mouse.move(20, 500)
    await visit.page.mouse.up()
    expect(await visit.modal.card.isVisible()).toBe(true)
  })

  it('it opens again after each way of closing', async () => {
    const visit = await world.visit()
    for (const close of [
      () => visit.modal.closeButton.click(),
      () => visit.page.keyboard.press('Escape'),
      () => visit.page.mouse.click(20, 500)
    ]) {
      await open(visit)
      await close()
      await visit.modal.gone()
    }
  })
})

describe('going back', () => {
  it('spec_2_21_back_leads_through_the_views_and_the_first_one_has_no_back', async () => {
    const visit = await world.visit('/?wallet=silent')
    await open(visit)
    expect(await visit.modal.backButton.isVisible()).toBe(false)
    await visit.modal.wallet().click()
    await visit.modal.backButton.click()
    await visit.modal.wallet().waitFor()
    expect(await visit.modal.backButton.isVisible()).toBe(false)
  })
})

describe('focus', () => {
  it('moves in, is kept, and returns', async () => {
    const visit = await world.visit()
    await visit.modal.connectButton.focus()
    await visit.page.keyboard.press('Enter')
    await visit.modal.shown()
    await expect.poll(async () => (await focused(visit.page)).inCard).toBe(true)
    for (let presses = 0; presses < 12; presses += 1) {
      await visit.page.keyboard.press(presses % 5 === 4 ? 'Shift+Tab' : 'Tab')
      const { inCard, testId } = await focused(visit.page)
      // A dialog lets the focus move to the browser's own toolbar; the page then has no focused element.
      expect(inCard || testId === null, `after ${presses + 1} presses`).toBe(true)
    }
    await visit.page.keyboard.press('Escape')
    await visit.modal.gone()
    await expect.poll(async () => (await focused(visit.page)).testId).toBe('connect-button')
  })

  it('the keyboard alone connects, switches, sends and disconnects', async () => {
    const visit = await world.visit('/?wallet=normal,approval=auto')
    const { page, modal } = visit
    const tabTo = async (wanted: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        const { testId, text } = await focused(page)
        if (testId === wanted || text === wanted) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab never comes to ${wanted}`)
    }
    const go = async (testId: string, key = 'Enter') => {
      await page.getByTestId(testId).waitFor()
      await tabTo(testId)
      await page.keyboard.press(key)
    }
    await go('connect-button')
    await go('wallet-selector-test.portico.demo')
    await connected(visit)
    await modal.gone()
    await go('account-button', 'Space')
    await go('w3m-account-select-network')
    await go('network-eip155:31338')
    await expect.poll(() => visit.fact('network-chain-id')).toBe('31338')
    await go('wallet-features-send-button')
    await modal.amount.waitFor()
    await tabTo('send-amount')
    await page.keyboard.type('0.75')
    await tabTo('send-receiver')
    await page.keyboard.type(RECEIVER)
    await tabTo('Review')
    await page.keyboard.press('Enter')
    await go('send-confirm')
    await expect.poll(() => world.two.balance(RECEIVER)).toBe(75n * 10n ** 16n)
    await go('send-done')
    await go('disconnect-button')
    await modal.gone()
    await expect.poll(() => visit.fact('account-status')).toBe('disconnected')
  })
})

describe('the page behind', () => {
  it('does not scroll while the modal is open, and does as before when it has gone', async () => {
    const visit = await world.visit()
    const { page } = visit
    await page.setViewportSize({ width: 900, height: 420 })
    const overflow = () =>
      page.evaluate(
        () => getComputedStyle(document.documentElement).overflow + getComputedStyle(document.body).overflow
      )
    const scrolled = () => page.evaluate(() => scrollY)
    const before = await overflow()
    await page.mouse.move(40, 300)
    await page.mouse.wheel(0, 200)
    await expect.poll(scrolled).toBeGreaterThan(0)
    const place = await scrolled()
    await open(visit)
    await page.mouse.wheel(0, 400)
    await visit.modal.close()
    expect(await scrolled()).toBe(place)
    expect(await overflow()).toBe(before)
  })

  it('does not scroll either while the modal is still loading', async () => {
    const visit = await world.visit()
    const { page } = visit
    await page.setViewportSize({ width: 900, height: 420 })
    let deliver = () => {}
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve
    })
    await page.route('**/*.wasm', (route) => delivered.then(() => route.continue()))
    await visit.modal.connectButton.click()
    await visit.modal.shown()
    await page.mouse.move(40, 300)
    await page.mouse.wheel(0, 400)
    deliver()
    await visit.modal.ready()
    expect(await page.evaluate(() => scrollY)).toBe(0)
  })

  it('the modal stands in one element at the end of the body, once', async () => {
    const visit = await world.visit()
    await open(visit)
    await visit.modal.close()
    await open(visit)
    expect(await visit.page.locator('w3m-modal, appkit-modal').count()).toBe(1)
    expect(await visit.page.evaluate(() => document.body.lastElementChild?.tagName.toLowerCase())).toMatch(
      /^(w3m|appkit)-modal$/
    )
    expect(await visit.page.locator('head style').count()).toBe(0)
  })
})

describe('the card', () => {
  it('spec_2_7_is_360_pixels_wide', async () => {
    const visit = await world.visit()
    await open(visit)
    // The opening animation scales the card.
    await expect.poll(async () => (await visit.modal.card.boundingBox())?.width).toBe(360)
  })

  it('is a sheet at the bottom of a phone', async () => {
    const visit = await world.visit('/', { viewport: { width: 390, height: 844 } })
    await open(visit)
    await expect
      .poll(async () => {
        const box = await visit.modal.card.boundingBox()
        return box && Math.round(box.y + box.height)
      })
      .toBe(844)
    await expect.poll(async () => (await visit.modal.card.boundingBox())?.width).toBe(390)
  })

  it('says what it is to those who do not see it', async () => {
    const visit = await world.visit()
    await open(visit)
    const role = await visit.modal.card.evaluate((card) => ({
      role: card.getAttribute('role') ?? card.tagName.toLowerCase(),
      modal:
        card.getAttribute('aria-modal') ?? String(card.matches(':modal') || card.closest('dialog')?.matches(':modal'))
    }))
    expect(['dialog', 'alertdialog']).toContain(role.role)
    expect(role.modal).toBe('true')
    // The `dialog` element and the card in it both have the role; an embedded card has no `dialog`.
    expect(await visit.page.getByRole('dialog', { name: 'Connect Wallet' }).count()).toBe(2)
  })

  /** Animations while the modal opens a second time; the first opening has none. */
  async function began(reducedMotion: 'reduce' | 'no-preference'): Promise<string[]> {
    const visit = await world.visit('/', { reducedMotion })
    await open(visit)
    await visit.modal.close()
    const found = await visit.page.evaluate(async () => {
      const begun: string[] = []
      const modal = document.querySelector('appkit-button') as HTMLElement
      const from = performance.now()
      modal.shadowRoot?.querySelector('button')?.click()
      while (performance.now() - from < 300) {
        await new Promise(requestAnimationFrame)
        const running = document.querySelector('w3m-modal')?.shadowRoot?.getAnimations() ?? []
        for (const { effect } of running) {
          const { target } = effect as KeyframeEffect
          if (Number(effect?.getComputedTiming().duration) > 1) begun.push(`${target?.localName}.${target?.className}`)
        }
      }
      return [...new Set(begun)]
    })
    await visit.modal.card.waitFor()
    await visit.modal.close()
    await expect.poll(() => visit.modal.card.isVisible()).toBe(false)
    return found
  }

  it('comes in with motion and goes, and moves nothing where the visitor wants no motion', async () => {
    expect(await began('no-preference')).not.toEqual([])
    expect(await began('reduce')).toEqual([])
  })

  it('reads from right to left where the page does', async () => {
    const visit = await world.visit('/?dir=rtl&locale=ar')
    await open(visit)
    expect(await visit.modal.card.evaluate((card) => getComputedStyle(card).direction)).toBe('rtl')
  })

  it('spec_1_6_is_dark_unless_the_host_says_light', async () => {
    const ground = async (path: string) => {
      const visit = await world.visit(path, { colorScheme: 'light' })
      await open(visit)
      const color = await visit.modal.card.evaluate((card) => getComputedStyle(card).backgroundColor)
      const [red = 0] = (/[\d.]+/.exec(color) ?? []).map(Number)
      // Colours in the form `color(…)` have channels from 0 to 1.
      return color.startsWith('color(') ? red * 255 : red
    }
    expect(await ground('/?theme=none')).toBeLessThan(80)
    expect(await ground('/?theme=light')).toBeGreaterThan(200)
  })
})

describe('embedded', () => {
  it('spec_2_23_stands_in_the_page_and_closing_leads_to_its_first_view', async () => {
    const visit = await world.visit('/?embedded')
    await visit.modal.shown()
    await visit.modal.wallet().click()
    await visit.wallet.approve('connect')
    await connected(visit)
    await visit.modal.part('disconnect-button').waitFor()
    expect(await visit.modal.card.isVisible()).toBe(true)
  })

  it('spec_2_1_goes_to_the_element_that_the_page_mounts_in_place_of_the_first', async () => {
    const visit = await world.visit('/?embedded')
    await visit.modal.shown()
    await visit.page.evaluate(() => {
      document.querySelector('w3m-modal')?.remove()
      const later = document.createElement('w3m-modal')
      later.id = 'later'
      document.querySelector('main')?.append(later)
    })
    await visit.page.locator('#later .card').waitFor()
    await visit.modal.wallet().click()
    await visit.wallet.approve('connect')
    await connected(visit)
  })
})

describe('one modal for many buttons', () => {
  it('the account button opens the account', async () => {
    const visit = await world.visit()
    await connect(visit)
    await openAccount(visit)
    await visit.modal.close()
    await visit.press('open')
    await visit.modal.part('disconnect-button').waitFor()
  })
})
