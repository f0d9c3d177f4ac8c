//! Builds dist: both clients as one file each, their WebAssembly modules beside them, and the type declarations.

import { spawnSync } from 'node:child_process'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
const MODULES = ['walletconnect_bg.wasm', 'sign_in_bg.wasm', 'wallet_bg.wasm']
const ENTRIES = ['index', 'dapp', 'sign-in']

/** Points the source at the module beside its own file, where dist has it. */
const wasmBeside = {
  name: 'wasm-beside',
  setup({ onLoad }) {
    onLoad({ filter: /src[\\/](Dapp|SignIn|Sign)Client\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const address = /'\.\.\/wasm\/(\w+\.wasm)'/
      if (!address.test(source)) throw new Error(`${path} does not name a module`)
      return { contents: source.replace(address, "'./$1'"), loader: 'ts' }
    })
  }
}

function types() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const flags = [
    ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--noCheck'],
    ...['--rootDir', join(here, 'src'), '--outDir', join(dist, 'types')],
    ...['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--module', 'esnext'],
    ...['--moduleResolution', 'bundler', '--strict', '--verbatimModuleSyntax', '--skipLibCheck', '--types', ''],
    ...['--allowImportingTsExtensions', '--rewriteRelativeImportExtensions']
  ]
  const { status, error } = spawnSync(
    process.execPath,
    [tsc, ...flags, ...ENTRIES.map((entry) => join(here, `src/${entry}.ts`))],
    {
      stdio: 'inherit'
    }
  )
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Renames the imports of declarations to `.js`: tsc keeps the extension `.ts`, and dist has no such files. */
async function pointAtDeclarations() {
  const folder = join(dist, 'types')
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replace(/((?:from|import|import\()\s*'\.{1,2}\/[^']*)\.ts'/g, "$1.js'"))
  }
}

await rm(dist, { recursive: true, force: true })
await build({
  absWorkingDir: here,
  entryPoints: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`])),
  outdir: dist,
  bundle: true,
  format: 'esm',
  minify: true,
  charset: 'utf8',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [wasmBeside]
})
for (const module of MODULES) await copyFile(join(here, 'wasm', module), join(dist, module))
types()
await pointAtDeclarations()
