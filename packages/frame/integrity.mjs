//! Hash of a built frame, as the server computes it: it is in the path of the frame, and a page pins it by `frameIntegrity`.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** SHA-256 over path, length and bytes of each file in the order of their paths, in hex. Compressed copies do not count. */
export async function integrityOf(folder) {
  const files = (await readdir(folder)).filter((file) => !file.endsWith('.br')).sort()
  const hash = createHash('sha256')
  for (const file of files) {
    const bytes = await readFile(join(folder, file))
    const length = Buffer.alloc(8)
    length.writeBigUInt64BE(BigInt(bytes.length))
    hash.update(`${file}\0`).update(length).update(bytes)
  }
  return hash.digest('hex')
}
