/**
 * Locks the page's scrolling while an open modal is in it: a page that replaces its body, modal included, scrolls again. Where a scroll bar
 * takes space, the space stays reserved, so that nothing moves. The bar is measured before any change: later the browser would have to lay
 * the page out again.
 */
export function stillCss(): string {
  const bar = window.innerWidth > document.documentElement.clientWidth
  return `html:has(.open:is(w3m-modal,appkit-modal)){overflow:hidden!important${bar ? ';scrollbar-gutter:stable!important' : ''}}`
}
