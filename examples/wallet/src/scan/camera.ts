//! Scans for a QR code with the camera.

import { decode, pixelsOf } from './picture.ts'

export interface Watching {
  found(text: string): void
  failed(words: string): void
}

/** Side of the scanned image in pixels, small enough to decode many times a second. */
const SIDE = 640

/** Starts scanning, and returns a function that turns the camera off. */
export function watchCamera(video: HTMLVideoElement, { found, failed }: Watching): () => void {
  let stream: MediaStream | undefined
  let stopped = false
  const stop = () => {
    stopped = true
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  void (async () => {
    try {
      // Absent in an insecure context.
      if (!navigator.mediaDevices) throw new DOMException('', 'NotFoundError')
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (stopped) return stop()
      video.srcObject = stream
      await video.play()
      while (!stopped) {
        const text = await look(video)
        if (text !== null && !stopped) {
          stop()
          return found(text)
        }
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    } catch (error) {
      if (!stopped) failed(wordsOf(error))
      stop()
    }
  })()
  return stop
}

async function look(video: HTMLVideoElement): Promise<string | null> {
  const { videoWidth: width, videoHeight: height } = video
  if (width === 0 || height === 0) return null
  const scale = Math.min(1, SIDE / Math.min(width, height))
  return decode(pixelsOf(video, Math.round(width * scale), Math.round(height * scale)))
}

function wordsOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return 'Camera access is blocked. Allow it in your browser, or paste the code.'
  if (name === 'NotFoundError') return 'No camera found. Paste the code, or choose a picture.'
  return "The camera isn't working. Paste the code, or choose a picture."
}
