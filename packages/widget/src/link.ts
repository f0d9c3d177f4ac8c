/** An app's own scheme, or https. The others run code, show content made by others, read files, or open other apps and tools of the system. */
const OWN =
  /^(?!(?:about|blob|chrome|chrome-extension|data|file|filesystem|ftp|http|intent|itms-services|javascript|mailto|ms-[^:]*|search-ms|smb|sms|ssh|tel|telnet|vbscript|view-source|vscode|wc|wss?):)[a-z][a-z\d+.-]*:\/\/[^\s\\]*$/i

/** Pages of this machine, where hosts develop. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1])(?::\d+)?(?:[/?#][^\s\\]*)?$/

/**
 * Whether the widget opens a link. Every link out of the page passes here, although the core refused hostile ones when it read them
 * (`crates/terms/src/link.rs` has the same list).
 */
export function mayOpen(href: string): boolean {
  return OWN.test(href) || LOCAL.test(href)
}
