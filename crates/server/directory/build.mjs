// Writes the wallet directory: `node build.mjs FOLDER`. PROVENANCE.md describes the folder's content.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { picture } from './images.mjs'
import { merge } from './merge.mjs'
import * as injected from './source/injected.mjs'
import * as rainbowkit from './source/rainbowkit.mjs'
import * as thirdweb from './source/thirdweb.mjs'

const here = import.meta.dirname
const from = resolve(process.argv[2] ?? '.')
const sharp = createRequire(join(from, 'package.json'))('sharp')

/** Folder of a source; it must contain exactly the version that PROVENANCE.md names. */
function folder(name, { source }) {
  const path = join(from, name)
  const found = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  if (found.name !== source.package || found.version !== source.version || found.license !== source.licence) {
    throw new Error(
      `${path} holds ${found.name}@${found.version} ${found.license}, not ${source.package}@${source.version} ${source.licence}`
    )
  }
  return path
}

const curated = JSON.parse(readFileSync(join(here, 'curated.json'), 'utf8'))
const { wallets, unusable } = merge(
  [
    ...(await rainbowkit.read(folder('rainbowkit', rainbowkit))),
    ...thirdweb.read(folder('thirdweb', thirdweb)),
    ...(await injected.read(folder('injected-wallets', injected)))
  ],
  curated
)

const images = join(here, 'images')
rmSync(images, { recursive: true, force: true })
mkdirSync(images)
const sizes = new Map()
const written = []
for (const [index, { images: candidates, kept: _kept, rank: _rank, keys: _keys, ...wallet }] of wallets.entries()) {
  const found = await picture(sharp, candidates)
  if (found) {
    writeFileSync(join(images, `${found.id}.webp`), found.bytes)
    sizes.set(found.id, found.bytes.length)
  }
  const { id, aliases, name, homepage, ...rest } = wallet
  written.push({ id, aliases, name, homepage, image_id: found?.id ?? null, order: index + 1, ...rest })
}

/** JSON with one line per wallet, so that a changed wallet is a one-line diff. */
function lines(list) {
  return `[\n${list.map((wallet) => JSON.stringify(wallet)).join(',\n')}\n]\n`
}

writeFileSync(join(here, 'wallets.json'), lines(written))
const bundled = curated.bundled.map((id) => written.find((wallet) => wallet.id === id))
writeFileSync(
  join(here, 'bundled.json'),
  lines(bundled.map(({ provenance: _provenance, aliases: _aliases, ...wallet }) => wallet))
)

const sorted = [...sizes.values()].sort((a, b) => a - b)
const total = sorted.reduce((sum, size) => sum + size, 0)
console.log(`${written.length} wallets, ${unusable.length} left out: ${unusable.map((wallet) => wallet.id).join(' ')}`)
console.log(
  `${sorted.length} images, median ${sorted[sorted.length >> 1]} bytes, largest ${sorted.at(-1)}, together ${total}`
)
console.log(
  `without an image: ${
    written
      .filter((wallet) => !wallet.image_id)
      .map((wallet) => wallet.id)
      .join(' ') || 'none'
  }`
)
