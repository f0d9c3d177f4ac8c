import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotli } from './brotli.ts'

const root = import.meta.dirname

export default defineConfig({
  root,
  plugins: [react(), brotli()],
  build: {
    target: 'es2022',
    // A strict policy has no `data:` scripts, and a server can cache what is a file.
    assetsInlineLimit: 0,
    // Every page of this folder.
    rolldownOptions: {
      input: readdirSync(root)
        .filter((name) => name.endsWith('.html'))
        .map((name) => join(root, name))
    }
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080' } }
})
