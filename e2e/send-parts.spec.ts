//! Tests that the code for sending, swapping and buying is loaded only when the visitor is about to use it.

import { afterAll, describe, expect, it } from 'vitest'
import { openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import { openSeller, type Seller } from './world/seller.ts'
import type { Visit } from './world/visit.ts'

let seller: Seller
const world = useWorld(async () => {
  seller = await openSeller()
  return { seller: seller.url }
})
afterAll(() => seller.stop())

/** Features: option name, view, part of the core, and title. */
const FEATURES = [
  ['send', 'WalletSend', 'portico_send', 'Send'],
  ['swaps', 'Swap', 'portico_swap', 'Swap'],
  ['onramp', 'OnRampProviders', 'portico_onramp', 'Choose Provider']
] as const

const button = ({ modal }: Visit, feature: string) => modal.part(`wallet-features-${feature}-button`)
const asked = ({ requests }: Visit, view: string, part: string) =>
  requests.map((url) => new URL(url).pathname).filter((path) => path.includes(part) || path.includes(`${view}View`))

describe.each(FEATURES)('%s', (feature, view, part, title) => {
  it('is fetched, its view and its part of the core, when the pointer is over its button, and not before', async () => {
    const visit = await world.comeBack()
    await openAccount(visit)
    await button(visit, feature).waitFor()
    expect(asked(visit, view, part)).toEqual([])
    await button(visit, feature).hover()
    await expect.poll(() => asked(visit, view, part).some((path) => path.endsWith('.wasm'))).toBe(true)
    await expect.poll(() => asked(visit, view, part).some((path) => path.endsWith('.js'))).toBe(true)
    const ahead = asked(visit, view, part)
    await button(visit, feature).click()
    await expect.poll(() => visit.modal.title.textContent()).toBe(title)
    expect(asked(visit, view, part)).toEqual(ahead)
  })

  it('is fetched when the keyboard comes to its button', async () => {
    const visit = await world.comeBack()
    await openAccount(visit)
    await button(visit, feature).focus()
    await expect.poll(() => asked(visit, view, part).some((path) => path.endsWith('.wasm'))).toBe(true)
  })

  it('spec_2_1_is_never_fetched_where_the_host_switched_it_off', async () => {
    const visit = await world.comeBack(`/?without=${feature}`)
    await openAccount(visit)
    for (const [other] of FEATURES) {
      if (other !== feature) await button(visit, other).hover()
    }
    await button(visit, 'receive').click()
    await expect.poll(() => visit.modal.title.textContent()).toBe('Receive')
    await visit.modal.close()
    const told = await visit.page.evaluate((view) => {
      const { kit } = window as unknown as { kit: { open(options: object): Promise<unknown> } }
      return kit.open({ view, arguments: {} }).catch((error) => String(error.message))
    }, view)
    expect(told).toEqual(expect.any(String))
    expect(await button(visit, feature).count()).toBe(0)
    expect(asked(visit, view, part)).toEqual([])
  })
})
