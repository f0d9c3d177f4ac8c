/** English texts of the sign-in besides [`en`]; loaded with its view. */
export const siwxWords = {
  signInTo: 'Sign in to {0}',
  signInHint: 'Sign a message to prove that this wallet is yours. Signing is free.',
  signInAccount: 'Account',
  signInMessage: 'Message',
  signInPreparing: 'Loading the message',
  signInSaving: 'Signing in',
  signInDeclined: 'You declined. Nothing was signed.',
  signIn: 'Sign'
} as const
