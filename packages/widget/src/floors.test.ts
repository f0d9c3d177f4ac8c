import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Folders that are no feature: the floors of ARCHITECTURE.md, and test helpers. */
const FLOORS = ['adapters', 'generated', 'host', 'modal', 'shell', 'testing', 'text', 'theme', 'ui']

type Override = {
  includes: string[]
  linter: { rules?: { style?: { noRestrictedImports?: { options: { patterns: { group: string[] }[] } } } } }
}

const { overrides } = JSON.parse(readFileSync(new URL('../../../biome.json', import.meta.url), 'utf8')) as {
  overrides: Override[]
}

/** Import patterns that biome refuses in a folder. */
function refused(folder: string): string[] {
  const own = overrides.filter(({ includes }) => includes.includes(`packages/widget/src/${folder}/**`))
  return own.flatMap(({ linter }) =>
    (linter.rules?.style?.noRestrictedImports?.options.patterns ?? []).flatMap(({ group }) => group)
  )
}

const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
const features = folders.filter((entry) => entry.isDirectory() && !FLOORS.includes(entry.name)).map(({ name }) => name)

test('biome refuses imports between features, and of features by the floors below them', () => {
  expect(features.length).toBeGreaterThan(7)
  for (const feature of features) {
    const others = ['host', 'adapters', ...features].filter((other) => other !== feature)
    expect(refused(feature), feature).toEqual(expect.arrayContaining(others.map((other) => `**/${other}/**`)))
  }
  for (const floor of ['adapters', 'theme', 'text', 'ui', 'shell', 'host'])
    expect(refused(floor), floor).toEqual(expect.arrayContaining(features.map((feature) => `**/${feature}/**`)))
})
