//! Tests the widget in Next.js with both of its bundlers, as the README describes it.

import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../world/program.ts'
import { app, type Served, start, tool } from './apps.ts'
import { opens, usePages } from './page.ts'

const pages = usePages()
const folder = app('next')
const env = { HOSTS: app('.'), NEXT_TELEMETRY_DISABLED: '1' }

/** Code example of the README that shows the use of the widget. */
function snippet(): string {
  const readme = readFileSync(join(repository(), 'README.md'), 'utf8')
  const found = /```tsx\n([\s\S]*?export const Header[\s\S]*?)```/.exec(readme)?.[1]
  if (!found) throw new Error('The README shows no Header')
  return found
}

beforeAll(() => writeFile(join(folder, 'app/Header.jsx'), snippet()))

describe.each([
  ['Turbopack', '--turbopack'],
  ['webpack', '--webpack']
])('Next.js with %s', (bundler, flag) => {
  const dist = `.next-${bundler.toLowerCase()}`
  let built = { code: 1, out: '' }
  let server: Served

  beforeAll(async () => {
    built = await tool('next', ['build', flag], folder, { ...env, DIST: dist })
    if (built.code === 0) server = await start('next', ['start', '--port', '0'], folder, { ...env, DIST: dist })
    return () => server?.stop()
  })

  it('builds the snippet of the README without a warning', () => {
    expect(built.code, built.out).toBe(0)
    expect(built.out).not.toMatch(/warn|critical dependency/i)
  })

  it('shows a button that opens the modal, and the console stays clean', async () => {
    const { page, said } = await pages.open(server.origin)
    await opens(page, 'Connect Wallet')
    expect(said).toEqual([])
  })

  it('hydrates a button with a namespace and other properties', async () => {
    const { page, said } = await pages.open(server.origin)
    const button = page.locator('appkit-button').nth(1)
    await expect.poll(() => page.getByTestId('status').textContent()).toBe('disconnected')
    await opens(page, 'In React')
    expect(await button.getAttribute('namespace')).toBe('eip155')
    expect(said).toEqual([])
  })

  it('draws a button that comes later, and one whose namespace changes', async () => {
    const { page, said } = await pages.open(server.origin)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'More 1' }).waitFor()
    const button = page.locator('appkit-button').nth(2)
    expect(await button.getAttribute('namespace')).toBe('eip155')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'More 2' }).waitFor()
    expect(await button.getAttribute('namespace')).toBeNull()
    expect(said).toEqual([])
  })
})

describe('a server component', () => {
  it.each([
    ['@portico/widget/react', /Attempted to call createAppKit\(\) from the server/],
    ['@portico/widget', /call createAppKit in a file that begins with 'use client'/]
  ])('that makes the modal from %s fails with words', async (entry, words) => {
    const route = join(folder, 'app/wrong')
    await mkdir(route, { recursive: true })
    const page = `import { createAppKit } from '${entry}'
import { mainnet } from '@portico/widget/networks'
createAppKit({ projectId: 'server', networks: [mainnet] })
export default function Page() { return <appkit-button /> }
`
    await writeFile(join(route, 'page.jsx'), page)
    const { code, out } = await tool('next', ['build', '--turbopack'], folder, { ...env, DIST: '.next-wrong' })
    await rm(route, { recursive: true })
    expect(code).not.toBe(0)
    expect(out).toMatch(words)
  })
})
