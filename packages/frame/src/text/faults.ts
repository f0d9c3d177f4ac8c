//! What may fail, in English: the sentences of the worker and the passkeys, and those of the machine and the server, which send them as texts.
//! The page draws them in its language; a sentence that is not listed here is drawn as it is.

import { ofPage } from './ofPage.ts'

export const faults = {
  ...ofPage,
  declined: 'This request was declined',
  session: 'Your session ended. Log in again.',
  storage:
    "Your browser blocks this wallet's storage. Leave private browsing, or allow cookies for this site, then try again.",
  again: 'Please try again after {0} seconds',
  againOne: 'Please try again after 1 second',
  againLater: 'Please try again after {0} minutes',
  kitTypo: 'This code has a typing error. Check each letter.',
  kitOther: 'This code belongs to another kit. Use the newest one.',
  passwordShort: 'Use at least 12 characters. Four or more words are easy to remember.',
  passwordDiffers: "Passwords don't match",
  passwordWrong: 'This password is wrong. Check it and try again.',
  unproved: 'Confirm with your passkey or password',
  otherRequest: 'This request has changed. Check it and confirm again.',
  passwordEnded: 'This took too long. Start again.',
  passkeyOther: "This passkey doesn't open the wallet. Use another one, or a recovery kit.",
  passkeyForeign: "This passkey isn't for this wallet",
  passkeyUnknown: 'No wallet found for this passkey. Use another one.',
  unopened: "Couldn't open the wallet. Contact the site's operator.",
  lost: "Couldn't find your wallet on the server. Contact the site's operator.",
  ended: 'This login has ended. Start again.',
  confirmation: 'This confirmation has ended. Start again.',
  unconfirmed: 'Confirm this first, or disconnect and log in again',
  noEmail: 'This account has no email. Use a passkey, or disconnect and log in again.',
  passkey: 'Use your passkey to see the keys of this wallet',
  wait: 'A passkey or password was changed less than 24 hours ago. Try again tomorrow.',
  frozen: 'This wallet is frozen',
  held: 'The operator of this site froze this wallet. Contact them.',
  last: 'This is the only way to open your wallet. Add a passkey, a password or a recovery kit first.',
  onlyPasskey: 'This passkey is the only login of the wallet. Add another passkey or login first.',
  onlyLogin: 'This is the only login of the wallet. Add another one first.',
  otherWallet: 'This login already opens another wallet. Use a different account.',
  addressForm: 'Enter a valid email address',
  codeForm: 'Enter the 6-digit code from the email',
  codeWrong: "This code isn't right. Check the email.",
  codesSpent: 'Too many wrong codes. Start again.',
  codeEnded: 'This change has ended. Start again.',
  otherAddress: 'This email already opens another wallet. Use a different one.',
  hasAddress: 'This wallet already has an email login. Change its address instead.',
  manyLogins: 'This wallet has too many logins. Remove one first.',
  noService: "This login isn't set up here",
  siteLogin: "The site's login wasn't accepted. Log in to the site again.",
  loginDown: "This login isn't available right now. Try again later.",
  device: 'Log in again on this device',
  noDevice: 'This device was already removed',
  slots: "Can't add another way to open this wallet. Remove one first.",
  busy: 'Too many requests at once. Try again in a minute.',
  later: "Your wallet isn't available right now. Try again later."
} as const

export type FaultKey = keyof typeof faults

/** Key of a sentence, and what stands in its gap. */
export function keyOf(sentence: string): readonly [FaultKey, string] | undefined {
  for (const [key, text] of Object.entries(faults) as [FaultKey, string][]) {
    const [before = '', after] = text.split('{0}')
    if (after === undefined ? sentence === text : sentence.startsWith(before) && sentence.endsWith(after)) {
      const gap = after === undefined ? '' : sentence.slice(before.length, sentence.length - after.length)
      if (after === undefined || /^\d+$/.test(gap)) return [key, gap]
    }
  }
  return undefined
}
