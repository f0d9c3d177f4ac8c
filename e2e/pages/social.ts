//! Pages of the services at which visitors log in: those of `oidc-provider`.

import type { Page } from 'playwright-core'
import type { Visit } from '../world/visit.ts'

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

/** Refuses at the service. */
export async function refuseAt(page: Page): Promise<void> {
  await page.getByText('[ Cancel ]').click()
}
