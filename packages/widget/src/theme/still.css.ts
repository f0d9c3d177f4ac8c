/**
 * The page behind does not scroll, for as long as an open modal is in it: one that throws its body away, modal and all, scrolls again. Where
 * a scroll bar takes room, the room stays taken, so that nothing moves. The answer is made before anything changes, or the browser lays the
 * page out once more for it.
 */
export function stillCss(): string {
  const bar = window.innerWidth > document.documentElement.clientWidth
  return `html:has(.open:is(w3m-modal,appkit-modal)){overflow:hidden!important${bar ? ';scrollbar-gutter:stable!important' : ''}}`
}
