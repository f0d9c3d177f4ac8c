//! Builds dist: the entries with their lazy files, the core's module beside them, and the types.

import { spawnSync } from 'node:child_process'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
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
    onLoad({ filter: /shell[\\/]load\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const address = "'../../wasm/portico_bg.wasm'"
      if (!source.includes(address)) throw new Error(`${path} does not name ${address}`)
      return { contents: source.replace(address, "'./portico_bg.wasm'"), loader: 'ts' }
    })
  }
}

function types() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const files = entries.map((entry) => join(here, `src/${entry}.ts`))
  const flags = [
    ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--noCheck'],
    ...['--rootDir', join(here, 'src'), '--outDir', join(dist, 'types')],
    ...[
      '--target',
      'es2022',
      '--lib',
      'es2023,dom,dom.iterable',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler'
    ],
    ...['--jsx', 'react-jsx', '--strict', '--verbatimModuleSyntax', '--skipLibCheck', '--types', ''],
    ...['--allowImportingTsExtensions', '--rewriteRelativeImportExtensions']
  ]
  const { status, error } = spawnSync(process.execPath, [tsc, ...flags, ...files], { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Declarations keep the extensions of their sources; nobody but us has those. */
async function pointAtDeclarations() {
  const folder = join(dist, 'types')
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replace(/((?:from|import|import\()\s*'\.{1,2}\/[^']*)\.tsx?'/g, "$1.js'"))
  }
}

/** The first files and the rest share no file, so that a page without a click loads not one byte for it. */
const restApart = {
  name: 'rest-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/(start|headless)\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: path.replace('.ts', '.js'), external: true } : null
    )
  }
}

async function bundle(names, plugins) {
  await build({
    absWorkingDir: here,
    entryPoints: names,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    jsx: 'automatic',
    external: ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client'],
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    plugins: [styles, ...plugins],
    logLevel: 'warning'
  })
}

await rm(dist, { recursive: true, force: true })
await bundle(Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])), [wasmBeside, restApart])
// Each whole, for a page has one of them, and a shared file would be one request more.
await bundle({ start: 'src/shell/start.ts' }, [])
await bundle({ headless: 'src/shell/headless.ts' }, [])
await copyFile(join(here, 'wasm/portico_bg.wasm'), join(dist, 'portico_bg.wasm'))
types()
await pointAtDeclarations()
