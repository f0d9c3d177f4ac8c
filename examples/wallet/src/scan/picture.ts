//! Reads the QR code in a picture. The decoder is loaded with the first picture.

/** Longest side in pixels: larger pictures take seconds to decode and do not improve the result. */
const LARGEST = 1600

/** Text of the QR code; null if none can be read. */
export async function scanPicture(picture: Blob): Promise<string | null> {
  try {
    // A bitmap needs no object URL, which the content security policy would have to allow.
    const bitmap = await createImageBitmap(picture)
    const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height))
    const pixels = pixelsOf(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale))
    bitmap.close()
    return await decode(pixels)
  } catch {
    return null
  }
}

/** Decodes a QR code, also an inverted one, as dark pages often draw it. */
export async function decode(pixels: ImageData): Promise<string | null> {
  const { decodeQR } = await import('qr/decode.js')
  for (const image of [pixels, inverted(pixels)]) {
    try {
      return decodeQR(image)
    } catch {
      // It throws if it finds no code.
    }
  }
  return null
}

export function pixelsOf(source: CanvasImageSource, width: number, height: number): ImageData {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error("This browser can't read pictures.")
  // Transparent pictures get a white background.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(source, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}

function inverted({ data, width, height }: ImageData): ImageData {
  const turned = data.map((value, at) => (at % 4 === 3 ? value : 255 - value))
  return new ImageData(turned, width, height)
}
