import { adopt } from '../theme/adopt.ts'
import { stillCss } from '../theme/still.css.ts'

let unlock: (() => void) | undefined
/** Modals that lock the page's scrolling; there may be several. */
const holders = new Set<object>()

/**
 * Locks the scrolling of the page behind. A style sheet of the document changes no attribute of the host's elements and leaves no trace.
 * Locking twice for the same holder counts once.
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
