import { useEffect, useRef } from 'react'
import { watchCamera } from '../scan/camera.ts'

/** What the camera sees, until it sees a code. */
export function Camera({ found, failed }: { found(text: string): void; failed(words: string): void }) {
  const video = useRef<HTMLVideoElement>(null)
  // The camera goes on and off with the element.
  const tell = useRef({ found, failed })
  tell.current = { found, failed }
  useEffect(() => {
    if (!video.current) return
    return watchCamera(video.current, {
      found: (text) => tell.current.found(text),
      failed: (words) => tell.current.failed(words)
    })
  }, [])
  return <video ref={video} className="camera" muted playsInline aria-label="Camera: hold the code before it" />
}
