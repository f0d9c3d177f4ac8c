import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Style sheets of single views, without those of every view (`theme`) and of the buttons, which have shadow roots of their own. */
const sheets = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.css.ts') && !/^(theme|host)\b/.test(path)
)

/** Rules of a sheet, by the class that their selectors start with. */
function rulesOf(text: string): Map<string, string[]> {
  const rules = new Map<string, string[]>()
  for (const [, selectors = '', body] of text.matchAll(/([^{}@`]+)(\{[^{}]*\})/g)) {
    // A comma within parentheses does not separate selectors.
    for (const selector of selectors.split(/,(?![^()]*\))/).map((one) => one.trim())) {
      const start = /^(?::is\(([^)]*)\)|\.[\w-]+)/.exec(selector)
      for (const [, name = ''] of (start?.[1] ?? start?.[0] ?? '').matchAll(/(?:^|,)\.([\w-]+)/g)) {
        rules.set(name, [...(rules.get(name) ?? []), `${selector}${body}`])
      }
    }
  }
  return rules
}

/** Classes that different sheets define differently. */
function collisions(texts: readonly string[]): string[] {
  const met = new Map<string, string>()
  const found: string[] = []
  for (const [name, rules] of texts.flatMap((text) => [...rulesOf(text)])) {
    const said = rules.join('')
    if ((met.get(name) ?? said) !== said) found.push(name)
    met.set(name, said)
  }
  return found
}

const shared = readFileSync(join(root, 'theme/base.css.ts'), 'utf8')

it('two sheets that name a thing alike are found, and those that say the same are not', () => {
  expect(collisions(['`\n.pair{gap:8px}\n`', '`\n.row,.pair .tile{width:2px}\n`'])).toEqual(['pair'])
  expect(collisions(['`\n@media(x){.pair{gap:8px}}\n`', '`\n.pair{gap:4px}\n`'])).toEqual(['pair'])
  expect(collisions(['`\n:is(.pair,.one) p{gap:8px}\n`', '`\n.row:is(a,.one) p,.pair{gap:4px}\n`'])).toEqual(['pair'])
  expect(collisions(['`\n.none{margin:0}\n`', '`\n.none{margin:0}\n.one .pair{margin:0}\n`'])).toEqual([])
})

it('the sheets of views that were opened stay, so none starts a rule with a class of another', () => {
  expect(sheets.length).toBeGreaterThan(5)
  const texts = sheets.map((path) => readFileSync(join(root, path), 'utf8'))
  expect(collisions(texts).filter((name) => !rulesOf(shared).has(name))).toEqual([])
})

it('whatever sticks to the lower edge scrolls with the content in windows of one height, 600 px and less', () => {
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css.ts'))
  const texts = all.map((path) => readFileSync(join(root, path), 'utf8'))
  const feet = texts.flatMap((text) => [
    ...text.matchAll(/@media\(max-height:(\d+)px\)\{(\.[\w-]+)\{position:static\}/g)
  ])
  expect(feet.map(([, height, foot]) => `${foot} ${height}`).sort()).toEqual(['.ends 600', '.floor 600'])
  const sticky = texts.flatMap((text) => [...text.matchAll(/^(\.[\w-]+)\{position:sticky;[^}]*inset-block-end:0/gm)])
  expect(sticky.map(([, foot]) => foot).sort()).toEqual(['.ends', '.floor'])
})
