/** English texts of forms with an amount besides [`en`]; loaded with those views. */
export const formWords = {
  max: 'Max',
  available: 'Available: {0}',
  fee: 'Network fee',
  feeUnusual: 'This network fee is far above recent ones. Compare it with the fee in your wallet.',
  nodesElsewhere: "This network's nodes disagree, or answer for another network. Balances and fees may be wrong.",
  feeUnknown: 'Shown in your wallet',
  about: '~{0}',
  sendSilent: "{0} isn't responding. It may still send this when it reconnects.",
  searchTokens: 'Search tokens',
  amountMissing: 'Enter an amount',
  amountNotANumber: 'Enter a number, such as 0.5',
  amountSigned: 'Enter a number without a sign, such as 0.5',
  amountExponent: 'Enter the full number, such as 0.0005',
  amountAmbiguous: 'Thousands or decimals? Enter 1000 or 1.000',
  amountTooPrecise: 'Use at most {0} decimals',
  amountZero: 'Enter more than zero',
  amountAboveBalance: 'More than your balance',
  amountDisputed: 'Two nodes report different balances. Try again or enter the amount.',
  amountInsufficientGas: 'Not enough left for the network fee',
  amountNoCoin: 'Not enough {0} for the network fee'
} as const
