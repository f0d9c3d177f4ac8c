import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotli } from './brotli.ts'

const root = import.meta.dirname

/** Benchmark pages, each built alone as a host's page would be: pages built together share files and are split into more of them. */
const ALONE = ['bench', 'bench-bare']

export default defineConfig(({ mode }) => {
  const alone = ALONE.includes(mode)
  const names = readdirSync(root).filter((name) => name.endsWith('.html'))
  const pages = names.filter((name) => (alone ? name === `${mode}.html` : !ALONE.includes(name.replace('.html', ''))))
  return {
    root,
    base: alone ? `/${mode}/` : '/',
    publicDir: alone ? false : 'public',
    plugins: [react(), brotli()],
    build: {
      outDir: alone ? `dist/${mode}` : 'dist',
      target: 'es2022',
      // A strict content security policy allows no `data:` scripts, and files can be cached.
      assetsInlineLimit: 0,
      rolldownOptions: { input: pages.map((name) => join(root, name)) }
    },
    server: { proxy: { '/v1': 'http://127.0.0.1:8080' } }
  }
})
