/** Whether a page of this host can have passkeys: WebAuthn binds each to a domain, and an IP address is none. */
export function canHavePasskeys(host: string = location.hostname): boolean {
  return !/^(\[.*\]|\d+(\.\d+){3})$/.test(host)
}
