//! Starts headless Chromium.

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

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless=new', ...FLAGS],
    headless: true,
    // Playwright's own headless flag needs a headless shell that Debian does not package. Popups without a user gesture stay blocked, as in
    // other browsers.
    ignoreDefaultArgs: ['--headless', '--disable-popup-blocking']
  })
}
