import { adopt } from '../theme/adopt.ts'
import { stillCss } from '../theme/still.css.ts'

let unlock: (() => void) | undefined
/** The modals that keep the page from scrolling; there may be more than one. */
const holders = new Set<object>()

/**
 * Keeps the page behind from scrolling. A sheet of the document changes no attribute of the host's, and leaves without a trace. One holder
 * that locks twice locks once.
 */
export function lockScroll(holder: object): void {
  holders.add(holder)
  unlock ??= adopt(document, stillCss())
}

export function unlockScroll(holder: object): void {
  holders.delete(holder)
  if (holders.size > 0) return
  unlock?.()
  unlock = undefined
}
