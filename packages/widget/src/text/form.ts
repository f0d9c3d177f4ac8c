/** English texts of forms with an amount besides [`en`]; loaded with those views. */
export const formWords = {
  max: 'Max',
  available: 'Available: {0}',
  fee: 'Network fee',
  feeUnusual: 'This network fee is far above those of the last blocks. Compare it with the one your wallet shows.',
  nodesElsewhere: 'The nodes of this network answer for another one, or differ. Balances and fees may be wrong.',
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
  amountDisputed: 'Two nodes report different balances. Try again, or enter the amount.',
  amountInsufficientGas: 'Not enough left for the network fee',
  amountNoCoin: 'Not enough {0} for the network fee'
} as const
