/** English texts of forms with an amount besides [`en`]; loaded with those views. */
export const formWords = {
  max: 'Max',
  available: 'Available: {0}',
  fee: 'Network fee',
  feeUnknown: 'shown by your wallet',
  about: 'about {0}',
  sendSilent: '{0} does not answer. It may still send this when it comes back.',
  searchTokens: 'Search tokens',
  amountMissing: 'Enter an amount',
  amountNotANumber: 'Enter a number such as 0.5',
  amountSigned: 'Without a sign, such as 0.5',
  amountExponent: 'Write the number out, such as 0.0005',
  amountAmbiguous: 'A thousand, or one? Write 1000 or 1.000',
  amountTooPrecise: 'At most {0} decimals',
  amountZero: 'Enter more than zero',
  amountAboveBalance: 'More than you have',
  amountInsufficientGas: 'Not enough left for the network fee',
  amountNoCoin: 'Not enough {0} for the network fee'
} as const
