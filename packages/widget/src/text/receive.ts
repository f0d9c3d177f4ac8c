/** English texts of the Receive view besides [`en`]; loaded with that view. */
export const receiveWords = {
  receiveQr: 'QR code of your address',
  receiveOnly: 'Send only what is on {0} to this address. What is sent on any other network may be lost.',
  receiveListed: 'Send what is on {0}, or on a network listed here. Anything else may be lost.',
  receiveAlso: 'The same address elsewhere: {0}'
} as const
