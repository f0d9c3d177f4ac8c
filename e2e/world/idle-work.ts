//! Counts the work of a page without user activity.

import type { Browser, Page } from 'playwright-core'

export interface IdleWork {
  /** Number of requests of the load itself. */
  readonly loaded: number
  /** URLs requested after the load, by HTTP or WebSocket. */
  readonly requests: readonly string[]
  /** Timers and frames that were requested or still pending after the load. */
  readonly timers: readonly string[]
}

interface Watched {
  watched: { name: string; delay: number; at: string; done: boolean; late: boolean }[]
  loaded: boolean
}

/** Observed time in milliseconds of the page's clock, which is advanced at once. */
const WATCH = 60_000

export async function countIdleWork(browser: Browser, url: string): Promise<IdleWork> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  try {
    const page = await context.newPage()
    let requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('websocket', (socket) => requests.push(socket.url()))
    await page.addInitScript(watchTimers)
    await page.goto(url, { waitUntil: 'networkidle' })
    const loaded = requests.length
    await page.evaluate(() => {
      const page = window as unknown as Watched
      page.loaded = true
      for (const entry of page.watched) entry.late = !entry.done
    })
    requests = []
    await letPass(page, WATCH)
    const timers = await page.evaluate(() =>
      (window as unknown as Watched).watched
        .filter(({ late }) => late)
        .map(({ name, delay, at }) => `${name} ${delay} ${at}`)
    )
    return { loaded, requests, timers }
  } finally {
    await context.close()
  }
}

async function letPass(page: Page, budget: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const passed = new Promise((resolve) => session.once('Emulation.virtualTimeBudgetExpired', resolve))
  await session.send('Emulation.setVirtualTimePolicy', { policy: 'advance', budget })
  await passed
}

/** Runs in the page, before its own scripts. */
function watchTimers(): void {
  const page = window as unknown as Watched & Record<string, (...args: unknown[]) => number>
  page.watched = []
  for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback']) {
    const real = (page[name] as (...args: unknown[]) => number).bind(window)
    const ids = new Map<number, Watched['watched'][number]>()
    page[name] = (callback: unknown, ...rest: unknown[]) => {
      const at = new Error().stack?.split('\n')[2]?.trim() ?? ''
      const entry = { name, delay: Number(rest[0] ?? 0), at, done: false, late: page.loaded === true }
      page.watched.push(entry)
      const run = (...args: unknown[]) => {
        if (name !== 'setInterval') entry.done = true
        ;(callback as (...args: unknown[]) => void)(...args)
      }
      const id = real(run, ...rest)
      ids.set(id, entry)
      return id
    }
    const cancel = {
      setTimeout: 'clearTimeout',
      setInterval: 'clearInterval',
      requestAnimationFrame: 'cancelAnimationFrame',
      requestIdleCallback: 'cancelIdleCallback'
    }[name] as string
    const realCancel = (page[cancel] as (...args: unknown[]) => number).bind(window)
    page[cancel] = (id: unknown) => {
      const entry = ids.get(id as number)
      if (entry) entry.done = true
      return realCancel(id)
    }
  }
}
