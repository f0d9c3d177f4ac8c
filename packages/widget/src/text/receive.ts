/** English texts of the Receive view besides [`en`]; loaded with that view. */
export const receiveWords = {
  receiveQr: 'QR code of your address',
  receiveOnly: 'Send only assets on {0} to this address. Anything sent on another network may be lost.',
  receiveListed: 'Send only assets on {0} or a network listed here. Anything else may be lost.',
  receiveAlso: 'Other networks: {0}'
} as const
