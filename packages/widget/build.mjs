//! Builds dist: the entries with their lazy files, the core's module beside them, and the types.

import { spawnSync } from 'node:child_process'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { rolldown } from 'rolldown'
import { minify } from 'rolldown/utils'
import { dts } from 'rolldown-plugin-dts'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
/** The client of remote wallets, taken in from its source: the package stands alone, and this build does not wait for that one. */
const client = join(here, '../walletconnect/src/dapp.ts')
const entries = ['index', 'react', 'networks', 'ethers']

/** Style sheets are texts in TypeScript; a bundler takes them for words and leaves their spaces. */
const styles = {
  name: 'styles',
  setup({ onLoad }) {
    onLoad({ filter: /\.css\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const pieces = await Promise.all(
        source
          .split(/(`[^`]*`)/)
          .map((piece) => (piece.startsWith('`') && !piece.includes('${') ? minified(piece) : piece))
      )
      return { contents: pieces.join(''), loader: 'ts' }
    })
  }
}

async function minified(literal) {
  const { code } = await transform(literal.slice(1, -1), { loader: 'css', minify: true })
  // What a style sheet escapes has to stay escaped in the template.
  return `\`${code.trim().replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/** All files lie in one folder, so that the module is beside whichever of them asks for it. */
const wasmBeside = {
  name: 'wasm-beside',
  setup({ onLoad }) {
    onLoad({ filter: /(shell[\\/]load|generated[\\/]parts)\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const address = /'(?:\.\.\/)+wasm\/(\w+\.wasm)'/g
      if (source.search(address) < 0) throw new Error(`${path} does not name a module`)
      return { contents: source.replace(address, "'./$1'"), loader: 'ts' }
    })
    onLoad({ filter: /wasm[\\/]portico\.js$/ }, async ({ path }) => ({
      contents: withoutFetching(await readFile(path, 'utf8'), path)
    }))
  }
}

/** The glue is given a compiled module, so its own ways to fetch and compile one are only bytes. */
function withoutFetching(glue, path) {
  const load = /async function __wbg_load\([\s\S]*?\n}\n/
  const fetching = /if \(typeof module_or_path === 'string'.*\n.*\n *}\n/
  if (!load.test(glue) || !fetching.test(glue)) throw new Error(`${path} does not load modules as wasm-bindgen did`)
  const given =
    'async function __wbg_load(module, imports) {\nreturn { instance: await WebAssembly.instantiate(module, imports), module }\n}\n'
  return glue.replace(load, given).replace(fetching, '')
}

/** The types of each entry in files that stand alone: hosts have neither our sources nor the packages that are taken in. */
async function types() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const emitted = join(dist, '.types')
  const flags = [
    ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--noCheck'],
    ...['--rootDir', join(here, '..'), '--outDir', emitted],
    ...['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--module', 'esnext'],
    ...['--moduleResolution', 'bundler', '--jsx', 'react-jsx', '--strict', '--verbatimModuleSyntax'],
    ...['--skipLibCheck', '--types', '', '--allowImportingTsExtensions']
  ]
  const files = entries.map((entry) => join(here, `src/${entry}.ts`))
  const { status, error } = spawnSync(process.execPath, [tsc, ...flags, ...files, client], { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  const declaration = (source) => join(emitted, relative(join(here, '..'), source)).replace(/\.tsx?$/, '.d.ts')
  const bundled = await rolldown({
    cwd: here,
    input: Object.fromEntries(files.map((file, index) => [entries[index], declaration(file)])),
    external: /^react(-dom)?(\/|$)/,
    plugins: [
      {
        name: 'emitted',
        // What was emitted still names its neighbours as the sources do.
        resolveId: (path, from) => {
          if (path === '@portico/walletconnect/dapp') return declaration(client)
          if (path.startsWith('.') && /\.tsx?$/.test(path)) return join(dirname(from), path.replace(/\.tsx?$/, '.d.ts'))
        }
      },
      dts({ dtsInput: true })
    ]
  })
  await bundled.write({ dir: join(dist, 'types'), chunkFileNames: 'shared.d.ts' })
  await rm(emitted, { recursive: true })
}

/** Added to each byte, so that the most frequent ones are letters that need no escape. */
const SHIFT = 35

/**
 * The module of the client lies in its code, a letter a byte, so that one request brings both. Brotli finds in letters what it finds in
 * bytes, which it does not in base64: 2 % more than the module alone, not 30 %.
 */
const moduleWithin = {
  name: 'module-within',
  setup({ onLoad }) {
    onLoad({ filter: /walletconnect[\\/]src[\\/]DappClient\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const address = /new URL\('[^']*\/(\w+\.wasm)', import\.meta\.url\)/
      const [whole, module] = address.exec(source) ?? []
      if (!whole) throw new Error(`${path} does not name a module`)
      const read = await readFile(join(dirname(path), '../wasm', module))
      const letters = read.map((byte) => byte + SHIFT).toString('latin1')
      // What is below zero wraps around.
      const bytes = `Uint8Array.from(${JSON.stringify(letters)}, (letter) => letter.charCodeAt(0) - ${SHIFT})`
      return { contents: source.replace(whole, () => bytes), loader: 'ts' }
    })
  }
}

/** The first files and the rest share no file, so that a page without a click loads not one byte for it. */
const restApart = {
  name: 'rest-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/(start|headless|relay|preload)\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : null
    )
  }
}

const settings = {
  absWorkingDir: here,
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  charset: 'utf8',
  target: 'es2022',
  jsx: 'automatic',
  alias: { '@portico/walletconnect/dapp': client },
  external: ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client'],
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning'
}

/** Leaves out what is imported when it is needed; `met` takes the files by the names that they are built under. */
const lazyApart = (met) => ({
  name: 'lazy-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return null
      const source = join(resolveDir, path)
      const name = basename(source).replace(/\.tsx?$/, '')
      met.set(name, source)
      return { path: `./${name}.js`, external: true }
    })
  }
})

/**
 * Leaves out files that lie in `start.js` already; which of them an import means stands behind the `?`, from this folder on: what is built
 * is the same wherever the repository lies.
 */
const startApart = (there) => ({
  name: 'start-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const source = join(resolveDir, path)
      const within = kind === 'import-statement' && there.has(source)
      return within ? { path: `./start.js?${relative(here, source)}`, external: true } : null
    })
  }
})

const IMPORT_OF_START = /import\s*(?:\{([^}]*)\}\s*from\s*)?"\.\/start\.js\?([^"]*)";?/g

/**
 * What opens the modal is one file, and the views that come later take what they share with it from there. A bundler would cut the
 * shared parts out instead, into as many files as there are ways to share, and on a slow network the first list waits for all of them.
 */
async function bundleStart() {
  const lazy = new Map()
  const entry = 'src/shell/start.ts'
  const alone = await build({
    ...settings,
    write: false,
    entryPoints: { start: entry },
    plugins: [styles, wasmBeside, lazyApart(lazy)]
  })
  const there = new Set(Object.keys(alone.metafile.inputs).map((path) => join(here, path)))
  await build({
    ...settings,
    entryPoints: Object.fromEntries(lazy),
    plugins: [styles, wasmBeside, moduleWithin, startApart(there)]
  })

  /** What `start.js` hands out, by source and name. */
  const shared = new Map()
  const nameOf = (source, name) => {
    const key = `${source} ${name}`
    if (!shared.has(key)) shared.set(key, { source, name, as: `s${shared.size}` })
    return shared.get(key).as
  }
  for (const file of (await readdir(dist)).filter((name) => name.endsWith('.js'))) {
    const path = join(dist, file)
    const text = await readFile(path, 'utf8')
    const pointed = text.replace(IMPORT_OF_START, (_, names = '', source) => {
      const parts = names.split(',').filter(Boolean)
      const renamed = parts.map((part) => {
        const [name, local = name] = part.trim().split(/\s+as\s+/)
        return `${nameOf(source, name)} as ${local}`
      })
      return renamed.length > 0 ? `import{${renamed.join(',')}}from"./start.js";` : ''
    })
    if (pointed.includes('start.js?'))
      throw new Error(`${file} imports from start.js in a way that build.mjs does not read`)
    if (pointed !== text) await writeFile(path, pointed)
  }
  const handed = [...shared.values()].map(
    ({ source, name, as }) => `export { ${name} as ${as} } from ${JSON.stringify(join(here, source))}`
  )
  const contents = [`export * from ${JSON.stringify(join(here, entry))}`, ...handed].join('\n')
  await build({
    ...settings,
    splitting: false,
    outdir: undefined,
    outfile: join(dist, 'start.js'),
    stdin: { contents, resolveDir: here, loader: 'js' },
    plugins: [styles, wasmBeside, lazyApart(new Map())]
  })
}

await rm(dist, { recursive: true, force: true })
const firstFiles = Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`]))
await build({ ...settings, entryPoints: firstFiles, plugins: [styles, wasmBeside, restApart] })
// Each whole, for a page has one of them, and a shared file would be one request more.
await bundleStart()
for (const alone of ['shell/headless', 'host/preload', 'server'])
  await build({ ...settings, entryPoints: [`src/${alone}.ts`], plugins: [styles, wasmBeside, moduleWithin] })
for (const module of (await readdir(join(here, 'wasm'))).filter((name) => /^portico_\w+\.wasm$/.test(name)))
  await copyFile(join(here, 'wasm', module), join(dist, module))
// Once more over what esbuild wrote: 2 % smaller after brotli, and the first files count each byte.
for (const file of (await readdir(dist)).filter((name) => name.endsWith('.js'))) {
  const path = join(dist, file)
  const { code, errors } = await minify(file, await readFile(path, 'utf8'), {
    module: true,
    compress: { target: 'es2022' }
  })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  await writeFile(path, code)
}
// A server component must not make a modal; this file is for components of the browser (React's directive).
const hooks = join(dist, 'react.js')
await writeFile(hooks, `"use client";${await readFile(hooks, 'utf8')}`)
await types()
