import { turn } from './turn.ts'

/** Maximum wait in milliseconds for a browser that draws no frames right now. */
const LONGEST = 200

/** Resolves once the browser has drawn the next frame, or after a short timeout where it draws none. */
export function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LONGEST)
    // Callbacks run before the frame is drawn; the next task runs after it.
    requestAnimationFrame(() => turn().then(resolve))
  })
}
