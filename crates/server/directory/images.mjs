// The pictures of the wallets: squares of 128 pixels as WebP, named after what is in them.

import { createHash } from 'node:crypto'

const SIZE = 128
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

/** One picture as WebP: the whole of it in the square, on its source's own ground where it names one. */
async function webp(sharp, { bytes, background }) {
  const { format, width, height } = await sharp(bytes).metadata()
  // A drawing is made in the size it is wanted in; 72 dots an inch stand for its own size.
  const density = format === 'svg' ? Math.min(2_400, Math.ceil((72 * SIZE * 2) / Math.min(width, height))) : undefined
  let image = sharp(bytes, { density }).resize(SIZE, SIZE, { fit: 'contain', background: CLEAR })
  if (background) image = image.flatten({ background })
  return image.webp({ quality: 86, alphaQuality: 90, effort: 6, smartSubsample: true }).toBuffer()
}

/** A picture that shows something: not one colour, not nothing. */
async function shows(sharp, bytes) {
  const { channels, isOpaque } = await sharp(bytes).stats()
  const varied = channels.slice(0, 3).some((channel) => channel.stdev > 2)
  return varied || (!isOpaque && channels.at(-1).stdev > 2)
}

/** The first of a wallet's pictures that can be read, with its id, or null. */
export async function picture(sharp, images) {
  for (const image of images) {
    const bytes = await webp(sharp, image).catch(() => null)
    if (bytes && (await shows(sharp, bytes))) {
      return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes }
    }
  }
  return null
}
