//! Measures downloaded bytes and the number of requests.

import type { Browser } from 'playwright-core'
import { freshPage, quiet, type Watcher } from './page.ts'

export interface Load {
  /** Bytes of the bodies, compressed as sent by the server. */
  readonly bytes: number
  readonly headers: number
  readonly requests: number
}

export interface Sizes {
  /** The page without the widget. */
  readonly bare: Load
  readonly before: Load
  readonly open: Load
  /** Files loaded after the first paint of the modal: the second half of the core. */
  readonly later: Load
  /** Wallet data from the server. */
  readonly data: Load
}

export async function measureSizes(browser: Browser, origin: string): Promise<Sizes> {
  const { code: bare } = await load(browser, `${origin}/bench-bare/bench-bare.html`, false)
  const { code: before } = await load(browser, `${origin}/bench/bench.html`, false)
  const { code: open, later, data } = await load(browser, `${origin}/bench/bench.html`, true)
  return { bare, before, open, later, data }
}

const SECOND_HALF = /portico_home[^/]*\.wasm/

type Kind = 'code' | 'later' | 'data'

/** Loads of a page by kind: code, the second half of the core, and data from the server. */
async function load(browser: Browser, url: string, click: boolean): Promise<Record<Kind, Load>> {
  const { page, cdp, close } = await freshPage(browser)
  const heads = new Map<string, { bytes: number; kind: Kind }>()
  const none = () => ({ bytes: 0, headers: 0, requests: 0 })
  const loads = { code: none(), later: none(), data: none() }
  cdp.on('Network.responseReceived', ({ requestId, response, type }) => {
    if (!/^http/.test(response.url)) return
    const kind = SECOND_HALF.test(response.url)
      ? 'later'
      : type === 'Fetch' && !/wasm/.test(response.url)
        ? 'data'
        : 'code'
    heads.set(requestId, { bytes: response.encodedDataLength, kind })
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const head = heads.get(requestId)
    if (!head) return
    const into = loads[head.kind]
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
  return loads
}
