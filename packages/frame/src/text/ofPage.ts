//! Sentences of the page itself, in English: they are part of its first files, while all others come with the views.

export const ofPage = {
  unreachable: 'Something went wrong',
  passkeyUnused: "The passkey wasn't used. Try again.",
  passkeyNone: "This passkey can't open a wallet. Use another one.",
  passkeyNoPrf: "This passkey can't open a wallet. Use one from another device or password manager.",
  passkeyKnown: 'This passkey already opens your wallet. Use another device or password manager.',
  popup: 'Your browser blocked the window. Allow pop-ups for this site, then try again.',
  unlinked: "Couldn't add the login. Try again.",
  broken: 'An error occurred'
} as const
