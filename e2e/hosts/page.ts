//! Page of an application in Chromium, with its console output.

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startBrowser } from '../world/browser.ts'

export interface Opened {
  readonly page: Page
  /** Errors and warnings of the console, and uncaught errors. */
  readonly said: string[]
}

/** Opens pages in a browser that the tests of a file share. */
export function usePages(): { open(url: string, before?: (page: Page) => Promise<void>): Promise<Opened> } {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  afterAll(() => browser.close())
  return {
    async open(url, before) {
      const page = await (await browser.newContext()).newPage()
      page.setDefaultTimeout(15_000)
      const said: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) said.push(message.text())
      })
      page.on('pageerror', (error) => said.push(String(error)))
      // Requests to other servers get an empty response.
      await page.route(/^https:/, (route) => route.fulfill({ json: {} }))
      await before?.(page)
      await page.goto(url)
      return { page, said }
    }
  }
}

/** Clicks a button of the widget, and waits until the modal shows the core's view. */
export async function opens(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByTestId('w3m-connect-scroll-view').waitFor()
}

/** Number of modals in the page. */
export function modals(page: Page): Promise<number> {
  return page.locator('w3m-modal').count()
}
