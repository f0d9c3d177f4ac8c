import { useEffect, useRef } from 'react'
import { watchCamera } from '../scan/camera.ts'

/** Picture of the camera, until a QR code is found. */
export function Camera({ found, failed }: { found(text: string): void; failed(words: string): void }) {
  const video = useRef<HTMLVideoElement>(null)
  // Refs keep the camera running across renders: it turns on and off with the element only.
  const tell = useRef({ found, failed })
  tell.current = { found, failed }
  useEffect(() => {
    if (!video.current) return
    return watchCamera(video.current, {
      found: (text) => tell.current.found(text),
      failed: (words) => tell.current.failed(words)
    })
  }, [])
  return <video ref={video} className="camera" muted playsInline aria-label="Camera: point it at the code" />
}
