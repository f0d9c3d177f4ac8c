//! Page object of the wallet of `examples/wallet`, in a window of its own.

import type { Locator, Page } from 'playwright-core'

export class WalletPage {
  readonly page: Page
  /** Cards of the connected apps. */
  readonly sessions: Locator

  constructor(page: Page) {
    this.page = page
    this.sessions = page.getByTestId('session-card')
  }

  /** Reads a QR code from a picture, and waits for the app's proposal. */
  async scan(picture: Buffer): Promise<void> {
    await this.page
      .getByTestId('picture-input')
      .setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: picture })
  }

  /** Dialog of the question with that title. */
  asks(title: string): Locator {
    return this.page.getByTestId('question').filter({ has: this.page.getByRole('heading', { name: title }) })
  }

  async approve(title: string): Promise<void> {
    await this.asks(title).getByTestId('session-approve-button').click()
    await this.asks(title).waitFor({ state: 'detached' })
  }

  async refuse(title: string): Promise<void> {
    await this.asks(title).getByTestId('session-reject-button').click()
    await this.asks(title).waitFor({ state: 'detached' })
  }

  /** Opens the list of connected apps. */
  async showSessions(): Promise<void> {
    await this.page.getByTestId('sessions').click()
  }

  chain(id: string): Locator {
    return this.sessions.getByTestId(`chain-switch-button${id}`)
  }

  async disconnect(): Promise<void> {
    await this.showSessions()
    await this.sessions.getByTestId('session-disconnect-button').click()
  }

  /** Notice with this text. */
  notice(text: string): Locator {
    return this.page.getByTestId('notice').filter({ hasText: text })
  }
}
