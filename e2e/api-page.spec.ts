//! The page of a server on which its API is read and tried.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { startBrowser } from './world/browser.ts'
import { type Program, program, startProgram } from './world/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'portico-api-page-'))
let server: Program
let browser: Browser
let page: Page

beforeAll(async () => {
  server = await startProgram(program('portico', 'PORTICO_BIN'), ['serve', '--listen', '127.0.0.1:0'], { cwd: folder })
  browser = await startBrowser()
  page = await browser.newPage()
  await page.goto(`${server.origin}/docs`)
  await page.locator('details').first().waitFor()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Form of a route, opened. */
async function route(method: string, path: string) {
  const summary = page.locator('summary').filter({ has: page.getByText(method, { exact: true }) })
  const found = summary.filter({ has: page.getByText(path, { exact: true }) })
  await found.click()
  return page.locator('details[open]', { has: found })
}

it.each([
  ['/v1', { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }],
  ['/v1/ens', { data: expect.stringMatching(/^0x9061b923/), sender: expect.stringMatching(/^0x/) }],
  ['/v1/fungible/price', { projectId: 'demo', currency: 'usd', addresses: [expect.stringMatching(/^eip155:1:0x/)] }],
  ['/relay/rpc', { jsonrpc: '2.0', id: 1700000000000000, method: 'irn_fetchMessages', params: expect.anything() }]
])('the body of POST %s is an example call', async (path, call) => {
  const form = await route('post', path)
  const body = form.getByLabel('Body')
  expect(JSON.parse(await body.inputValue())).toEqual(call)
  expect(await body.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
})

it('balances are asked for as by a client that knows their shape', async () => {
  const form = await route('get', '/v1/account/{address}/balance')
  expect(await form.getByLabel('x-sdk-version').inputValue()).toBe('1.0.0')
})

it('the project id is written into the path of a project', async () => {
  const form = await route('get', '/v1/project/{id}/config')
  await page.locator('#project').fill('shop')
  expect(await form.getByLabel('id:').inputValue()).toBe('shop')
})

it.each([320, 390, 1280])('no opened route is wider than a page of %i px', async (width) => {
  const own = await browser.newPage({ viewport: { width, height: 844 } })
  await own.goto(`${server.origin}/docs`)
  await own.locator('details').first().waitFor()
  const wide = await own.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
    return document.documentElement.scrollWidth
  })
  expect(wide).toBe(width)
  await own.close()
})

it('on a phone, the answer to a request with a long address is as wide as the screen', async () => {
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await phone.goto(`${server.origin}/docs`)
  const found = phone.locator('details').filter({ has: phone.getByText('/v1/convert/allowance', { exact: true }) })
  await found.locator('summary').click()
  for (const input of await found.locator('form input').all()) await input.fill('w'.repeat(120))
  await found.getByRole('button', { name: 'Try it' }).click()
  await expect.poll(() => found.locator('output p').textContent()).toContain('w'.repeat(120))
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await phone.close()
})

it('a route says what each of its responses means', async () => {
  const form = await route('get', '/relay/attestation-key')
  expect(await form.locator('dt').allTextContents()).toEqual(['200', '404', '503'])
  expect(await form.locator('dd').nth(1).textContent()).toMatch(/^The relay is off .*`?relay\.enabled`?\.$/)
  // The relay of this server is off.
  await form.getByRole('button', { name: 'Try it' }).click()
  await expect.poll(() => form.locator('output b').textContent()).toContain('404')
  expect(await violations(page)).toEqual([])
})
