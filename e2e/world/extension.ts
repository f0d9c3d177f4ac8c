//! Chromium with the test kit's browser extension, and the windows in which its wallet asks.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildExtension, type ExtensionOptions } from '@portico/testkit/extension'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

export interface ExtendedBrowser {
  readonly context: BrowserContext
  /** Window with the next question of the extension, once it is drawn; the work starts before or within `work`. */
  asked(kind: string, work: () => Promise<unknown>): Promise<Page>
  stop(): Promise<void>
}

/** Starts Chromium itself: its headless shell has no extensions. */
export async function startExtended(options: ExtensionOptions): Promise<ExtendedBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-extension-'))
  const extension = join(folder, 'extension')
  await buildExtension(extension, options)
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      `--load-extension=${extension}`,
      `--disable-extensions-except=${extension}`
    ],
    ignoreDefaultArgs: ['--headless', '--disable-extensions']
  })
  return {
    context,
    async asked(kind, work) {
      const [window] = await Promise.all([context.waitForEvent('page'), work()])
      await window.locator(`body[data-kind="${kind}"]`).waitFor()
      return window
    },
    async stop() {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
