import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { render } from '@testing-library/react'
import { version } from 'react'
import { version as domVersion } from 'react-dom'
import { expect, it } from 'vitest'
import { dependencies } from './package.json'

it('the tests of this project run on the React of this package', () => {
  expect({ react: version, 'react-dom': domVersion }).toEqual(dependencies)
  // An element of one React that another draws is refused.
  expect(render(<p>drawn</p>).container.textContent).toBe('drawn')
})

it('the widget imports nothing from React that this one does not have', async () => {
  const modules: Record<string, object> = {
    react: await import('react'),
    'react-dom': await import('react-dom'),
    'react-dom/client': await import('react-dom/client')
  }
  const root = join(import.meta.dirname, '../widget/src')
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^testing\b/.test(path)
  )
  const imported = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/import \{([^}]*)\} from '(react(?:-dom[^']*)?)'/g)].flatMap(
      ([, names = '', module = '']) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name && !name.startsWith('type '))
          .map((name) => ({ module, name: name.replace(/ as .*/, '') }))
    )
  )
  expect(imported.length).toBeGreaterThan(20)
  expect(imported.filter(({ module, name }) => !(name in (modules[module] ?? {})))).toEqual([])
})
