//! Writes a brotli file (`.br`) beside each compressible file of the build, for servers that serve precompressed files.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(css|html|js|json|svg|wasm)$/

export function brotli(): Plugin {
  let folder = ''
  return {
    name: 'brotli',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (COMPRESSIBLE.test(name)) compress(join(folder, name))
      }
    }
  }
}

function compress(file: string): void {
  const plain = readFileSync(file)
  const quality = Number(process.env.BROTLI_QUALITY ?? constants.BROTLI_MAX_QUALITY)
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  const small = brotliCompressSync(plain, { params })
  if (small.length < plain.length) writeFileSync(`${file}.br`, small)
}
