/** An app's own scheme, or https. The others run code, show content made by others, read files, name other apps, or are unsafe. */
const OWN =
  /^(?!(?:about|blob|data|file|filesystem|ftp|http|intent|javascript|vbscript|view-source|wc|wss?):)[a-z][a-z\d+.-]*:\/\/[^\s\\]*$/i

/** Pages of this machine, where hosts develop. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1])(?::\d+)?(?:[/?#][^\s\\]*)?$/

/**
 * Whether the widget opens a link. Every link out of the page passes here, although the core refused hostile ones when it read them
 * (`crates/terms/src/link.rs` has the same list).
 */
export function mayOpen(href: string): boolean {
  return OWN.test(href) || LOCAL.test(href)
}
