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
  /** What comes after the first paint of the modal: the second half of the core. */
  readonly later: Load
}

export async function measureSizes(browser: Browser, origin: string): Promise<Sizes> {
  const [bare] = await load(browser, `${origin}/bench-bare/bench-bare.html`, false)
  const [before] = await load(browser, `${origin}/bench/bench.html`, false)
  const [open, later] = await load(browser, `${origin}/bench/bench.html`, true)
  return { bare, before, open, later }
}

const SECOND_HALF = /portico_home[^/]*\.wasm/

/** What was loaded, without the second half of the core and that alone. */
async function load(browser: Browser, url: string, click: boolean): Promise<[all: Load, later: Load]> {
  const { page, cdp, close } = await freshPage(browser)
  const heads = new Map<string, { bytes: number; later: boolean }>()
  const loads = { all: { bytes: 0, headers: 0, requests: 0 }, later: { bytes: 0, headers: 0, requests: 0 } }
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (!/^http/.test(response.url)) return
    heads.set(requestId, { bytes: response.encodedDataLength, later: SECOND_HALF.test(response.url) })
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const head = heads.get(requestId)
    if (!head) return
    const into = head.later ? loads.later : loads.all
    into.bytes += encodedDataLength - head.bytes
    into.headers += head.bytes
    into.requests += 1
  })
  await page.goto(url)
  await quiet(page)
  if (click) {
    await page.getByTestId('connect-button').click()
    await page.evaluate(() => (window as unknown as { watcher: Watcher }).watcher.painted)
    await quiet(page)
  }
  await close()
  return [loads.all, loads.later]
}
