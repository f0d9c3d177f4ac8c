//! Settings of the embedded wallet, as the frame draws them in the modal.

import type { FrameLocator } from 'playwright-core'
import type { Visit } from '../world/visit.ts'
import { frameOf } from './frame.ts'
import { openAccount } from './journey.ts'
import { decide } from './login.ts'
import { mailed } from './mail.ts'
import { clickInFrame, still } from './still.ts'

export class SettingsPage {
  readonly #visit: Visit
  readonly #wallet: string
  readonly frame: FrameLocator

  constructor(visit: Visit, wallet: string) {
    this.#visit = visit
    this.#wallet = wallet
    this.frame = frameOf(visit.page)
  }

  /** Goes from a connected page to the settings. */
  async open(): Promise<void> {
    await openAccount(this.#visit)
    // The rows above move as soon as the balance is there.
    await this.#visit.modal.card.locator('.bone').first().waitFor({ state: 'detached' })
    const card = this.#visit.modal.part('w3m-wallet-upgrade-card')
    await still(card)
    await card.click()
    await this.frame.getByText('Wallet settings').waitFor()
  }

  button(name: string) {
    return this.frame.getByRole('button', { name, exact: true })
  }

  async press(name: string): Promise<void> {
    await clickInFrame(this.button(name))
  }

  /** Confirms what is explained by the link of a mail. */
  async confirmByMail(email: string): Promise<void> {
    await this.press('Confirm by email')
    const number = (await this.frame.getByTestId('confirm-number').textContent()) ?? ''
    await decide(this.#visit, await mailed(this.#wallet, email, /http:\/\/\S+\/confirm\S+/), number, 'Confirm')
  }

  /** Makes a kit; its code. */
  async makeKit(email: string): Promise<string> {
    await this.press('Make a recovery kit')
    await this.confirmByMail(email)
    const code = (await this.frame.getByTestId('kit-code').textContent()) ?? ''
    await this.press("I've saved it")
    await this.frame.getByText('Recovery kit', { exact: false }).first().waitFor()
    return code
  }

  /** Types a password, and presses the button of its form. */
  async typePassword(label: string, password: string, action: string): Promise<void> {
    await this.frame.getByLabel(label, { exact: true }).fill(password)
    const again = this.frame.getByLabel('Repeat the password', { exact: true })
    if (label === 'New password') await again.fill(password)
    await this.press(action)
  }

  /** Sets a password. */
  async setPassword(email: string, password: string): Promise<void> {
    await this.press('Set a password')
    await this.confirmByMail(email)
    await this.typePassword('New password', password, 'Save password')
    await this.button('Remove: Password').waitFor()
  }

  /** Removes the recovery slot, after changes were confirmed. */
  async removeRecovery(): Promise<void> {
    await this.press('Remove: Recovery by login')
    await this.press('Remove')
    await this.frame.getByText('Only you can open this wallet').waitFor()
  }

  /** Text of a secret while its button is held. */
  async held(title: string): Promise<string> {
    const secret = this.frame.locator(`[data-secret="${title}"]`)
    const hold = secret.getByRole('button', { name: 'Hold to show' })
    await hold.scrollIntoViewIfNeeded()
    await hold.hover()
    await this.#visit.page.mouse.down()
    await secret.getByText('••••').waitFor({ state: 'detached' })
    const text = (await secret.locator('output').textContent()) ?? ''
    await this.#visit.page.mouse.up()
    await secret.getByText('••••').waitFor()
    return text
  }
}
