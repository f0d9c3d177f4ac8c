//! Pages of the services at which visitors log in: those of `oidc-provider`. Those of `emulate` are a list of persons to click.

import type { Frame, Page } from 'playwright-core'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import type { Visit } from '../world/visit.ts'
import { connected, open } from './journey.ts'

/** Chooses a service in the modal; resolves with the window that opens. */
export async function choose(visit: Visit, service: string): Promise<Page> {
  const [popup] = await Promise.all([
    visit.page.waitForEvent('popup'),
    visit.modal.part(`social-selector-${service}`).click()
  ])
  return popup
}

/** Logs in at the service and consents, as a person does. */
export async function logInAt(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/**
 * Answers the question of the wallet's page about a login on a new device or from elsewhere. An approval closes the window, sometimes before
 * Playwright has heard that its click arrived: the click then fails, and the closed window is the proof of it.
 */
export async function answer(popup: Page, decision: 'Approve' | 'Decline'): Promise<void> {
  const button = popup.getByRole('button', { name: decision })
  await expect.poll(() => button.isEnabled(), { timeout: 15_000 }).toBe(true)
  const closed = new Promise<void>((resolve) => popup.once('close', () => resolve()))
  await button.click({ timeout: 15_000 }).catch((error: Error) => {
    if (!error.message.includes('has been closed')) throw error
    return closed
  })
}

/** Refuses at the service. */
export async function refuseAt(page: Page): Promise<void> {
  await page.getByText('[ Cancel ]').click()
}

/** Logs in at a service from a fresh page; resolves with the account's address. */
export async function logIn(visit: Visit, service: string, name: string): Promise<Hex> {
  await open(visit)
  await logInAt(await choose(visit, service), name)
  await visit.modal.gone()
  await connected(visit)
  return addressOf(visit)
}

/** Logs in to a wallet that was opened in another browser before, and approves this one. */
export async function logInAgain(visit: Visit, service: string, name: string): Promise<Hex> {
  await open(visit)
  const popup = await choose(visit, service)
  await logInAt(popup, name)
  await answer(popup, 'Approve')
  await visit.modal.gone()
  await connected(visit)
  return addressOf(visit)
}

/** Address that the kit tells the page. */
export async function addressOf({ page }: Visit): Promise<Hex> {
  return (await page.evaluate(() => window.kit?.getAddress())) as Hex
}

/** User of the embedded wallet that the kit tells the page. */
export function userOf({ page }: Visit): Promise<Record<string, unknown> | undefined> {
  return page.evaluate(() => window.kit?.getAccount()?.embeddedWalletInfo?.user as Record<string, unknown> | undefined)
}

/** Gives the pages of a service the header of X's, `Cross-Origin-Opener-Policy`, which cuts their windows off from the page that opened them. */
export async function cutOff({ context }: Visit, service: string | undefined): Promise<void> {
  await context.route(
    ({ origin }) => origin === service,
    async (route) => {
      const response = await route.fetch({ maxRedirects: 0 })
      const headers = { ...response.headers(), 'cross-origin-opener-policy': 'same-origin-allow-popups' }
      await route.fulfill({ response, headers })
    }
  )
}

/** Playwright says of every page that it has the focus; that of a visitor is in one window. */
export function focus(page: Page | Frame, here: boolean): Promise<void> {
  return page.evaluate((has) => {
    document.hasFocus = () => has
  }, here)
}
