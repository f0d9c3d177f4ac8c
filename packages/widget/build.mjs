//! Builds dist: the entries with their lazy files, the core's module beside them, and the type declarations.

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
/** WalletConnect client, bundled from source: the package has no dependency on it, and this build does not wait for that one. */
const client = join(here, '../walletconnect/src/dapp.ts')
/** The same for pages with a sign-in. */
const signInClient = join(here, '../walletconnect/src/sign-in.ts')
const entries = ['index', 'react', 'networks', 'ethers', 'solana', 'bitcoin', 'polkadot', 'siwx', 'siwe']
/** Entries over the first ones: they import what they share with them from `kit.js`, or the bundler would split those for their sake. */
const over = ['wallet-button', 'wallet-button-react', 'solana-react']

/** Code that asks the wallets of a namespace. Each is one whole file: a visitor waits for it after the choice of a wallet. */
const late = ['bitcoin/bitcoinWallets', 'solana/SolanaProvider', 'polkadot/PolkadotProvider']
/** Code that verifies what wallets signed: a page that is only connected needs none. */
const signed = ['signed', 'bitcoinSigned', 'polkadotSigned']
/** Files that others import dynamically by name, without a chunk that both share. */
const apart = [
  'start',
  'headless',
  'relay',
  'relaySigning',
  'preload',
  ...signed,
  ...late.map((path) => basename(path))
]

/** Minifies style sheets: they are template strings in TypeScript, whose white space a bundler would keep. */
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
  // Escapes of the style sheet must stay escaped in the template literal.
  return `\`${code.trim().replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/** Points each import of a module to the same folder: all built files lie together in dist. */
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
      contents: withoutUnused(await readFile(path, 'utf8'), path)
    }))
  }
}

/** Loading of a module that is compiled already. */
const loadCompiled =
  'async function __wbg_load(module, imports) {\nreturn { instance: await WebAssembly.instantiate(module, imports), module }\n}\n'

/** Pieces of wasm-bindgen's glue that the widget has no use for, each with the code that takes its place. */
const unused = [
  // The glue always receives a compiled module, in an object.
  [/async function __wbg_load\([\s\S]*?\n}\n/, loadCompiled],
  [/ {4}if \(module_or_path !== undefined\) {[\s\S]*?\n {4}}\n\n/, '({module_or_path} = module_or_path)\n'],
  [/ {4}if \(typeof module_or_path === 'string'.*\n.*\n *}\n/, ''],
  // A core is dropped together with its module, and never freed.
  [/ {4}__destroy_into_raw\(\) {[\s\S]*?\n {4}}\n {4}free\(\) {[\s\S]*?\n {4}}\n/, ''],
  [/if \(Symbol\.dispose\).*\n/, ''],
  [/const CoreFinalization =[\s\S]*?\n}\);\n/, ''],
  [/ *CoreFinalization\.register\(.*\n/, ''],
  // All supported browsers have the method.
  [/if \(!\('encodeInto' in [\s\S]*?\n}\n/, ''],
  // The shell decides when a module starts anew; the core never asks the glue for it.
  [/function __wbg_call_guard\(\) {[\s\S]*?\n}\n/, ''],
  [/ *__wbg_call_guard\(\);\n/g, ''],
  [/.*__wbg_reinit_scheduled = false;\n/g, '']
]

/** Removes the unused pieces from the glue. */
function withoutUnused(glue, path) {
  return unused.reduce((rest, [piece, instead]) => {
    if (rest.search(piece) < 0) throw new Error(`${path} has an unknown form of wasm-bindgen's glue: no ${piece}`)
    return rest.replace(piece, () => instead)
  }, glue)
}

/** Bundles the type declarations of each entry into self-contained files: hosts have neither our sources nor the bundled packages. */
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
  const all = [...entries, ...over]
  const files = all.map((entry) => join(here, `src/${entry}.ts`))
  const { status, error } = spawnSync(process.execPath, [tsc, ...flags, ...files, client], { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  const declaration = (source) => join(emitted, relative(join(here, '..'), source)).replace(/\.tsx?$/, '.d.ts')
  const bundled = await rolldown({
    cwd: here,
    input: Object.fromEntries(files.map((file, index) => [all[index], declaration(file)])),
    external: /^(react(-dom)?(\/|$)|@solana\/web3\.js$)/,
    plugins: [
      {
        name: 'emitted',
        // Emitted declarations still import their neighbours by source name.
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

/** Offset added to each byte, so that the most frequent bytes become characters that need no escape. */
const SHIFT = 35

/**
 * Inlines the client's module into its code, one character per byte, so that one request fetches both. Brotli compresses these characters
 * like bytes, which it cannot with base64: 2 % more than the module alone instead of 30 %.
 */
const moduleWithin = {
  name: 'module-within',
  setup({ onLoad }) {
    onLoad({ filter: /walletconnect[\\/]src[\\/](Dapp|SignIn)Client\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const address = /new URL\('[^']*\/(\w+\.wasm)', import\.meta\.url\)/
      const [whole, module] = address.exec(source) ?? []
      if (!whole) throw new Error(`${path} does not name a module`)
      const read = await readFile(join(dirname(path), '../wasm', module))
      const letters = read.map((byte) => byte + SHIFT).toString('latin1')
      // `Uint8Array` wraps negative numbers around.
      const bytes = `Uint8Array.from(${JSON.stringify(letters)}, (letter) => letter.charCodeAt(0) - ${SHIFT})`
      return { contents: source.replace(whole, () => bytes), loader: 'ts' }
    })
  }
}

/** Keeps the first files and the lazy ones without shared chunks, so that a page without a click loads no byte for the modal. */
const restApart = {
  name: 'rest-apart',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`/(${apart.join('|')})\\.ts$`) }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : null
    )
  }
}

const firstOutside = {
  name: 'first-outside',
  setup({ onResolve }) {
    onResolve({ filter: /\/(current|define|PorticoError)\.ts$/ }, () => ({ path: './kit.js', external: true }))
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
  alias: {
    '@portico/walletconnect/dapp': client,
    '@portico/walletconnect/sign-in': signInClient,
    // One copy of the curves, also for the library of sr25519, which has its own: aliases are resolved from this folder.
    '@noble/curves': '@noble/curves',
    '@noble/hashes': '@noble/hashes'
  },
  external: ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client', '@solana/web3.js'],
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning'
}

/** Lets rolldown load files as an esbuild plugin does. */
const loading = ({ name, setup }) => {
  const loaders = []
  setup({ onLoad: ({ filter }, load) => loaders.push({ filter, load }) })
  return {
    name,
    load: async (path) => {
      const loader = loaders.find(({ filter }) => filter.test(path))
      if (!loader) return null
      const { contents, loader: moduleType = 'js' } = await loader.load({ path })
      return { code: contents, moduleType }
    }
  }
}

/** Collects in `there` the sources that the entry imports statically, itself included. */
const staticImports = (there) => ({
  name: 'static-imports',
  buildEnd() {
    const visit = (id) => {
      const source = there.has(id) ? null : this.getModuleInfo(id)
      if (!source) return
      there.add(id)
      source.importedIds.forEach(visit)
    }
    for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) visit(id)
  }
})

/** Keeps the WalletConnect of pages with a sign-in a whole file of its own, as the other one is: a page loads one of them. */
const signInApart = {
  name: 'sign-in-apart',
  resolveId: (path) => (path.endsWith('/relaySigning.ts') ? { id: './relaySigning.js', external: true } : null)
}

/**
 * Bundles the code that opens the modal into the single file `start.js`; later views import shared code from it. A bundler by itself would
 * split the shared code into many chunks, and on a slow network the first list would wait for all of them.
 */
async function bundleStart() {
  const there = new Set()
  const bundle = await rolldown({
    cwd: here,
    input: { start: 'src/shell/start.ts' },
    // Lazy files import what they share with the entry from the entry itself.
    preserveEntrySignatures: 'allow-extension',
    platform: 'browser',
    external: /^react(-dom)?(\/|$)/,
    resolve: { alias: settings.alias },
    transform: { jsx: 'react-jsx', target: settings.target },
    plugins: [staticImports(there), signInApart, ...[styles, wasmBeside, moduleWithin].map(loading)]
  })
  await bundle.write({
    dir: dist,
    format: 'esm',
    minify: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: ({ isDynamicEntry }) => (isDynamicEntry ? '[name].js' : '[name]-[hash].js'),
    codeSplitting: { groups: [{ name: 'start', test: (id) => there.has(id) }] }
  })
}

await rm(dist, { recursive: true, force: true })
// The curves that verify signatures are shared with the sign-in, and a wallet asks the visitor while they load.
const first = {
  kit: 'src/host/kit.ts',
  signed: 'src/adapters/solana/signed.ts',
  bitcoinSigned: 'src/adapters/bitcoin/bitcoinSigned.ts',
  polkadotSigned: 'src/adapters/polkadot/polkadotSigned.ts'
}
const firstFiles = { ...first, ...Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])) }
await build({ ...settings, entryPoints: firstFiles, plugins: [styles, wasmBeside, restApart] })
await build({ ...settings, entryPoints: over.map((entry) => `src/${entry}.ts`), plugins: [styles, firstOutside] })
// Each of these is one whole file: a page needs only one of them, and a shared chunk would be one more request.
await bundleStart()
for (const wallets of late)
  await build({ ...settings, entryPoints: [`src/adapters/${wallets}.ts`], plugins: [restApart] })
for (const alone of ['shell/headless', 'shell/relay/relaySigning', 'host/preload', 'server'])
  await build({ ...settings, entryPoints: [`src/${alone}.ts`], plugins: [styles, wasmBeside, moduleWithin] })
for (const module of (await readdir(join(here, 'wasm'))).filter((name) => /^portico_\w+\.wasm$/.test(name)))
  await copyFile(join(here, 'wasm', module), join(dist, module))
// Second minification of esbuild's output: 2 % smaller after brotli, and the first files count each byte.
for (const file of (await readdir(dist)).filter((name) => name.endsWith('.js'))) {
  const path = join(dist, file)
  const { code, errors } = await minify(file, await readFile(path, 'utf8'), {
    module: true,
    compress: { target: 'es2022' }
  })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  await writeFile(path, code)
}
// Marks the file as client-side (React's directive): a server component must not create a modal.
for (const name of ['react.js', 'wallet-button-react.js', 'solana-react.js']) {
  const hooks = join(dist, name)
  await writeFile(hooks, `"use client";${await readFile(hooks, 'utf8')}`)
}
await types()
