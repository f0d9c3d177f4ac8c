//! Starts headless Chromium, or its headless shell, which has no windows and costs a fifth of the work for each visit.

import { type Browser, chromium } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]

/** Starts the headless shell where there is one; with `windows` Chromium itself, whose windows have popups, a clipboard and languages. */
export function startBrowser({ windows = false } = {}): Promise<Browser> {
  const { CHROMIUM = '/usr/bin/chromium', CHROMIUM_SHELL } = process.env
  return chromium.launch({
    executablePath: windows ? CHROMIUM : (CHROMIUM_SHELL ?? CHROMIUM),
    args: ['--headless=new', ...FLAGS],
    headless: true,
    // Playwright's own headless flag needs a headless shell that Debian does not package. Popups without a user gesture stay blocked, as in
    // other browsers.
    ignoreDefaultArgs: ['--headless', '--disable-popup-blocking']
  })
}
