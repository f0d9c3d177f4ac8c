// Pictures of the wallets: squares of 128 pixels as WebP, named by a hash of their content.

import { createHash } from 'node:crypto'

const SIZE = 128
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

/** Converts a picture to WebP: fitted into the square, on the background colour that its source names, if any. */
async function webp(sharp, { bytes, background }) {
  const { format, width, height } = await sharp(bytes).metadata()
  // SVG is rendered at the target size; 72 dpi is its own size.
  const density = format === 'svg' ? Math.min(2_400, Math.ceil((72 * SIZE * 2) / Math.min(width, height))) : undefined
  let image = sharp(bytes, { density }).resize(SIZE, SIZE, { fit: 'contain', background: CLEAR })
  if (background) image = image.flatten({ background })
  return image.webp({ quality: 86, alphaQuality: 90, effort: 6, smartSubsample: true }).toBuffer()
}

/** Whether a picture shows something: neither empty nor a single colour. */
async function shows(sharp, bytes) {
  const { channels, isOpaque } = await sharp(bytes).stats()
  const varied = channels.slice(0, 3).some((channel) => channel.stdev > 2)
  return varied || (!isOpaque && channels.at(-1).stdev > 2)
}

/** First picture of a wallet that can be read, with its id, or null. */
export async function picture(sharp, images) {
  for (const image of images) {
    const bytes = await webp(sharp, image).catch(() => null)
    if (bytes && (await shows(sharp, bytes))) {
      return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes }
    }
  }
  return null
}
