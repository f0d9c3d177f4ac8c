import { copyFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Relative, because the page may be served from any path: in the demo it is /wallet/.
  base: './',
  plugins: [react(), linkTarget()],
  build: {
    target: 'es2022',
    // A strict content security policy allows no `data:` scripts, and files can be cached.
    assetsInlineLimit: 0,
    emptyOutDir: true
  },
  server: {
    proxy: { '/v1': 'http://127.0.0.1:8080', '/relay': { target: 'ws://127.0.0.1:8080', ws: true } }
  }
})

/** Serves the same page also at `…/wc?uri=…`, where apps open a wallet. */
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
