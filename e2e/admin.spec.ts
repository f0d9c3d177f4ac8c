//! The first hour of an operator in a browser: the page of a server without a configuration, and the admin page.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { startBrowser } from './world/browser.ts'
import { type Program, program, startProgram } from './world/program.ts'

const binary = program('portico', 'PORTICO_BIN')
const folder = mkdtempSync(join(tmpdir(), 'portico-first-'))
let env: NodeJS.ProcessEnv
let server: Program
let browser: Browser

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const listener = createServer().listen(0, '127.0.0.1', () => {
      const address = listener.address()
      listener.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

const portico = (...args: string[]) => execFileSync(binary, args, { cwd: folder, env, encoding: 'utf8' })

/** A page that records what its policy forbids. */
async function open(url: string): Promise<{ page: Page; reports: string[] }> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  const reports: string[] = []
  page.on('console', (message) => message.type() === 'error' && reports.push(message.text()))
  await page.goto(url)
  return { page, reports }
}

beforeAll(async () => {
  env = { ...process.env, PORTICO__ADMIN_LISTEN: `127.0.0.1:${await freePort()}` }
  server = await startProgram(binary, ['serve', '--listen', '127.0.0.1:0'], { cwd: folder, env })
  browser = await startBrowser()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('a server without a file shows the code for a page, and copies it', async () => {
  const { page, reports } = await open(`${server.origin}/`)
  for (const words of [`endpoints: '${server.origin}'`, 'portico doctor']) {
    const snippet = page.locator('.snippet', { hasText: words })
    const code = await snippet.locator('pre').textContent()
    await snippet.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => snippet.getByRole('status').textContent()).toBe('Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
  }
  expect(await violations(page)).toEqual([])
  expect(reports).toEqual([])
})

it('a link opens the admin page once, without a script', async () => {
  const [link = ''] = portico('admin', 'link').split('\n')
  const { page, reports } = await open(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  expect(await page.getByRole('row', { name: 'This machine' }).textContent()).toContain('http://localhost:*')
  expect(await page.locator('script').count()).toBe(0)
  expect(await page.evaluate(() => document.cookie)).toBe('')
  expect(await violations(page)).toEqual([])
  expect(reports).toEqual([])

  const second = await open(link)
  await second.page.getByRole('heading', { name: 'This link was used or has expired' }).waitFor()
  expect(await second.page.getByRole('button').count()).toBe(0)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(new URL('/admin', link).href)
  expect(await page.getByRole('heading', { name: 'Projects' }).count()).toBe(0)
})

/** Parts of words that stand on different lines, of all commands and code of a page. */
const broken = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const block of document.querySelectorAll('pre, pre code')) {
      const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const match of (node.textContent ?? '').matchAll(/\S+/g)) {
          const range = document.createRange()
          range.setStart(node, match.index)
          range.setEnd(node, match.index + match[0].length)
          if (new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size > 1) found.push(match[0])
        }
      }
    }
    return found
  })

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

it('no command breaks inside a word on a phone, and nothing is cut', async () => {
  const { page } = await open(`${server.origin}/`)
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.locator('pre').count()).toBeGreaterThan(6)
  expect(await broken(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
})

/** Wide parts of a page that scroll sideways. */
const scrolling = (page: Page, parts: string): Promise<string[]> =>
  page.evaluate(
    (parts) =>
      [...document.querySelectorAll(parts)]
        .filter((part) => part.scrollWidth > part.clientWidth)
        .map((part) => part.textContent ?? ''),
    parts
  )

it('with all public nodes, ids and code have their room on a desk, and a message beside a button goes away', async () => {
  const own = mkdtempSync(join(tmpdir(), 'portico-public-'))
  const there = { cwd: own, env: { ...process.env, PORTICO__ADMIN_LISTEN: `127.0.0.1:${await freePort()}` } }
  const wide = await startProgram(binary, ['serve', '--public-nodes', '--listen', '127.0.0.1:0'], there)
  try {
    const run = (...args: string[]) => execFileSync(binary, args, { ...there, encoding: 'utf8', stdio: 'pipe' })
    run('project', 'add', '--any-origin')
    const origins = ['--origin', 'https://shop1.example.com', '--origin', 'https://www.shop1.example.com']
    run('project', 'add', 'Shop', ...origins, '--per-second', '50', '--burst', '500', '--per-day', '1000000')
    for (let number = 0; number < 30; number++)
      run('project', 'add', `Shop ${number}`, '--origin', 'https://shop.example')
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 1280, height: 900 }
    })
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(`${wide.origin}/`)
    expect(await page.getByText("from '@portico/widget/networks'").textContent()).toContain('\n  networks: [\n')
    expect(await scrolling(page, 'pre, .card')).toEqual([])
    const status = page.locator('.snippet').first().getByRole('status')
    await page.locator('.snippet').first().getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => status.textContent()).toBe('Copied')
    await page.clock.fastForward(4000)
    await expect.poll(() => status.textContent()).toBe('')

    const [link = ''] = run('admin', 'link').split('\n')
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('row', { name: 'Any origin' }).waitFor()
    expect(await scrolling(page, '.card')).toEqual([])
    // An id stands in one line, or breaks after its namespace only.
    const split = await page.evaluate(() =>
      [...document.querySelectorAll('th code')].flatMap((code) =>
        [...code.childNodes]
          .filter((part) => part.nodeType === Node.TEXT_NODE)
          .filter((part) => {
            const range = document.createRange()
            range.selectNodeContents(part)
            return range.getClientRects().length > 1
          })
          .map((part) => part.textContent)
      )
    )
    expect(split).toEqual([])
    // Each of two origins is one line, and limits are not a column of single words.
    const shop = page.getByRole('row', { name: 'www.shop1.example.com' })
    const height = async (cell: string) => (await shop.locator(`${cell} > span`).boundingBox())?.height
    expect(await height('td.origins')).toBeLessThan(50)
    expect(await height('td.limits')).toBeLessThan(120)
    // A link leads past the networks, and the projects after the first ones open below them.
    await page.getByRole('link', { name: 'Projects' }).click()
    await expect
      .poll(() => page.locator('h2#projects').evaluate((title) => title.getBoundingClientRect().top))
      .toBeLessThan(100)
    const last = page.getByRole('row', { name: 'Shop 29' })
    expect(await last.isVisible()).toBe(false)
    await page.locator('h2#projects + .card + details > summary').click()
    await last.waitFor()
    expect(await scrolling(page, '.card')).toEqual([])
    expect(await violations(page)).toEqual([])
  } finally {
    await wide.stop()
    rmSync(own, { recursive: true, force: true })
  }
})

it('on a phone a row of the admin page is a card, whole and with the name of each figure', async () => {
  const [link = ''] = portico('admin', 'link').split('\n')
  const { page } = await open(link)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Sign in' }).click()
  const row = page.getByRole('row', { name: 'This machine' })
  await row.waitFor()
  const title = await page.getByRole('heading', { name: 'Portico admin' }).boundingBox()
  const leave = await page.getByRole('button', { name: 'Sign out' }).boundingBox()
  // In the row of the title, not below it.
  expect(leave?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0))
  const cut = await page.evaluate(
    () => [...document.querySelectorAll('.card')].filter((card) => card.scrollWidth > card.clientWidth).length
  )
  expect([cut, await overflow(page)]).toEqual([0, 0])
  const label = await row
    .getByRole('cell')
    .first()
    .evaluate((cell) => getComputedStyle(cell, '::before').content)
  expect(label).toBe('"Origins"')
  expect(await violations(page)).toEqual([])
})
