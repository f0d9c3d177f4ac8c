//! Tests a page with two modals, and an image that does not exist.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { app, type Served, serve, tool } from './apps.ts'
import { usePages } from './page.ts'

const pages = usePages()
let served: Served

const BUTTONS = ['first', 'second'].map((id) => `<appkit-button id="${id}"></appkit-button>`).join('')
const PAGE = `<!doctype html><html lang="en"><title>A host</title><link rel="icon" href="data:,"><body>${BUTTONS}<appkit-network-button></appkit-network-button>
<script type="module" src="kits.js"></script></body></html>`

beforeAll(async () => {
  const place = app('page/kits')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'index.html'), PAGE)
  const modules = `--outdir=${place}`
  const flags = ['--bundle', '--splitting', '--format=esm', modules, '--log-level=error']
  expect(await tool('esbuild', ['kits.js', ...flags], app('page'))).toEqual({ code: 0, out: '' })
  served = await serve(place)
  return () => served.stop()
})

/** Adds a wallet that announces itself (EIP-6963) and approves all requests. */
async function announce(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const answers: Record<string, unknown> = {
      eth_requestAccounts: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
      eth_accounts: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
      eth_chainId: '0x1'
    }
    const provider = {
      request: async ({ method }: { method: string }) => answers[method] ?? null,
      on() {},
      removeListener() {}
    }
    const info = {
      uuid: crypto.randomUUID(),
      name: 'Agreeable',
      rdns: 'test.host.agreeable',
      icon: 'data:image/png;base64,'
    }
    const announce = () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
    window.addEventListener('eip6963:requestProvider', announce)
  })
  // The parts of the core are served from the package's folder.
  await page.route('**/*.wasm', (route) =>
    route.fulfill({ path: app(`node_modules/@portico/widget/dist/${route.request().url().split('/').at(-1)}`) })
  )
}

const button = (page: Page, id: string) => page.locator(`#${id} button`)

it('each button shows the account of its own modal', async () => {
  const { page } = await pages.open(served.origin, announce)
  await button(page, 'first').click()
  await page.getByTestId('wallet-selector-test.host.agreeable').click()
  await expect.poll(() => button(page, 'first').textContent()).toContain('0xf3')
  expect(await button(page, 'second').textContent()).toBe('Connect Wallet')
  // The second modal starts now, and restores the connection from the browser's storage.
  await button(page, 'second').hover()
  await expect.poll(() => button(page, 'second').textContent()).toContain('0xf3')
  expect(await button(page, 'first').textContent()).toContain('0xf3')
  await button(page, 'first').click()
  await page.getByTestId('disconnect-button').click()
  await expect.poll(() => button(page, 'first').textContent()).toBe('Connect Wallet')
})

it('a picture of a network that is not there leaves no broken one behind', async () => {
  const { page } = await pages.open(served.origin, announce)
  const network = page.locator('appkit-network-button')
  await expect.poll(() => network.locator('img').count()).toBe(0)
  expect(await network.getByTestId('wui-network-button').textContent()).toBe('OP Mainnet')
})
