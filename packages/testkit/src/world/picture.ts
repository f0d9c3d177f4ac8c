//! Images small enough to be stored on a chain.

import { crc32, deflateSync } from 'node:zlib'

const SIDE = 16

export function dataUri(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

/** PNG of one colour (red, green, blue), as a data URI. */
export function square(colour: readonly [number, number, number]): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  // Bit depth 8, colour type 2 (RGB).
  header.set([8, 2], 8)
  const row = [0, ...Array.from({ length: SIDE }, () => colour).flat()]
  const rows = Buffer.from(Array.from({ length: SIDE }, () => row).flat())
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return dataUri('image/png', Buffer.concat([signature, ...chunks]))
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
