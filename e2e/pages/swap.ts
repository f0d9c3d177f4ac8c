//! Page object of the swap form and its preview.

import type { Locator } from 'playwright-core'
import { parseUnits } from 'viem'
import { expect } from 'vitest'
import type { Visit } from '../world/visit.ts'
import { openAccount } from './journey.ts'

export type Target = 'sourceToken' | 'toToken'

export class Swap {
  readonly #visit: Visit

  constructor(visit: Visit) {
    this.#visit = visit
  }

  get #modal() {
    return this.#visit.modal
  }

  /** Goes from a connected page to the form. */
  async open(): Promise<void> {
    await openAccount(this.#visit)
    await this.#modal.part('wallet-features-swaps-button').click()
    await this.there()
  }

  async there(): Promise<void> {
    await expect.poll(() => this.#modal.title.textContent()).toBe('Swap')
  }

  /** Opens the filled-in form as the host does. */
  ask(preset: Readonly<Record<string, string>>): Promise<void> {
    return this.#visit.page.evaluate((preset) => {
      const { kit } = window as unknown as { kit: { open(options: object): Promise<void> } }
      return kit.open({ view: 'Swap', arguments: preset })
    }, preset)
  }

  amount(target: Target): Locator {
    return this.#modal.part(`swap-input-${target}`)
  }

  token(target: Target): Locator {
    return this.#modal.part(`swap-select-token-button-${target}`)
  }

  /** Action button: review, then confirm; in the preview also accept and try again. */
  get action(): Locator {
    return this.#modal.part('swap-action-button')
  }

  async choose(target: Target, symbol: string): Promise<void> {
    await this.token(target).click()
    await this.#modal.part('swap-select-token-search-input').fill(symbol)
    await this.#modal.part(`swap-select-token-item-${symbol}`).click()
    await expect.poll(() => this.token(target).textContent()).toContain(symbol)
  }

  /** Types the amount to pay, and returns the quoted amount to receive in its smallest unit, which the form shows exactly. */
  async quote(amount: string, decimals: number): Promise<bigint> {
    await this.amount('sourceToken').fill(amount)
    return this.quoted(decimals)
  }

  quoted(decimals: number): Promise<bigint> {
    return this.exact('toToken', decimals)
  }

  /** Quoted amount of a side in its smallest unit. */
  async exact(target: Target, decimals: number): Promise<bigint> {
    const exact = this.#modal.card.locator(`[data-testid="swap-input-${target}"][title]`)
    const [number = ''] = ((await exact.getAttribute('title')) ?? '').split(' ')
    return parseUnits(number.replaceAll(',', ''), decimals)
  }

  /** Goes to the preview. */
  async review(): Promise<void> {
    await this.action.filter({ hasText: 'Review' }).click()
    await expect.poll(() => this.#modal.title.textContent()).toBe('Preview Swap')
  }
}
