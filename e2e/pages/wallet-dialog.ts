//! Page object of the demo wallet's popup.

import type { Locator, Page } from 'playwright-core'

export type Question =
  | 'connect'
  | 'sign'
  | 'signTypedData'
  | 'transaction'
  | 'send'
  | 'switchChain'
  | 'addChain'
  | 'unlock'

export class WalletDialog {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Popup for this question. */
  asks(question: Question): Locator {
    return this.#page.locator(`[data-testid="demo-wallet-dialog"][data-kind="${question}"]`)
  }

  async approve(question: Question): Promise<void> {
    await this.asks(question).getByTestId('demo-wallet-approve').click()
    await this.asks(question).waitFor({ state: 'detached' })
  }

  async refuse(question: Question): Promise<void> {
    await this.asks(question).getByTestId('demo-wallet-reject').click()
    await this.asks(question).waitFor({ state: 'detached' })
  }
}
