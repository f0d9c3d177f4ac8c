import { turn } from './turn.ts'

/** What a browser that draws nothing right now may keep us waiting, in milliseconds. */
const LONGEST = 200

/** Resolves once the browser has drawn the next frame; soon where it draws none. */
export function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LONGEST)
    // The frame is drawn after its callbacks: the next task comes behind it.
    requestAnimationFrame(() => turn().then(resolve))
  })
}
