//! Bytes as they come over the wire, and how many requests bring them.

import type { Browser } from 'playwright-core'
import { freshPage, quiet, type Watcher } from './page.ts'

export interface Load {
  /** Of the bodies, compressed as the server sent them. */
  readonly bytes: number
  readonly headers: number
  readonly requests: number
}

export interface Sizes {
  /** The page without the widget. */
  readonly bare: Load
  readonly before: Load
  readonly open: Load
}

export async function measureSizes(browser: Browser, origin: string): Promise<Sizes> {
  return {
    bare: await load(browser, `${origin}/bench-bare/bench-bare.html`, false),
    before: await load(browser, `${origin}/bench/bench.html`, false),
    open: await load(browser, `${origin}/bench/bench.html`, true)
  }
}

async function load(browser: Browser, url: string, click: boolean): Promise<Load> {
  const { page, cdp, close } = await freshPage(browser)
  const headers = new Map<string, number>()
  let all = 0
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (/^http/.test(response.url)) headers.set(requestId, response.encodedDataLength)
  })
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    all += encodedDataLength
  })
  await page.goto(url)
  await quiet(page)
  if (click) {
    await page.getByTestId('connect-button').click()
    await page.evaluate(() => (window as unknown as { watcher: Watcher }).watcher.painted)
    await quiet(page)
  }
  await close()
  const heads = [...headers.values()].reduce((sum, bytes) => sum + bytes, 0)
  return { bytes: all - heads, headers: heads, requests: headers.size }
}
