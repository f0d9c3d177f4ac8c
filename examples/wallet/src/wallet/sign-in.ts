//! Check of sign-in messages (EIP-4361, CAIP-122), which phishing sites often relay from another site.

/** Warning about a sign-in message that does not match the requesting application; null if it matches or is another message. */
export function signInWarning(message: string, asker: { host: string; address: string }): string | null {
  const found = /^(?:https?:\/\/)?(\S+) wants you to sign in with your .{1,40} account:\r?\n(\S+)/.exec(message)
  if (!found) return null
  const [, domain = '', address = ''] = found
  if (domain.toLowerCase() !== asker.host.toLowerCase()) {
    return `This message signs you in at ${domain.slice(0, 80)}, but ${asker.host || 'someone without an address'} asks for it.`
  }
  // CAIP-122 may name the account with its chain.
  if (!address.toLowerCase().endsWith(asker.address.toLowerCase())) {
    return 'This message names a different account from the one signing.'
  }
  return null
}
