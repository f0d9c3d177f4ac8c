//! Runs a TypeScript file of this folder: `node run.mjs bench.ts`. The oldest supported Node runs JavaScript only.

import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const folder = dirname(fileURLToPath(import.meta.url))
const [file = ''] = process.argv.slice(2)
const outfile = join(folder, 'node_modules/.run', file.replace(/\.ts$/, '.mjs'))
await build({
  entryPoints: [join(folder, file)],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
  // Our packages are TypeScript and are bundled; other packages are resolved in node_modules.
  plugins: [
    {
      name: 'packages',
      setup({ onResolve }) {
        onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
          kind === 'entry-point' || path.startsWith('@portico/') ? undefined : { path, external: true }
        )
      }
    }
  ]
})
await import(pathToFileURL(outfile).href)
