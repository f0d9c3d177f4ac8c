//! Builds dist: the page, its worker and their modules under names with a hash, each with its brotli form, and the hash of them all.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { integrityOf } from './integrity.mjs'

const here = dirname(fileURLToPath(import.meta.url))
/** Another folder is for a comparison of two builds. */
const dist = process.argv[2] ?? join(here, 'dist')

/** React itself has 61 KB of brotli and Preact 8: with React the page would be above its budget. */
const PREACT = {
  react: 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime'
}

function named(name, bytes) {
  const [base, ending] = name.split('.')
  return `${base}-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${ending}`
}

async function put(name, bytes) {
  const file = named(name, bytes)
  await writeFile(join(dist, file), bytes)
  return file
}

/** Replaces the addresses of modules and the worker in a source by those of the files in dist. */
function addresses(known) {
  return {
    name: 'addresses',
    setup({ onLoad }) {
      onLoad({ filter: /frame[\\/]src[\\/](page\.ts|worker\.ts|keeper\.ts|password\.ts)$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const contents = source.replace(/new URL\('([^']+)', import\.meta\.url\)/g, (whole, address) => {
          const file = known[address]
          if (!file) throw new Error(`${path} names ${address}, which is not built`)
          return whole.replace(address, `./${file}`)
        })
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    }
  }
}

async function bundle(entry, known) {
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    outdir: dist,
    bundle: true,
    // What the page imports when it needs it, such as its views or a language, is a file of its own; what both use is another one.
    splitting: true,
    chunkNames: '[name]-[hash]',
    write: false,
    format: 'esm',
    minify: true,
    charset: 'utf8',
    target: 'es2022',
    jsx: 'automatic',
    legalComments: 'none',
    logLevel: 'warning',
    alias: PREACT,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [addresses(known)]
  })
  const [own, ...chunks] = outputFiles
  for (const { path, contents } of chunks) await writeFile(path, contents)
  return own.contents
}

async function compressed() {
  const sizes = {}
  for (const file of await readdir(dist)) {
    const bytes = await readFile(join(dist, file))
    const mode = file.endsWith('.wasm') ? constants.BROTLI_MODE_GENERIC : constants.BROTLI_MODE_TEXT
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: mode }
    const small = brotliCompressSync(bytes, { params })
    await writeFile(join(dist, `${file}.br`), small)
    sizes[file] = small.length
  }
  return sizes
}

await rm(dist, { recursive: true, force: true })
await mkdir(dist, { recursive: true })
const signer = await put('signer.wasm', await readFile(join(here, 'wasm/signer_bg.wasm')))
const module = await put('frame.wasm', await readFile(join(here, 'wasm/frame_bg.wasm')))
const password = await put('password.wasm', await readFile(join(here, 'wasm/password_bg.wasm')))
const modules = { '../wasm/signer_bg.wasm': signer, '../wasm/password_bg.wasm': password }
const keeper = await put('keeper.js', await bundle('src/keeper.ts', modules))
const page = await put(
  'page.js',
  await bundle('src/page.ts', { '../wasm/frame_bg.wasm': module, './keeper.ts': keeper })
)
const style = await put('frame.css', await bundle('src/frame.css', {}))
const chunks = (await readdir(dist)).filter((file) => file.startsWith('chunk-'))
// Otherwise a browser asks for them once it has read the page's script.
const preloads = chunks.map((file) => `<link rel="modulepreload" href="./${file}">`).join('\n')
const html = await readFile(join(here, 'src/index.html'), 'utf8')
await writeFile(
  join(dist, 'index.html'),
  html.replace(/\{(\w+)\}/g, (_, name) => ({ page, style, module, preloads })[name])
)
const sizes = await compressed()
const first = [page, style, module, 'index.html', ...chunks].reduce((sum, file) => sum + sizes[file], 0)
console.log(`frameIntegrity: ${await integrityOf(dist)}`)
console.log(
  `frame: ${first} bytes of brotli before the signer; worker ${sizes[keeper]}, signer ${sizes[signer]}, password ${sizes[password]}`
)
