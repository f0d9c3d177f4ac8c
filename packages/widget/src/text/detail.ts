import { tokenWords } from './token.ts'

/** English texts of the details of a token, NFT or transaction besides [`en`]; loaded with those views. */
export const detailWords = {
  ...tokenWords,
  detailPrice: 'Price',
  detailContract: 'Contract',
  detailTokenId: 'Token ID',
  detailCollection: 'Collection',
  detailOwned: 'Owned',
  detailStatus: 'Status',
  detailConfirmed: 'Confirmed',
  detailDate: 'Date',
  detailTo: 'To',
  detailApp: 'App',
  detailToken: 'Token',
  detailAmount: 'Amount',
  detailUnlimited: 'Unlimited',
  detailSpender: 'Spender',
  detailTokenContract: '{0} contract',
  detailTokenAddress: '{0} address',
  detailFee: 'Network fee',
  detailHash: 'Transaction hash',
  detailTransactionId: 'Transaction ID',
  detailSuspicious: "This token's name has a link or code in it, as scams do. Ignore what it says.",
  detailLookalike: 'Another token uses this symbol. This one may be a scam.',
  detailBoth: "This token's name has a link or code in it, and another token uses its symbol. It's likely a scam.",
  detailUnknown: "No price is known for this token. Anyone can send you one you didn't ask for.",
  detailGone: 'No longer in your account',
  detailGoneHint: 'Go back to see what you hold now.'
} as const
