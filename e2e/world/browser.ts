//! Chromium, without a window.

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
    // Playwright's own headless flag would ask for a shell that Debian does not have. And windows that no visitor asked for are blocked, as
    // they are everywhere else.
    ignoreDefaultArgs: ['--headless', '--disable-popup-blocking']
  })
}
