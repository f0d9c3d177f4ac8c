//! Writes the pictures of networks, tokens and connectors from the package that PROVENANCE.md names: `images`, `marks.json`, and the
//! widget's sprite. `node build.mjs FOLDER`, the folder with the unpacked package and the two tools.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSION = '4.0.56'
const SIDE = 128
const FOLDERS = { networks: 'networks', tokens: 'tokens', connectors: 'wallets' }

/** Function of the sprite's file: the page's own button and the views look marks up in one way. */
const LOOKUP = `
/** Network by its CAIP-2 id, or native coin by its symbol: both are the host's words. A token has no mark, because anybody may call one ETH. */
export type Shows = { readonly network: string } | { readonly coin: string }

/** Mark of a network or coin; \`undefined\` where there is none. */
export function markOf(of: Shows): (typeof marks)[keyof typeof marks] | undefined {
  const [lists, wanted] = 'network' in of ? [networks, of.network] : [coins, of.coin]
  const known = Object.keys(lists).find((name) => lists[name]?.split(' ').includes(wanted))
  // Networks of Solana have one mark, also one with a genesis of its own, such as a local one.
  const name = known ?? (wanted.startsWith('solana:') ? 'solana' : undefined)
  return name === undefined ? undefined : marks[name as keyof typeof marks]
}
`

const here = dirname(fileURLToPath(import.meta.url))
const folder = resolve(process.argv[2] ?? '.')
const require = createRequire(join(folder, 'package.json'))
const sharp = require('sharp')
const { optimize } = require('svgo')
const { version } = JSON.parse(readFileSync(join(folder, 'core/package.json'), 'utf8'))
if (version !== VERSION) throw new Error(`This is version ${version} of @web3icons/core, and not ${VERSION}`)

/** Drawing of the package: each is a module with one string. */
function drawing(kind, variant, name) {
  const source = readFileSync(join(folder, `core/dist/svgs/${kind}/${variant}/${name}.svg.js`), 'utf8')
  const [text] = /'(?:[^'\\]|\\.)*'/s.exec(source)
  return JSON.parse(`"${text.slice(1, -1).replaceAll('"', '\\"').replaceAll("\\'", "'")}"`)
}

const choice = JSON.parse(readFileSync(join(here, 'choice.json'), 'utf8'))
const sprite = Object.entries(choice.sprite.marks).map(([mark, [kind, name, ground, ink = '#ffffff']]) => {
  // A mark that the package has only with shades, or not at all, is a path of our own.
  return [mark, { ground, ink, d: kind === 'path' ? name : path(drawing(kind, 'mono', name)) }]
})
await writeImages()
writeSprite()

/** Drawing of a network or coin that the widget draws by itself: the same there and here. */
function ofSprite(key) {
  const { networks, coins } = choice.sprite
  const shown = ([, list]) => list.some((one) => one.replace(':', '-') === key)
  const [name] = [...Object.entries(networks), ...Object.entries(coins)].find(shown) ?? []
  const mark = sprite.find(([mark]) => mark === name)?.[1]
  return (
    mark &&
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="-4 -4 32 32"><path fill="${mark.ground}" d="M-4-4h32v32H-4z"/><path fill="${mark.ink}" fill-rule="evenodd" d="${mark.d}"/></svg>`
  )
}

/** Squares of 128 pixels as WebP, named by a hash of their content, and the list of what they show. */
async function writeImages() {
  const images = join(here, 'images')
  rmSync(images, { recursive: true, force: true })
  mkdirSync(images)
  const marks = {}
  for (const [kind, folder] of Object.entries(FOLDERS)) {
    marks[kind] = {}
    for (const [key, name] of Object.entries(choice[kind])) {
      const svg = Buffer.from(ofSprite(key) ?? drawing(folder, 'background', name))
      const image = sharp(svg, { density: (72 * SIDE * 2) / 24 }).resize(SIDE, SIDE)
      const bytes = await image.webp({ quality: 86, alphaQuality: 90, effort: 6, smartSubsample: true }).toBuffer()
      const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
      writeFileSync(join(images, `${id}.webp`), bytes)
      marks[kind][key] = id
    }
  }
  writeFileSync(join(here, 'marks.json'), `${JSON.stringify(marks, null, 2)}\n`)
}

/** One path of one colour a mark, on a ground of another: gradients and shades are left out. */
function writeSprite() {
  const { networks, coins } = choice.sprite
  const short = (colour) => colour.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')
  const lines = sprite.map(([mark, { ground, ink, d }]) => `  ${mark}: ['${short(ground)}', '${short(ink)}', '${d}'],`)
  const ofNetworks = Object.entries(networks).map(([mark, ids]) => `  ${mark}: '${ids.join(' ')}',`)
  const ofCoins = Object.entries(coins).map(([mark, symbols]) => `  ${mark}: '${symbols.join(' ')}',`)
  const text = [
    '// Written by crates/server/marks/build.mjs from @web3icons/core (MIT, https://github.com/0xa3k5/web3icons); do not edit. The marks belong',
    '// to their owners.',
    '',
    '/** Marks of networks and coins: ground, ink, and path on a grid of 24. */',
    'export const marks = {',
    ...lines,
    '} as const',
    '',
    '/** CAIP-2 ids of the networks with a mark. */',
    'export const networks: Readonly<Record<string, string>> = {',
    ...ofNetworks,
    '}',
    '',
    '/** Symbols of native coins with a mark. */',
    'export const coins: Readonly<Record<string, string>> = {',
    ...ofCoins,
    '}',
    LOOKUP
  ]
  writeFileSync(join(here, '../../../packages/widget/src/generated/marks.ts'), text.join('\n'))
}

/** The single path of a drawing. */
function path(svg) {
  const plugins = [
    { name: 'preset-default', params: { overrides: { mergePaths: { force: true }, convertShapeToPath: { convertArcs: true } } } }
  ]
  const { data } = optimize(svg, { multipass: true, floatPrecision: 2, plugins })
  const shapes = data.match(/<(path|circle|rect|ellipse|polygon)\b[^>]*>/g) ?? []
  const paths = shapes.map((shape) => / d="([^"]*)"/.exec(shape)?.[1])
  if (paths.length === 0 || paths.includes(undefined) || /transform|opacity|gradient/i.test(data)) {
    throw new Error(`Not only paths: ${data}`)
  }
  // In one path, each begins at a point of its own; what follows without a command is relative to it.
  const start = /^m(-?(?:\d*\.\d+|\d+))[ ,]?(-?(?:\d*\.\d+|\d+))(?=([ \d.-])?)/
  return paths
    .map((one) => one.replace(start, (_, x, y, next) => `M${x} ${y}${next === undefined ? '' : 'l'}`))
    .join('')
}
