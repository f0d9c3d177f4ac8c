/** English texts of the sign-in besides [`en`]; loaded with its view. */
export const siwxWords = {
  signInTo: 'Sign in to {0}',
  signInHere: 'Sign in to this site',
  signInHint: 'Sign a message to prove that this wallet is yours. Signing is free.',
  signInAccount: 'Account',
  signInMessage: 'Message',
  signInChecking: "Checking if you're signed in",
  signInPreparing: 'Loading the message',
  signInSaving: 'Signing in',
  signInDeclined: 'You declined. Nothing was signed.',
  signInClock: "Check this device's date and time, then sign again.",
  signInLate: 'That took too long. Sign again.',
  signInSilent: "Couldn't check if you're signed in. Try again.",
  signInNetwork: 'Switch to a supported network in your wallet.',
  signInLater: "Couldn't verify your signature now. Try again.",
  signInEnded: "You're signed out. Sign again to continue.",
  signInFailed: "Couldn't sign you in. Try again.",
  signIn: 'Sign'
} as const
