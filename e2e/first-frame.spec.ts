import { describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { connected } from './pages/journey.ts'
import { code } from './pages/remote.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** Visit in which the visitor clicked while the core is still loading. */
async function clicked(path = '/'): Promise<{ visit: Visit; deliver(): void }> {
  const visit = await world.visit(path)
  let deliver = () => {}
  const delivered = new Promise<void>((resolve) => {
    deliver = resolve
  })
  await visit.page.route('**/*.wasm', (route) => delivered.then(() => route.continue()))
  await visit.modal.connectButton.click()
  await visit.modal.shown()
  return { visit, deliver }
}

const rows = ({ modal }: Visit) => modal.card.locator('[data-testid^="wallet-selector-"]')

const list = (visit: Visit) =>
  rows(visit).evaluateAll((found) =>
    found.map((row) => {
      const { x, y, width, height } = row.getBoundingClientRect()
      const name = row.querySelector('bdi')?.textContent ?? row.textContent
      return { id: row.getAttribute('data-testid'), name, x, y: Math.round(y), width, height: Math.round(height) }
    })
  )

describe('the first frame', () => {
  it.each([
    ['the wallets', '/?relays=off&wallets=2', 2],
    ['the wallets, and the way to remote ones before them,', '/?wallets=2', 3]
  ])('lists %s where and as the core does', async (_, path, count) => {
    const { visit, deliver } = await clicked(path)
    const before = await list(visit)
    expect(before.length).toBe(count)
    expect(await violations(visit.page)).toEqual([])
    deliver()
    await visit.modal.ready()
    await expect.poll(() => list(visit)).toEqual(before)
  })

  it('hands the chosen wallet its request at once, and the core takes up what it answered before', async () => {
    const { visit, deliver } = await clicked()
    await visit.modal.wallet().click()
    expect(await rows(visit).first().isDisabled()).toBe(true)
    await visit.wallet.approve('connect')
    deliver()
    await connected(visit)
    // The core does not send the wallet a second request.
    expect(await visit.control(({ pending }) => pending.length)).toBe(0)
    expect(visit.errors).toEqual([])
  })

  it.each([
    ['', "Couldn't load the widgetCheck your connection and try again."],
    ['?dir=rtl&locale=ar', 'تعذّر تحميل أداة المحفظةتحقّق من اتصالك وحاول مجددًا.']
  ])('says in the language of the page that there is no connection (%s)', async (query, words) => {
    const visit = await world.visit(`/${query}`, { alone: true })
    // The labels of the page's language are a file of their own.
    if (query) await expect.poll(() => visit.modal.connectButton.textContent()).toBe('ربط المحفظة')
    await visit.context.setOffline(true)
    await visit.modal.connectButton.click()
    await expect
      .poll(() => visit.page.locator('w3m-modal [role=alert]').filter({ hasText: /\S/ }).textContent())
      .toBe(words)
  })

  it('asks the wallet once, and the core waits for that answer', async () => {
    const { visit, deliver } = await clicked()
    await visit.modal.wallet().click()
    await visit.wallet.asks('connect').waitFor()
    deliver()
    await visit.modal.ready()
    expect(await visit.control(({ pending }) => pending.map(({ kind }) => kind))).toEqual(['connect'])
    await visit.wallet.approve('connect')
    await connected(visit)
  })

  it('leads to remote wallets by one request: their code is there when the core is', async () => {
    const { visit, deliver } = await clicked()
    const asked: string[] = []
    visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const entry = visit.modal.wallet('walletconnect')
    await entry.hover()
    await expect.poll(() => asked.filter((path) => /relay.*\.js$/.test(path)).length).toBe(1)
    await entry.click()
    deliver()
    await code(visit).waitFor()
    expect(asked.filter((path) => /relay.*\.js$|walletconnect/.test(path)).length).toBe(1)
  })

  it('is walked through with the keyboard', async () => {
    const { visit, deliver } = await clicked('/?relays=off')
    await visit.page.keyboard.press('Tab')
    await visit.page.keyboard.press('Enter')
    deliver()
    await visit.wallet.asks('connect').waitFor()
  })
})
