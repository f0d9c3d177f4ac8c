//! Reads the QR code of a picture. What decodes is fetched with the first one.

/** Larger pictures say no more about a code and take seconds. */
const LARGEST = 1600

/** The text in it; null where none can be read. */
export async function scanPicture(picture: Blob): Promise<string | null> {
  try {
    // No address is made of the picture, so no policy of the page has to allow it.
    const bitmap = await createImageBitmap(picture)
    const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height))
    const pixels = pixelsOf(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale))
    bitmap.close()
    return await decode(pixels)
  } catch {
    return null
  }
}

/** Codes on a dark page are often drawn the other way round. */
export async function decode(pixels: ImageData): Promise<string | null> {
  const { decodeQR } = await import('qr/decode.js')
  for (const image of [pixels, inverted(pixels)]) {
    try {
      return decodeQR(image)
    } catch {
      // It throws where it finds none.
    }
  }
  return null
}

export function pixelsOf(source: CanvasImageSource, width: number, height: number): ImageData {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser does not draw.')
  // A picture without a ground is looked at on white.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(source, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}

function inverted({ data, width, height }: ImageData): ImageData {
  const turned = data.map((value, at) => (at % 4 === 3 ? value : 255 - value))
  return new ImageData(turned, width, height)
}
