//! Drawings small enough to be stored on a chain: PNGs of a few kilobytes at most, the same on every machine.

import { crc32, deflateSync } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number]

/** Mark on a coin. */
export type CoinMark = 'dots' | 'ticket'

/** Motif of an NFT. */
export type Motif = 'hills' | 'planets' | 'sails'

/** Sides in pixels: a coin is drawn small, an NFT fills a view on a display of two pixels a point. */
const COIN_SIDE = 48
const ART_SIDE = 512

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]

export function dataUri(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

/** Picture of a motif in shades of a colour. */
export function scene(colour: Colour, motif: Motif = 'hills'): string {
  return painted(ART_SIDE, 2, motifs[motif](colour))
}

/** Colour at a place between 0 and 1. */
type Paint = (x: number, y: number) => Colour

const motifs: Readonly<Record<Motif, (colour: Colour) => Paint>> = {
  hills: (colour) => {
    const [red, green, blue] = colour
    const turn = (red + 2 * green + 3 * blue) / 97
    const sun = { x: 0.3 + 0.4 * (turn % 1), y: 0.36, colour: mixed(colour, WHITE, 0.92) }
    const near = mixed(colour, BLACK, 0.62)
    const far = mixed(colour, BLACK, 0.32)
    const sky = bands(colour, 8, 0.15, 0.5)
    const hill = (x: number, height: number, phase: number) => height + 0.07 * Math.sin(x * 6 + phase)
    return (x, y) => {
      if (y > hill(x, 0.8, turn)) return near
      if (y > hill(x, 0.64, turn * 2)) return far
      return Math.hypot(x - sun.x, y - sun.y) < 0.17 ? sun.colour : sky(y)
    }
  },
  planets: (colour) => {
    const night = mixed(colour, BLACK, 0.66)
    const [lit, dark] = [mixed(colour, WHITE, 0.5), mixed(colour, WHITE, 0.22)]
    const [moon, dust] = [mixed(colour, WHITE, 0.92), mixed(colour, WHITE, 0.86)]
    return (x, y) => {
      const [right, down] = [x - 0.46, y - 0.56]
      const far = Math.hypot(right, down)
      // The ring is a flat ellipse, in front of the lower half of the planet.
      const ring = Math.hypot(right + 0.35 * down, 3.4 * (down - 0.35 * right))
      if (ring > 0.37 && ring < 0.47 && (down > 0.35 * right || far > 0.24)) return dust
      if (far < 0.24) return right - down > 0.06 ? lit : dark
      return Math.hypot(x - 0.8, y - 0.2) < 0.07 ? moon : night
    }
  },
  sails: (colour) => {
    const [sea, hull] = [mixed(colour, BLACK, 0.45), mixed(colour, BLACK, 0.72)]
    const [large, small] = [mixed(colour, WHITE, 0.94), mixed(colour, WHITE, 0.68)]
    const sky = bands(colour, 5, 0.1, 0.3)
    return (x, y) => {
      if (y > 0.8 + 0.015 * Math.sin(x * 25)) return sea
      if (y > 0.71 && y < 0.82 && x > y - 0.51 && x < 1.834 - 1.4 * y) return hull
      if (x > 0.5 && y < 0.67 && x < 0.5 + 0.62 * (y - 0.16)) return large
      return x < 0.47 && y < 0.67 && x > 0.47 - 0.5 * (y - 0.26) ? small : sky(y)
    }
  }
}

/** Sky in bands, lighter towards the ground: rows of one colour compress well. */
function bands(colour: Colour, count: number, top: number, change: number): (y: number) => Colour {
  const all = Array.from({ length: count }, (_, band) => mixed(colour, WHITE, top + (change * band) / count))
  return (y) => all[Math.floor(y * count)] ?? colour
}

/** Coin in a colour, with a ring and a mark. */
export function coin(colour: Colour, mark: CoinMark): string {
  const shapes: Record<CoinMark, (x: number, y: number) => boolean> = {
    dots: (x, y) =>
      [-0.12, 0.12].some((at) => Math.hypot(x - at, y - at) < 0.075 || Math.hypot(x - at, y + at) < 0.075),
    ticket: (x, y) => Math.abs(x) < 0.22 && Math.abs(y) < 0.13 && Math.hypot(Math.abs(x) - 0.22, y) > 0.055
  }
  return painted(COIN_SIDE, 3, (x, y) => {
    const far = Math.hypot(x - 0.5, y - 0.5)
    if (shapes[mark](x - 0.5, y - 0.5)) return WHITE
    return far > 0.34 && far < 0.38 ? mixed(colour, WHITE, 0.7) : colour
  })
}

function mixed(one: Colour, other: Colour, part: number): Colour {
  const channel = (at: 0 | 1 | 2) => Math.round(one[at] + (other[at] - one[at]) * part)
  return [channel(0), channel(1), channel(2)]
}

/** PNG of a square as a data URI; each pixel is the mean of `fine` times `fine` samples, for smooth edges. */
function painted(side: number, fine: number, at: Paint): string {
  const palette = new Map<string, number>()
  const pixel = (column: number, row: number) => {
    let [red, green, blue] = [0, 0, 0]
    for (let sample = 0; sample < fine * fine; sample++) {
      const [right, down] = [((sample % fine) + 0.5) / fine, (Math.floor(sample / fine) + 0.5) / fine]
      const colour = at((column + right) / side, (row + down) / side)
      red += colour[0]
      green += colour[1]
      blue += colour[2]
    }
    const colour = [red, green, blue].map((sum) => Math.round(sum / fine ** 2)).join()
    const known = palette.get(colour) ?? palette.size
    palette.set(colour, known)
    return known
  }
  const line = (row: number) => [0, ...Array.from({ length: side }, (_, column) => pixel(column, row))]
  const rows = Buffer.from(Array.from({ length: side }, (_, row) => line(row)).flat())
  if (palette.size > 256) throw new Error('A picture has more colours than a palette')
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Bit depth 8, colour type 3 (palette): a pixel is one byte, and the flat areas of a drawing compress well.
  header.set([8, 3], 8)
  const colours = Buffer.from([...palette.keys()].flatMap((colour) => colour.split(',').map(Number)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = chunk('IDAT', deflateSync(rows, { level: 9 }))
  const chunks = [chunk('IHDR', header), chunk('PLTE', colours), data, chunk('IEND', Buffer.alloc(0))]
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
