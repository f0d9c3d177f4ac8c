import { adopt } from '../theme/adopt.ts'

/** A page that throws its body away, modal and all, scrolls again. */
const OPEN = 'html:has(.open:is(w3m-modal,appkit-modal))'

let unlock: (() => void) | undefined
/** Whoever keeps the page from scrolling: a page may have more than one modal. */
const holders = new Set<object>()

/**
 * Keeps the page behind from scrolling. A sheet of the document changes no attribute of the host's, and leaves without a trace;
 * where a scroll bar takes room, the room stays taken, so that nothing moves. One holder that locks twice locks once.
 */
export function lockScroll(holder: object): void {
  holders.add(holder)
  const bar = window.innerWidth > document.documentElement.clientWidth
  unlock ??= adopt(document, `${OPEN}{overflow:hidden!important${bar ? ';scrollbar-gutter:stable!important' : ''}}`)
}

export function unlockScroll(holder: object): void {
  holders.delete(holder)
  if (holders.size > 0) return
  unlock?.()
  unlock = undefined
}
