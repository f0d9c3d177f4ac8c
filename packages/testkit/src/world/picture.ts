//! Drawings small enough to be stored on a chain: PNGs of a few hundred bytes, the same on every machine.

import { crc32, deflateSync } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number]

/** Mark on a coin. */
export type CoinMark = 'dots' | 'ticket'

const SIDE = 48
/** Samples of a pixel in each direction, for smooth edges. */
const FINE = 3

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]

export function dataUri(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

/** Landscape in shades of a colour: a sun over hills. */
export function scene(colour: Colour): string {
  const [red, green, blue] = colour
  const turn = (red + 2 * green + 3 * blue) / 97
  const sun = { x: 0.3 + 0.4 * (turn % 1), y: 0.36 }
  const hill = (x: number, height: number, phase: number) => height + 0.07 * Math.sin(x * 6 + phase)
  return painted((x, y) => {
    if (y > hill(x, 0.8, turn)) return mixed(colour, BLACK, 0.62)
    if (y > hill(x, 0.64, turn * 2)) return mixed(colour, BLACK, 0.32)
    if (Math.hypot(x - sun.x, y - sun.y) < 0.17) return mixed(colour, WHITE, 0.92)
    // In a few steps, since rows of one colour compress well.
    return mixed(colour, WHITE, 0.15 + 0.5 * (Math.floor(y * 8) / 8))
  })
}

/** Coin in a colour, with a ring and a mark. */
export function coin(colour: Colour, mark: CoinMark): string {
  const shapes: Record<CoinMark, (x: number, y: number) => boolean> = {
    dots: (x, y) =>
      [-0.12, 0.12].some((at) => Math.hypot(x - at, y - at) < 0.075 || Math.hypot(x - at, y + at) < 0.075),
    ticket: (x, y) => Math.abs(x) < 0.22 && Math.abs(y) < 0.13 && Math.hypot(Math.abs(x) - 0.22, y) > 0.055
  }
  return painted((x, y) => {
    const far = Math.hypot(x - 0.5, y - 0.5)
    if (shapes[mark](x - 0.5, y - 0.5)) return WHITE
    return far > 0.34 && far < 0.38 ? mixed(colour, WHITE, 0.7) : colour
  })
}

function mixed(one: Colour, other: Colour, part: number): Colour {
  const channel = (at: 0 | 1 | 2) => Math.round(one[at] + (other[at] - one[at]) * part)
  return [channel(0), channel(1), channel(2)]
}

/** PNG as a data URI of the colours at places between 0 and 1. */
function painted(at: (x: number, y: number) => Colour): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  // Bit depth 8, colour type 2 (RGB).
  header.set([8, 2], 8)
  const steps = Array.from({ length: FINE }, (_, step) => (step + 0.5) / FINE)
  const pixel = (column: number, row: number) => {
    const samples = steps.flatMap((x) => steps.map((y) => at((column + x) / SIDE, (row + y) / SIDE)))
    return [0, 1, 2].map((channel) => {
      const sum = samples.reduce((sum, colour) => sum + (colour[channel] ?? 0), 0)
      return Math.round(sum / samples.length)
    })
  }
  const line = (row: number) => [0, ...Array.from({ length: SIDE }, (_, column) => pixel(column, row)).flat()]
  const rows = Buffer.from(Array.from({ length: SIDE }, (_, row) => line(row)).flat())
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]
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
