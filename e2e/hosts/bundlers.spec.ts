//! Tests the widget in builds of webpack and esbuild, and in a single-file build.

import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { app, type Served, serve, tool } from './apps.ts'
import { opens, usePages } from './page.ts'

const pages = usePages()
const folder = app('page')
const modules = ['bg', 'home', 'send', 'onramp', 'swap'].map((part) => `portico_${part}.wasm`)

/** Part of webpack's API that is used here; its own types are only among the packages of the applications. */
type Webpack = (options: object, done: (error: Error | null, stats?: { toJson(options: object): Told }) => void) => void

interface Told {
  readonly errors?: readonly object[]
  readonly warnings?: readonly object[]
}

const html = (script: string, attributes = '') =>
  `<!doctype html><html lang="en"${attributes}><title>A host</title><link rel="icon" href="data:,"><body><appkit-button></appkit-button>${script}</body></html>`

async function lay(name: string, page: string): Promise<string> {
  const place = join(folder, name)
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'index.html'), page)
  return place
}

describe('webpack', () => {
  it('builds without a warning, takes the modules along, and the modal opens', async () => {
    const place = await lay('webpack', html('<script src="main.js"></script>'))
    const { webpack } = createRequire(join(folder, 'x.js'))('webpack') as { webpack: Webpack }
    const told = await new Promise<Told>((resolve, reject) =>
      webpack(
        {
          mode: 'production',
          context: folder,
          entry: './index.js',
          output: { path: place, publicPath: '/' },
          performance: { hints: false }
        },
        (error, stats) =>
          error || !stats ? reject(error) : resolve(stats.toJson({ all: false, errors: true, warnings: true }))
      )
    )
    expect([told.errors, told.warnings]).toEqual([[], []])
    const served = await serve(place)
    const { page, said } = await pages.open(served.origin)
    await opens(page, 'Connect Wallet')
    expect(said).toEqual([])
    await served.stop()
  })
})

describe('esbuild', () => {
  it('with files beside one another: the modal opens', async () => {
    const place = await lay('esbuild', html('<script type="module" src="index.js"></script>'))
    const flags = ['--bundle', '--splitting', '--format=esm', '--loader:.wasm=file', `--outdir=${place}`]
    const { code, out } = await tool('esbuild', ['index.js', ...flags, '--log-level=warning'], folder)
    expect([code, out]).toEqual([0, ''])
    // esbuild does not rewrite the URLs of files, so they are copied.
    for (const file of modules) await copyFile(app(`node_modules/@portico/widget/dist/${file}`), join(place, file))
    const served = await serve(place)
    const { page, said } = await pages.open(served.origin)
    await opens(page, 'Connect Wallet')
    expect(said).toEqual([])
    await served.stop()
  })

  describe.each([
    ['an old script', 'iife', '<script src="index.js"></script>'],
    ['a module', 'esm', '<script type="module" src="index.js"></script>']
  ])('into a single file, %s', (_, format, script) => {
    let place: string
    let served: Served

    beforeAll(async () => {
      place = await lay(`single-${format}`, html(script))
      const flags = ['--bundle', `--format=${format}`, `--outfile=${place}/index.js`, '--log-level=error']
      expect(await tool('esbuild', ['index.js', ...flags], folder)).toEqual({ code: 0, out: '' })
      await mkdir(join(place, 'modules'), { recursive: true })
      for (const file of modules)
        await copyFile(app(`node_modules/@portico/widget/dist/${file}`), join(place, 'modules', file))
      await writeFile(join(place, 'with.html'), html(script, ' data-wasm-url="/modules/portico_bg.wasm"'))
      served = await serve(place)
      return () => served.stop()
    })

    it('without wasmUrl the visitor is told what is the matter, and the host which option helps', async () => {
      const { page, said } = await pages.open(served.origin)
      await page.getByRole('button', { name: 'Connect Wallet' }).click()
      const alert = page.getByRole('alert').filter({ hasText: "Couldn't load" })
      await alert.waitFor()
      expect(await alert.textContent()).not.toContain('Reload the page')
      expect(said.join('\n')).toContain('Set wasmUrl to the address of portico_bg.wasm')
    })

    it('with wasmUrl and a line that breaks the visitor is told to look at the line', async () => {
      const breaks = (page: Page) => page.route('**/*.wasm', (route) => route.abort()).then(() => {})
      const { page } = await pages.open(`${served.origin}/with.html`, breaks)
      await page.getByRole('button', { name: 'Connect Wallet' }).click()
      await page.getByRole('alert').filter({ hasText: 'Check your connection' }).waitFor()
    })

    it('with wasmUrl the modal opens', async () => {
      const { page, said } = await pages.open(`${served.origin}/with.html`)
      await opens(page, 'Connect Wallet')
      expect(said).toEqual([])
    })
  })
})
