/** An app's own scheme, or https. The others run code, show content made by others, read files, or open other apps and tools of the system. */
const OWN =
  /^(?!(?:about|afp|android-app|app-settings|blob|callto|cdp|chrome|chrome-extension|content|data|dav|davs|facetime|facetime-audio|feed|file|filesystem|ftp|ftps|googlechrome|googlechromes|gopher|help|http|intent|itms|itms-apps|itms-appss|itms-services|jar|javascript|jetbrains|ldap|ldaps|macappstore|mailto|market|mhtml|microsoft-edge|mms|moz-extension|ms-[^:]*|msteams|nfs|nntp|prefs|rdp|resource|safari-extension|safari-web-extension|search|search-ms|sftp|shell|shortcuts|sip|sips|skype|slack|smb|sms|smsto|ssh|tel|telnet|vbscript|view-source|vnc|vscode|vscode-insiders|wc|webcal|whatsapp|wss?|wyciwyg|x-apple\.systempreferences|x-safari-https|x-web-search|xmpp|zoommtg|zoomus):)[a-z][a-z\d+.-]*:\/\/[^\s\\]*$/i

/** Pages of this machine, where hosts develop. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1])(?::\d+)?(?:[/?#][^\s\\]*)?$/

/**
 * Whether the widget opens a link. Every link out of the page passes here, although the core refused hostile ones when it read them
 * (`crates/terms/src/link.rs` has the same list).
 */
export function mayOpen(href: string): boolean {
  return OWN.test(href) || LOCAL.test(href)
}
