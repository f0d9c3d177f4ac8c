//! Builds the test extension (Manifest V3) into a folder, from which Chromium loads it. Node only, so it is an entry of its own:
//! `@portico/testkit/extension`.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Chain } from '../demo-wallet/chain.ts'

export interface ExtensionOptions {
  /** EVM chains that the wallet knows. */
  readonly chains: readonly Chain[]
  /** URLs of Solana nodes by the Wallet Standard's names of their chains. */
  readonly nodes?: Readonly<Record<string, string>>
}

/** Name of the wallet, the same in all namespaces. */
export const EXTENSION = { name: 'Extension Wallet', rdns: 'test.portico.extension' } as const

const MANIFEST = {
  manifest_version: 3,
  name: EXTENSION.name,
  version: '1.0',
  background: { service_worker: 'worker.js' },
  content_scripts: [
    { matches: ['http://*/*', 'https://*/*'], js: ['bridge.js'], run_at: 'document_start' },
    { matches: ['http://*/*', 'https://*/*'], js: ['page.js'], run_at: 'document_start', world: 'MAIN' }
  ]
}

const WINDOW = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${EXTENSION.name}</title>
<style>body{margin:24px;font:15px/1.5 system-ui}h1{margin:0;font-size:20px}p,dt{color:#555}dd{margin:0 0 8px;overflow-wrap:anywhere;white-space:pre-wrap}
footer{display:flex;gap:12px}button{flex:1;padding:12px;font:inherit}</style><body><script type="module" src="ask.js"></script></body></html>`

export async function buildExtension(folder: string, { chains, nodes = {} }: ExtensionOptions): Promise<void> {
  const here = import.meta.dirname
  await build({
    entryPoints: ['page', 'bridge', 'worker'].map((part) => join(here, `${part}.ts`)),
    outdir: folder,
    bundle: true,
    // The page's script must leave no name in the page.
    format: 'iife',
    define: { SETTINGS: JSON.stringify({ ...EXTENSION, chains, nodes }) },
    logLevel: 'warning'
  })
  // This one waits for its question before it draws.
  await build({ entryPoints: [join(here, 'ask.ts')], outdir: folder, bundle: true, format: 'esm', logLevel: 'warning' })
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(MANIFEST))
  await writeFile(join(folder, 'ask.html'), WINDOW)
}
