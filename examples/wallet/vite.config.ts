import { copyFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // The page may lie anywhere: the demo has it under /wallet/.
  base: './',
  plugins: [react(), linkTarget()],
  build: {
    target: 'es2022',
    // A strict policy has no `data:` scripts, and a server can cache what is a file.
    assetsInlineLimit: 0,
    emptyOutDir: true
  },
  server: {
    proxy: { '/v1': 'http://127.0.0.1:8080', '/relay': { target: 'ws://127.0.0.1:8080', ws: true } }
  }
})

/** Apps open a wallet at `…/wc?uri=…`, so the same page is there as well. */
function linkTarget(): Plugin {
  let folder = ''
  return {
    name: 'link-target',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    closeBundle() {
      copyFileSync(join(folder, 'index.html'), join(folder, 'wc.html'))
    }
  }
}
