//! Checks the types of the packed widget with strict settings, and an AppKit page in which only the imports are changed.

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { app, tool } from './apps.ts'

const STRICT = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  'false',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess'
]
const MODERN = ['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--ignoreConfig']

const BUNDLER = ['--module', 'esnext', '--moduleResolution', 'bundler']
const NODE = ['--module', 'nodenext', '--moduleResolution', 'nodenext']

/** Folder in which only the widget is installed, also considering all folders above. */
let bare: string

beforeAll(async () => {
  bare = await mkdtemp(join(tmpdir(), 'portico-bare-'))
  const widget = join(bare, 'node_modules/@portico/widget')
  await mkdir(widget, { recursive: true })
  await cp(app('node_modules/@portico/widget'), widget, { recursive: true })
  await writeFile(join(bare, 'package.json'), '{ "private": true, "type": "module" }')
  await cp(app('strict/plain.ts'), join(bare, 'plain.ts'))
  return () => rm(bare, { recursive: true })
})

describe.each([
  ['a bundler', BUNDLER],
  ['Node', NODE]
])('types as %s resolves them', (_, resolution) => {
  it('hold with every check on, and no package beside the widget', async () => {
    const { code, out } = await tool('tsc', ['plain.ts', ...STRICT, ...MODERN, ...resolution, '--types', ''], bare)
    expect([code, out]).toEqual([0, ''])
  })

  it('hold with the types of React beside them', async () => {
    const { code, out } = await tool(
      'tsc',
      ['react.tsx', ...STRICT, ...MODERN, ...resolution, '--jsx', 'react-jsx'],
      app('strict')
    )
    expect([code, out]).toEqual([0, ''])
  })
})

describe('a page written for AppKit', () => {
  it('compiles with nothing changed but its imports', async () => {
    const page = await readFile(app('appkit/Page.tsx'), 'utf8')
    const moved = page
      .replace("'@reown/appkit/react'", "'@portico/widget/react'")
      .replace("'@reown/appkit/networks'", "'@portico/widget/networks'")
      .replace("'@reown/appkit-adapter-ethers'", "'@portico/widget/ethers'")
    expect(moved).not.toContain('@reown')
    await writeFile(app('appkit/Moved.tsx'), moved)
    const { code, out } = await tool(
      'tsc',
      ['Moved.tsx', '--noEmit', '--strict', '--skipLibCheck', ...MODERN, ...BUNDLER, '--jsx', 'react-jsx'],
      app('appkit')
    )
    expect([code, out]).toEqual([0, ''])
  })
})
