//! Tests the widget in Vue, with the development server and hot reloading.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { app, type Served, serve, start, tool } from './apps.ts'
import { modals, opens, usePages } from './page.ts'

const pages = usePages()
const folder = app('vue')

describe('Vue', () => {
  it('as it is built draws a button with its properties, which opens the modal', async () => {
    const { code, out } = await tool('vite', ['build', '--logLevel', 'warn'], folder)
    expect(out).toBe('')
    expect(code).toBe(0)
    const served = await serve(join(folder, 'dist'))
    const { page, said } = await pages.open(served.origin)
    await opens(page, 'In Vue')
    const button = page.locator('appkit-button')
    expect(await button.getAttribute('namespace')).toBe('eip155')
    expect(await button.evaluate((element) => (element as HTMLElement & { namespace: string }).namespace)).toBe(
      'eip155'
    )
    expect(said).toEqual([])
    await served.stop()
  })
})

describe('hot reloading', () => {
  const file = join(folder, 'src/App.vue')
  let source: string
  let server: Served

  beforeAll(async () => {
    source = await readFile(file, 'utf8')
    server = await start('vite', ['--port', '0'], folder)
    return async () => {
      await writeFile(file, source)
      await server.stop()
    }
  })

  it('of the component that makes the modal leaves the page with one', async () => {
    const { page, said } = await pages.open(server.origin)
    await opens(page, 'In Vue')
    await page.keyboard.press('Escape')
    await page.evaluate(() => Object.assign(window, { unloaded: false }))
    for (const label of ['Once more', 'And again']) {
      await writeFile(file, source.replace("ref('In Vue')", `ref('${label}')`))
      await opens(page, label)
      await page.keyboard.press('Escape')
      expect(await modals(page)).toBe(1)
    }
    // The page was not reloaded.
    expect(await page.evaluate(() => 'unloaded' in window)).toBe(true)
    expect(said).toEqual([])
  })
})
