//! Bytes as they come over the wire, and how many requests bring them.

import type { Browser } from 'playwright-core'
import { freshPage, type Watcher } from './page.ts'

export interface Load {
  readonly bytes: number
  readonly requests: number
}

export interface Sizes {
  readonly bare: Load
  readonly before: Load
  readonly open: Load
}

export async function measureSizes(browser: Browser, origin: string): Promise<Sizes> {
  return {
    bare: await load(browser, `${origin}/bench-bare.html`, false),
    before: await load(browser, `${origin}/bench.html`, false),
    open: await load(browser, `${origin}/bench.html`, true)
  }
}

async function load(browser: Browser, url: string, click: boolean): Promise<Load> {
  const { page, cdp, close } = await freshPage(browser)
  let bytes = 0
  let requests = 0
  // As transferred: compressed, with headers.
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  if (click) {
    await page.getByTestId('connect-button').click()
    await page.evaluate(() => (window as unknown as { watcher: Watcher }).watcher.painted)
    await page.waitForLoadState('networkidle')
  }
  await close()
  return { bytes, requests }
}
