//! Page object of the modal, by the test ids that are public to hosts.

import type { Locator, Page } from 'playwright-core'

export class Modal {
  readonly page: Page
  readonly card: Locator
  readonly overlay: Locator
  readonly title: Locator
  readonly closeButton: Locator
  readonly backButton: Locator
  readonly snack: Locator
  readonly alert: Locator

  constructor(page: Page) {
    this.page = page
    this.card = page.getByTestId('w3m-modal-card')
    this.overlay = page.getByTestId('w3m-modal-overlay')
    this.title = page.getByTestId('w3m-header-text')
    this.closeButton = page.getByTestId('w3m-header-close')
    this.backButton = page.getByTestId('header-back')
    this.snack = page.getByTestId('wui-snackbar-message')
    this.alert = page.getByTestId('wui-alertbar-text')
  }

  /** Button in the page's header that opens the modal when no account is connected. */
  get connectButton(): Locator {
    return this.page.getByTestId('connect-button')
  }

  get accountButton(): Locator {
    return this.page.getByTestId('account-button')
  }

  get networkButton(): Locator {
    return this.page.getByTestId('w3m-network-button')
  }

  /** Row of a wallet in the list. */
  wallet(connector = 'test.portico.demo'): Locator {
    return this.card.getByTestId(`wallet-selector-${connector}`)
  }

  network(name: string): Locator {
    return this.card.getByTestId(`w3m-network-switch-${name}`)
  }

  get amount(): Locator {
    return this.card.getByRole('textbox', { name: 'Amount' })
  }

  get receiver(): Locator {
    return this.card.getByRole('textbox', { name: 'To', exact: true })
  }

  get balance(): Locator {
    return this.part('balance-amount')
  }

  get reviewButton(): Locator {
    return this.part('send-review')
  }

  get sendButton(): Locator {
    return this.part('send-confirm')
  }

  get tryAgain(): Locator {
    return this.part('w3m-connecting-widget-secondary-button').or(this.button('Try again')).first()
  }

  part(testId: string): Locator {
    return this.card.getByTestId(testId)
  }

  button(name: string | RegExp): Locator {
    return this.card.getByRole('button', { name })
  }

  async shown(): Promise<void> {
    await this.card.waitFor()
  }

  /** Waits until the modal shows its content and not the skeleton. */
  async ready(): Promise<void> {
    await this.page.locator('dialog .card[role]').or(this.page.locator('.embedded .card')).waitFor()
  }

  async gone(): Promise<void> {
    await this.card.waitFor({ state: 'hidden' })
  }

  /** Waits until the card contains this text. */
  async says(text: string | RegExp): Promise<void> {
    const said = this.card.getByText(text).first().waitFor()
    await said.catch(async (error: Error) => {
      throw new Error(`${error.message}\nThe card says: ${await this.card.textContent()}`)
    })
  }

  async snacks(text: string | RegExp): Promise<void> {
    await this.snack
      .getByText(text)
      .or(this.snack.filter({ hasText: text }))
      .first()
      .waitFor()
  }

  /** Waits until the open receipt says that its transaction is confirmed, or without one a snack. */
  async confirmed(): Promise<void> {
    const receipt = this.card.locator('[data-testid$="-sent"][data-state=confirmed]')
    await receipt
      .or(this.snack.getByText(/^(Transaction|Swap) confirmed$/))
      .first()
      .waitFor()
  }

  async warns(text: string | RegExp): Promise<void> {
    await this.alert.filter({ hasText: text }).first().waitFor()
  }

  async close(): Promise<void> {
    await this.closeButton.click()
    await this.gone()
  }
}
