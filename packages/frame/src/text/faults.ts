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
  kitTypo: 'This code has a typing error. Check each letter.',
  kitOther: 'This code belongs to another kit. Use the newest one.',
  passwordShort: 'Use at least 12 characters. Four or more words are easy to remember.',
  passwordDiffers: 'The passwords differ',
  passwordWrong: 'This password is wrong. Check it and try again.',
  passwordEnded: 'Setting the password has ended. Start again.',
  passkeyOther: "This passkey doesn't open the wallet. Use another one, or a recovery kit.",
  passkeyForeign: "This passkey isn't one of this wallet",
  passkeyUnknown: 'There is no wallet of this passkey.',
  unopened: "Couldn't open the wallet. Contact the site's operator.",
  lost: "Couldn't find your wallet on the server. Contact the site's operator.",
  ended: 'This login has ended. Start again.',
  confirmation: 'This confirmation has ended. Start again.',
  unconfirmed: 'Confirm this first, or log out and in again',
  noEmail: 'No email can go to this account. Use a passkey, or log out and in again.',
  frozen: 'This wallet is frozen',
  held: 'The operator of this site froze this wallet. Contact them.',
  last: 'Nothing else could open the wallet. Add a passkey, a password or a recovery kit first.',
  onlyLogin: 'This is the only login of the wallet. Add another one first.',
  otherWallet: 'This login opens another wallet already. Use another account there.',
  addressForm: 'Enter a valid email address',
  codeForm: 'Enter the 6 digits of the email',
  codeWrong: "This code isn't right. Check the email.",
  codesSpent: 'Too many wrong codes. Start again.',
  codeEnded: 'This change has ended. Start again.',
  otherAddress: 'This address opens another wallet already. Use another address.',
  hasAddress: 'This wallet has an email login already. Change its address instead.',
  manyLogins: 'This wallet has too many logins. Remove one first.',
  noService: "This login isn't set up here",
  siteLogin: "The site's login wasn't accepted. Log in to the site again.",
  device: 'Log in again on this device',
  noDevice: 'There is no device of this id',
  slots: 'There is no wallet, or it has too many slots',
  busy: 'Too many requests at once from here',
  later: "The wallet isn't available now. Try again later."
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
